"""Laws of cells.py: numbers and durations that people read without an exponent."""

import unittest

import fake_runs  # noqa: F401  puts results/ on the import path
import cells


class Numbers(unittest.TestCase):
    def test_three_digits_and_no_exponent_from_a_thousand_up(self):
        for value, text in ((0.5534, "0.553"), (15.51, "15.5"), (999.4, "999"), (999.5, "1,000"), (1549.7, "1,550"),
                            (123456, "123,000"), (float("inf"), "inf")):
            self.assertEqual(cells.three_digits(value), text)

    def test_durations_switch_to_seconds_at_a_thousand_milliseconds(self):
        for seconds, text in ((0.000389, "0.389 ms"), (0.9994, "999 ms"), (0.9996, "1 s"), (1.0321, "1.03 s"),
                              (1234, "1,230 s")):
            self.assertEqual(cells.duration(seconds), text)

    def test_a_share_of_the_seeds_stands_behind_the_time_unless_it_is_all_or_none(self):
        for seconds, reached, text in ((2.88, 2, "2.88 s (2/3)"), (2.88, 3, "2.88 s"), (float("inf"), 1, "- (1/3)"),
                                       (float("inf"), 0, "-")):
            self.assertEqual(cells.time(seconds, reached, 3), text)


if __name__ == "__main__":
    unittest.main()
