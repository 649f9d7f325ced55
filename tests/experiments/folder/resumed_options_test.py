"""Exit 0 of --resume means that all that was asked for is there, whichever option of `hogwild run` is another one than before.

A run ends, or is killed in its middle, and the same command but for one option goes on in its folder. It is refused (exit
code 2), or ends as that command ends in a folder of its own: same code, key, losses and weights.
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from run_options import commands, write_files

PROGRAM = os.environ.get("HOGWILD_PROGRAM")
FAULTS = os.environ.get("HOGWILD_FAULTS")
GRID = ["--problem", "cut", "--data", "synthetic:grid=12x12", "--scheme", "serial", "--epochs", "2", "--resume"]


def run(folder, words, fault=None):
    environment = {**os.environ, "LD_PRELOAD": FAULTS, "HOGWILD_FAULT": fault} if fault else None
    command = [PROGRAM, "run", *words, "--quiet", "--no-warm-up", "--no-cache", "-o", "out"]
    done = subprocess.run([*command, *([] if "--plot" in words else ["--no-plot"])], cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stderr


def result(folder):
    """What was written of the run, but for its clock."""
    of_run = next(path.parent for path in (folder / "out").glob("*/manifest.json"))
    with open(of_run / "trace.csv", newline="") as trace:
        rows = [{name: cell for name, cell in row.items() if "second" not in name} for row in csv.DictReader(trace)]
    manifest = json.loads((of_run / "manifest.json").read_text())
    return {"weights": (folder / "w.npy").read_bytes(), "rows": rows, **{name: manifest[name] for name in ("key", "target", "optimum")}}


def killed(folder, words):
    """Kills the run at a write after which there is a checkpoint; whether it has such a write."""
    for at in (14, 10, 8, 6, 5, 4, 3):
        for old in ("out", "w.npy"):
            shutil.rmtree(folder / old) if (folder / old).is_dir() else (folder / old).unlink(missing_ok=True)
        if run(folder, words, f"kill:{at}")[0] == -signal.SIGKILL and (folder / "out" / "checkpoint").exists():
            return True
    return False


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
class ResumedOptions(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def gone_on(self, name, before, after, begin):
        """Whether the second command is not refused; it then gives what it gives alone."""
        parts = ["--checkpoint", "every 1ms", "--resume", "--save", "w.npy"]
        resumed, alone = self.folder / f"{name}-resumed", self.folder / f"{name}-alone"
        for folder in (resumed, alone):
            folder.mkdir()
            write_files(folder)
        if not begin(resumed, [*before, *parts]):
            return None
        code, said = run(resumed, [*after, *parts])
        if code == 2:
            return False
        self.assertEqual(code, run(alone, [*after, "--save", "w.npy"])[0], said)
        self.assertEqual(result(resumed), result(alone), said)
        return True

    def all_options(self, begin):
        found = {}
        for name, (before, after) in commands().items():
            with self.subTest(option=name):
                found[name] = self.gone_on(name, before, after, begin)
        return found

    def test_a_run_that_has_ended(self):
        found = self.all_options(lambda folder, words: run(folder, words)[0] in (0, 4))
        self.assertGreater(sum(went is False for went in found.values()), 30, found)
        for name in ("positive-class", "test", "target", "optimum", "epochs", "data"):
            self.assertIs(found[name], False, name)

    @unittest.skipUnless(FAULTS, "skipped: no library of faults in this build, as a sanitizer has to be loaded first; to run it: ./tests/run release")
    def test_a_run_that_was_killed(self):
        found = self.all_options(killed)
        self.assertGreater(sum(went is False for went in found.values()), 30, found)
        for name in ("target", "optimum"):
            self.assertIs(found[name], True, name)  # scored anew, of all snapshots

    def test_what_is_written_beside_the_result_of_a_run_that_has_ended(self):
        self.assertEqual(run(self.folder, [*GRID, "--save", "a.pgm"])[0], 0)
        image = (self.folder / "a.pgm").read_bytes()
        self.assertEqual(run(self.folder, [*GRID, "--save", "a.pgm"])[0], 0)
        self.assertEqual(run(self.folder, [*GRID, "--save", "a.pgm", "--grid", "12x12"])[0], 0)
        code, said = run(self.folder, [*GRID, "--save", "a.pgm", "--grid", "9x16"])
        self.assertEqual(code, 2)
        self.assertRegex(said, "what that file holds is not known to be its weights in this form")
        shutil.copy(self.folder / "a.pgm", self.folder / "a.npy")  # what was asked for is no image
        for words in (["--save", "b.pgm"], ["--save", "a.npy"], ["--json"]):
            self.assertEqual(run(self.folder, [*GRID, *words])[0], 2, words)
        self.assertEqual((self.folder / "a.pgm").read_bytes(), image)
        self.assertEqual(run(self.folder, [*GRID, "--tensorboard", "T"])[0], 0)
        self.assertTrue(list((self.folder / "T").rglob("*tfevents*")))
        self.assertEqual(run(self.folder, [*GRID, "--plot"])[0], 0)
        self.assertTrue((self.folder / "out" / "convergence.svg").exists())


if __name__ == "__main__":
    unittest.main()
