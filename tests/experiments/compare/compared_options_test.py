"""What `compare` pairs: for every option of `hogwild run`, two values that give other results are refused as a pair, or named.

Both values of an option run in folders of their own, which are compared. A verdict on two results that differ names the option in
its first line, or says that it cannot be judged.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "folder"))
from run_options import commands, write_files  # noqa: E402

PROGRAM = os.environ.get("HOGWILD_PROGRAM")
NO_RESULT = {"optimality_bound"}  # how far a loss is from F*, which `--optimum` asks for: it changes no step, and no time that all have
# These may differ between two folders, since each side may have been tuned; `compare --help` says so.
TUNED = {"step-size", "step-scale", "decay", "batch", "exchange"}


def outcome(folder, words, output):
    """What a run computed, and its target."""
    command = [PROGRAM, "run", *words, "--no-plot", "--quiet", "--no-warm-up", "--no-cache", "-o", output, "--save", f"{output}.npy"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 4):  # 4: the target was missed
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    run = next(path.parent for path in (folder / output).glob("*/manifest.json"))
    with open(run / "trace.csv", newline="") as trace:
        rows = [{name: cell for name, cell in row.items() if "second" not in name and name not in NO_RESULT} for row in csv.DictReader(trace)]
    return (folder / f"{output}.npy").read_bytes(), rows, json.loads((run / "manifest.json").read_text())["target"]


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
class ComparedOptions(unittest.TestCase):
    def compared(self, name, pair):
        """(whether results differ, the exit code, what is printed) of a comparison."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            write_files(folder)
            results = [outcome(folder, words, output) for words, output in zip(pair, ("a", "b"))]
            metric = "time-to-target" if name == "target" else "updates-per-second"
            done = subprocess.run([PROGRAM, "compare", "a", "b", "--metric", metric], cwd=folder, capture_output=True, text=True)
            return results[0] != results[1], done.returncode, done.stdout + done.stderr

    def test_no_verdict_is_silent_about_an_option_that_gives_another_result(self):
        paired = set()
        for name, pair in commands().items():
            with self.subTest(option=name):
                differs, code, said = self.compared(name, pair)
                self.assertIn(code, (0, 2), said)
                if not differs or code == 2 or name in TUNED:
                    continue
                paired.add(name)
                self.assertTrue(f"--{name} " in said.splitlines()[0] or "the two had different targets" in said, said)
        self.assertLessEqual({"half-life", "plateau", "observe", "int8-range", "target"}, paired)

    def test_those_that_may_differ_are_those_that_the_help_names(self):
        text = subprocess.run([PROGRAM, "compare", "--help"], capture_output=True, text=True, check=True).stdout
        listed = re.search(r"between two folders (.*?) may differ", " ".join(text.split()))[1]
        for name in TUNED - {"step-scale"}:
            self.assertIn(name.replace("-", " "), listed)


if __name__ == "__main__":
    unittest.main()
