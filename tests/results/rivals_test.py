"""Laws of the table of rivals.py."""

import subprocess
import sys
import unittest

import fake_runs  # noqa: F401  puts results/ on the import path
import rivals


class Cells(unittest.TestCase):
    def test_a_share_of_the_seeds_stands_behind_the_time(self):
        cell = {"reached": {"target": 2}, "seconds": {"target": 2.88}, "runs": 3}
        self.assertEqual(rivals.time(cell, "target"), "2.88 s (2/3)")

    def test_a_file_that_is_not_there_is_exit_69_with_advice(self):
        done = subprocess.run([sys.executable, rivals.__file__, "no-such.csv"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertRegex(done.stderr, r"^no-such\.csv: .+ \(.+\); .+\n$")


if __name__ == "__main__":
    unittest.main()
