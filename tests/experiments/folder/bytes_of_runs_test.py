"""The bytes that a run stores do not grow with the number of runs beside it: all files of its folder, not only its command."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM", "")
DATA = "synthetic:rows=20,features=4,nonzeros=2"
MOST_OF_A_COMMAND = 4096  # bytes; experiments/folder/long_command.h
NUMBERS = 512  # what digits of times and losses may differ by
FEW, MANY = 2, 50
LONG, WRITTEN = 100, 15  # letters of a value that is typed, and as the program writes it
SWEEP = f"""[run]
data = "{DATA}"
no-cache = true
epochs = 1
scheme = "serial"
[axes]
step-size = [STEPS]
[seeds]
final = "1"
"""


def steps(count, letters):
    """Values, each of so many letters."""
    return [f"0.1{number:012d}".ljust(letters, "0") for number in range(1, count + 1)]


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run")
class BytesOfRuns(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def call(self, *words):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def largest(self, name, count):
        """The bytes of the largest folder of a run in NAME, which has `count`."""
        folders = [path for path in (self.folder / name).iterdir() if (path / "manifest.json").is_file()]
        self.assertEqual(len(folders), count)
        return max(sum(path.stat().st_size for path in folder.rglob("*")) for folder in folders)

    def test_those_of_one_command(self):
        stored = {}
        for count in (FEW, MANY):
            self.call("run", "--data", DATA, "--no-cache", "--no-warm-up", "--no-plot", "--quiet", "--epochs", "1", "--scheme", "serial",
                      "--step-size", ",".join(steps(count, LONG)), "-o", str(count))
            stored[count] = self.largest(str(count), count)
        self.assertGreater(len(",".join(steps(MANY, LONG))), MOST_OF_A_COMMAND + NUMBERS, "the values of all would be seen")
        self.assertLessEqual(stored[MANY], stored[FEW] + NUMBERS)

    def test_those_of_a_sweep(self):
        stored = {}
        for count in (FEW, MANY):
            (self.folder / f"{count}.toml").write_text(SWEEP.replace("STEPS", ", ".join(steps(count, WRITTEN))))
            self.call("sweep", f"{count}.toml", "-o", str(count), "--no-report", "--quiet")
            stored[count] = self.largest(str(count), count)
        self.assertGreater(len(",".join(steps(MANY, WRITTEN))), NUMBERS, "the values of all would be seen")
        self.assertLessEqual(stored[MANY], stored[FEW] + NUMBERS)


if __name__ == "__main__":
    unittest.main()
