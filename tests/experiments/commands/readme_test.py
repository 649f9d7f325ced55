"""README's commands run as they stand there, one after the other, in an empty folder: each finds the files that it names.

They run on a hundredth of the samples, for one epoch or as short a budget. What takes minutes only says how long it would take, and what
draws pages is left out."""

import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[3]))
PROGRAM = os.environ.get("HOGWILD_PROGRAM")
CALLED = "build/release/hogwild"
SHORTER = (("rcv1/20", "rcv1/2000"), ("--budget 60s", "--budget 1s"), ("--scheme auto", "--scheme auto --budget 1s"), ("experiments/specs/", f"{ROOT}/experiments/specs/"))
MORE = {"run": ["--no-plot", "--epochs", "1", "--oversubscribe"], "tune": ["--oversubscribe"], "sweep": ["--dry-run"], "info": ["--no-measure"]}
DRAWS = {"report"}
MISSED = 4  # of a target, which one epoch may do


def commands():
    """The words of each command of the block that begins with a conversion."""
    block = re.search(rf"```sh\n({CALLED} data convert.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    return [shlex.split(line, comments=True)[1:] for line in block.replace("\\\n", " ").strip().splitlines()]


def shortened(words):
    line = shlex.join(words)
    for long, short in SHORTER:
        line = line.replace(long, short)
    return [*shlex.split(line), *MORE.get(words[0], [])]


class Readme(unittest.TestCase):
    def test_its_commands_run_one_after_the_other_in_an_empty_folder(self):
        said = commands()
        self.assertGreater(len(said), 15)
        with tempfile.TemporaryDirectory() as scratch:
            environment = {**os.environ, "XDG_CACHE_HOME": scratch, "XDG_DATA_HOME": scratch}
            folder = Path(scratch) / "empty"
            folder.mkdir()
            for words in said:
                if words[0] in DRAWS:
                    continue
                done = subprocess.run([PROGRAM, *shortened(words)], cwd=folder, env=environment, capture_output=True, text=True)
                self.assertIn(done.returncode, (0, MISSED) if words[0] in ("run", "tune") else (0,), f"{shlex.join(words)}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
