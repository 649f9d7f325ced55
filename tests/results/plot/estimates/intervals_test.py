"""Laws of medians and intervals over seeds: a missed target is infinite, ratios are paired, the same values give the same numbers."""

import math
import statistics
import unittest

import fake_runs  # noqa: F401  puts results/ on the import path
import numpy as np
from plot.estimates import intervals


class Intervals(unittest.TestCase):
    def test_the_middle_of_a_table_is_its_median(self):
        values = [[3.0, 1.0, 2.0, 9.0], [4.0, math.inf, 1.0, 2.0], [1.0, math.inf, math.inf, 2.0]]
        self.assertEqual(list(intervals.middle(np.array(values))), [statistics.median(row) for row in values])

    def test_an_interval_holds_its_median_and_lies_within_the_values(self):
        values = [5.0, 1.0, 2.0, 8.0, 4.0, 3.0, 7.0]
        low, high = intervals.median_interval(values)
        self.assertTrue(min(values) <= low <= statistics.median(values) <= high <= max(values))
        self.assertLess(low, high)

    def test_levels_are_widened_so_that_ten_values_are_held_as_widely_as_their_noise_asks(self):
        values = [float(place) for place in range(1, 11)]
        self.assertEqual(intervals.median_interval(values[:5]), (1.0, 5.0))
        self.assertEqual(intervals.median_interval(values), (2.5, 8.5))  # plain percentiles: 3 to 8

    def test_one_value_is_its_own_interval(self):
        self.assertEqual(intervals.median_interval([2.5]), (2.5, 2.5))

    def test_missed_targets_widen_the_interval_to_infinity(self):
        low, high = intervals.median_interval([1.0, 2.0, 3.0, math.inf, math.inf])
        self.assertTrue(math.isfinite(low))
        self.assertEqual(high, math.inf)

    def test_a_ratio_of_times_that_keep_pace_has_no_width(self):
        over = {seed: 2.0 * seed for seed in range(1, 8)}
        low, high = intervals.ratio_of_medians_interval(over, {seed: time / 2 for seed, time in over.items()})
        self.assertEqual((low, high), (2.0, 2.0))  # pairs: unpaired resamples would spread from 2/7 to 14

    def test_only_common_seeds_are_paired(self):
        self.assertTrue(all(map(math.isnan, intervals.ratio_of_medians_interval({1: 1.0}, {2: 1.0}))))
        self.assertEqual(intervals.ratio_of_medians_interval({1: 4.0, 3: 9.0}, {1: 2.0, 2: 1.0}), (2.0, 2.0))

    def test_never_reached_is_no_speed_up_and_a_missing_yardstick_no_ratio(self):
        self.assertEqual(intervals.ratio_of_medians(1.0, math.inf), 0.0)
        self.assertTrue(math.isnan(intervals.ratio_of_medians(math.inf, 1.0)))

    def test_the_same_values_give_the_same_numbers(self):
        values = [0.1 * place for place in range(1, 11)]
        self.assertEqual(intervals.median_interval(values), intervals.median_interval(list(values)))


if __name__ == "__main__":
    unittest.main()
