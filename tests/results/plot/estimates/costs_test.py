"""Laws of speed-ups: they are those of `hogwild compare`, whatever missed its target, and tables and figures have the same."""

import csv
import math
import os
import random
import subprocess
import unittest

import fake_runs
import numpy as np
from folder_to_draw import RACY, SERIAL, Drawing
from plot.estimates import configurations, costs, draws
from plot.figures import speedup
from plot.files.reading import read_results
from report import combined


class Costs(Drawing):
    def sides(self):
        found = self.found()
        return configurations.best_serial(found), [one for one in found if not one.key.serial]

    def ratio(self, over, under, spent=1.0):
        trials = lambda times: np.array([(spent, 0.0, 1.0) if time is None else (time, 1.0, 1.0) for time in times])
        return costs.ratio(trials(over), trials(under))

    def test_random_numbers_are_those_of_random123(self):
        zeros, ones = np.zeros((1, 4), dtype=np.uint64), np.full((1, 4), 0xFFFFFFFF, dtype=np.uint64)
        self.assertEqual([f"{word:08x}" for word in draws.philox(zeros, 0)[0]], ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"])
        self.assertEqual([f"{word:08x}" for word in draws.philox(ones, 2**64 - 1)[0]], ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"])

    def test_students_quantiles_are_those_of_tables(self):
        for degrees, quantile in ((1, 12.7062), (2, 4.3027), (4, 2.7764), (9, 2.2622), (30, 2.0423)):
            self.assertAlmostEqual(draws.student(0.95, degrees), quantile, places=4)
        self.assertEqual([draws.rank(count) for count in (3, 5, 10, 1000)], [0, 9, 85, 248])

    def test_of_times_that_keep_pace_the_interval_has_no_width(self):
        value, low, high = self.ratio([2.0, 4.0, 6.0, 8.0], [1.0, 2.0, 3.0, 4.0])  # unpaired it would reach from 2/4 to 8/1
        for end in (value, low, high):
            self.assertAlmostEqual(end, 2.0, places=12)

    def test_a_run_that_missed_spends_all_its_time_and_its_interval_reaches_0(self):
        value, low, high = self.ratio([1.0] * 5, [1.0, 1.0, 1.0, None, None], spent=6.0)
        self.assertAlmostEqual(value, 1 / (15 / 3), places=12)
        self.assertEqual(low, 0.0)
        self.assertLess(value, high)

    def test_who_never_gets_there_is_0_times_as_fast_and_nobody_has_no_ratio(self):
        value, low, high = self.ratio([1.0] * 4, [None] * 4, spent=50.0)
        self.assertEqual((value, low), (0.0, 0.0))
        self.assertAlmostEqual(high, 1 / 50, places=12)  # all of them might have got there when they were stopped
        self.assertEqual(self.ratio([None] * 4, [1.0] * 4).value, math.inf)
        self.assertTrue(math.isnan(self.ratio([None] * 4, [None] * 4).value))

    def test_fewer_than_three_pairs_have_no_interval(self):
        value, low, high = self.ratio([1.0, 2.0], [1.0, 1.0])
        self.assertEqual(value, 1.5)
        self.assertTrue(math.isnan(low) and math.isnan(high))

    def test_only_common_seeds_are_paired_and_two_targets_are_not_compared(self):
        for seed in (1, 2, 3, 4):
            self.add(SERIAL, 1, seed)
        for seed in (2, 3, 4, 10):
            self.add(RACY, 4, seed)
        serial, (racy,) = self.sides()
        self.assertEqual([one.axes["seed"] for one, _ in costs.paired(serial, racy)], ["2", "3", "4"])
        wanted = sum(row["seconds_to_target"] for row in self.rows[1:4]) / sum(row["seconds_to_target"] for row in self.rows[4:7])
        self.assertAlmostEqual(costs.useful_speed_up(serial, racy).value, wanted, places=12)
        self.rows[-2]["target"] *= 1.01
        serial, (racy,) = self.sides()
        self.assertTrue(math.isnan(costs.useful_speed_up(serial, racy).value))
        self.assertFalse(math.isnan(costs.rate_speed_up(serial, racy).value))
        self.rows[-2].update(target=self.rows[0]["target"], target_of="test_error")
        serial, (racy,) = self.sides()
        self.assertTrue(math.isnan(costs.useful_speed_up(serial, racy).value))

    def test_the_table_and_the_figure_have_the_same_speed_ups(self):
        for seed in range(1, 6):
            self.add(SERIAL, 1, seed)
            self.add(RACY, 2, seed, status="done" if seed > 2 else "interrupted")
        serial, (racy,) = self.sides()
        head = [name for name, _ in combined.HEADS].index("speed-up")
        cell, ratio = combined.row(racy, serial, False)[head], costs.useful_speed_up(serial, racy)
        self.assertEqual(speedup.by_time([racy], serial).points[0].values, [ratio.low, ratio.value, ratio.high])
        self.assertEqual((float(cell.sort), cell.note.split(",")[0]), (ratio.value, "[0"))

    @unittest.skipUnless("HOGWILD_PROGRAM" in os.environ, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
    def test_speed_ups_and_their_intervals_are_those_that_the_program_writes(self):
        self.assert_as_compared(fake_runs.RESULTS / "reference" / "quickstart")
        noise = random.Random(11)
        for threads, seeds, missing in ((2, 3, 0), (4, 5, 0), (8, 10, 3), (16, 7, 7), (32, 6, 4), (64, 12, 1)):
            for seed in range(1, seeds + 1):
                self.add(RACY, threads, seed, seconds_scale=threads / 8 * math.exp(noise.gauss(0, 0.2)),
                         status=("diverged" if seed % 2 else "interrupted") if seed <= missing else "done")
        for seed in range(1, 13):
            self.add(SERIAL, 1, seed, seconds_scale=math.exp(noise.gauss(0, 0.2)))
        fake_runs.make_summary(self.folder, self.rows)
        self.assert_as_compared(self.folder)

    def assert_as_compared(self, folder):
        subprocess.run([os.environ["HOGWILD_PROGRAM"], "compare", str(folder), "-o", str(self.folder / "out")], check=True, capture_output=True)
        with open(self.folder / "out" / "verdicts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        found = configurations.configurations(read_results([folder]).runs)
        serial, members = configurations.best_serial(found), {frozenset(run.name for run in one.runs): one for one in found}
        self.assertGreater(len(rows), 3)
        for row in rows:
            one = next(one for names, one in members.items() if set(row["runs_b"].split()) <= names)
            ratio = costs.useful_speed_up(serial, one)
            for ours, theirs in zip(ratio, (row["ratio"], row["ratio_high"], row["ratio_low"])):
                self.assertAlmostEqual(ours, costs.turned(float(theirs or "inf")), delta=1e-9 * abs(ours) if ours < math.inf else 0, msg=row["threads"])


if __name__ == "__main__":
    unittest.main()
