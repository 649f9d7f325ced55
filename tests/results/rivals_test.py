"""Laws of the table of rivals.py."""

import subprocess
import sys
import tempfile
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

    def test_what_is_no_table_of_rivals_is_refused_by_file_and_line(self):
        text = (fake_runs.RESULTS / "reference" / "rivals-16-cores" / "synthetic-rcv1-small-steps.csv").read_text()
        header, *rows = text.splitlines()
        names = header.split(",")
        wrong = lambda name, value: "\n".join([header, rows[0], ",".join(value if of == name else cell for of, cell in zip(names, rows[1].split(","))), *rows[2:], ""])
        for damaged, why in ((wrong("threads", "many"), r"3: threads: 'many' is not a number"), (wrong("tuned_at", "0"), r"3: tuned_at: '0'"),
                             (wrong("updates", "x"), "3: updates: 'x' is not a number"), (header + "\n", " has no serial run"),
                             (text.replace("updates_to_target", "later"), "1: column 'updates_to_target' is missing"), ("", " no header")):
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                file.write(damaged)
                file.flush()
                done = subprocess.run([sys.executable, rivals.__file__, file.name], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, rf"^{file.name}:?{why}.* \(.+\); .+\n$")


if __name__ == "__main__":
    unittest.main()
