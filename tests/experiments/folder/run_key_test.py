"""What tells runs apart: for every option of `hogwild run`, two values that give other results give other keys.

Both values of an option run in folders of their own. A result is the weights, and the trace but for its clock.
"""

import csv
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from run_options import CASES, FLAGS, FREE, WHY_FREE, commands, write_files

PROGRAM = os.environ.get("HOGWILD_PROGRAM")

def outcome(folder, words):
    """(result, key) of a run, or what it says where it does not run."""
    command = [PROGRAM, "run", *words, "--no-plot", "--quiet", "--no-warm-up", "--no-cache", "-o", "out", "--save", "w.npy"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 4):  # 4: the target was missed
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    run = next(path.parent for path in (folder / "out").glob("*/manifest.json"))
    with open(run / "trace.csv", newline="") as trace:
        rows = [{name: cell for name, cell in row.items() if "second" not in name} for row in csv.DictReader(trace)]
    manifest = json.loads((run / "manifest.json").read_text())
    return ((folder / "w.npy").read_bytes(), rows, manifest["target"], manifest["optimum"]), manifest["key"]


class RunKey(unittest.TestCase):
    def both(self, one, other):
        found = []
        for words in (one, other):
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch)
                write_files(folder)
                found.append(outcome(folder, words))
        return found

    def test_every_option_is_tried_or_has_a_reason(self):
        text = subprocess.run([PROGRAM, "run", "--help"], capture_output=True, text=True, check=True).stdout
        options = set(re.findall(r"(?m)^  (?:-\w,)?--([a-z0-9-]+)", text))
        self.assertEqual(options, set(CASES) | set(FLAGS) | set(WHY_FREE))
        self.assertLessEqual(set(WHY_FREE.values()), set(FREE))

    def test_other_results_have_other_keys(self):
        differing = []
        for name, pair in commands().items():
            with self.subTest(option=name):
                (one, key_of_one), (other, key_of_other) = self.both(*pair)
                if one != other:
                    differing.append(name)
                    self.assertNotEqual(key_of_one, key_of_other)
        self.assertGreater(len(differing), 40, "most values have to matter, or this tells nothing")
        for name in ("positive-class", "real-labels", "test", "split-seed", "min-count", "similarity", "analogies", "target", "optimum"):
            self.assertIn(name, differing)

    def test_a_run_that_has_ended_is_no_other_ones_result(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            write_files(folder)

            def run(*words):
                command = [PROGRAM, "run", "--data", "c3.svm", "--scheme", "serial", "--epochs", "5", "-o", "R", "--no-plot", "--quiet", *words]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                return done.returncode, done.stderr

            self.assertEqual(run("--positive-class", "1", "--checkpoint", "every 1s")[0], 0)
            self.assertEqual(run("--positive-class", "1", "--resume")[0], 0)
            for more in (["--positive-class", "3"], ["--positive-class", "1", "--test", "other.svm"],
                         ["--positive-class", "1", "--target", "0.1"], ["--positive-class", "1", "--optimum", "--l2", "0.1"],
                         ["--positive-class", "1", "--save", "w.npy"], ["--positive-class", "1", "--json"]):
                code, said = run(*more, "--resume")
                self.assertEqual(code, 2, f"{more}: {said}")
                self.assertFalse((folder / "w.npy").exists())


if __name__ == "__main__":
    unittest.main()
