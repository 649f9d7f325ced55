"""Laws of the table of rivals.py."""

import unittest

import fake_runs  # noqa: F401  puts results/ on the import path
import rivals


class Cells(unittest.TestCase):
    def test_a_share_of_the_seeds_stands_behind_the_time(self):
        cell = {"reached": {"target": 2}, "seconds": {"target": 2.88}, "runs": 3}
        self.assertEqual(rivals.time(cell, "target"), "2.88 s (2/3)")


if __name__ == "__main__":
    unittest.main()
