"""No code is run from where one stands: neither a program nor a module of that folder, however PATH and PYTHONPATH are written."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM", "")
RUN = ("run", "--data", "synthetic:rows=60,features=20,nonzeros=4", "--scheme", "serial", "--epochs", "2", "--no-warm-up")
MODULES = ("matplotlib", "numpy", "sitecustomize", "usercustomize", "re", "csv", "json", "importlib", "encodings", "plot", "os")


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
class Neighbours(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.mark = self.folder / "was-run"
        for name in MODULES:
            (self.folder / f"{name}.py").write_text(f"open({str(self.mark)!r}, 'a').write('{name} ')\n")
        for name in ("python3", "python", "sh", "env"):
            (self.folder / name).write_text(f"#!/bin/sh\necho {name} >>{self.mark}\n")
            (self.folder / name).chmod(0o755)

    def call(self, *words, **environment):
        home = {"HOME": str(self.folder / "nowhere"), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, **home, **environment})

    def test_nothing_of_the_current_folder_is_run(self):
        path = os.environ["PATH"]
        odd = {"PATH": f".:./:{path}:", "PYTHONPATH": ".:./::"}
        for words, environment in (((*RUN, "-o", "out"), odd),
                                   (("export", "out", "--tensorboard", "odd"), odd),
                                   (("export", "out", "--tensorboard", "empty"), {"PATH": f":{path}", "PYTHONPATH": ""})):
            with self.subTest(words):
                done = self.call(*words, **environment)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertFalse(self.mark.exists(), self.mark.read_text() if self.mark.exists() else "")
        self.assertTrue(list((self.folder / "out").rglob("*.png")))

    def test_a_copy_of_the_program_runs_nothing_of_the_folder_beside_its_own(self):
        self.assertEqual(self.call(*RUN, "--no-plot", "-o", "out").returncode, 0)
        script = self.folder / "share" / "hogwild" / "report" / "report.py"
        script.parent.mkdir(parents=True)
        script.write_text(f"open({str(self.mark)!r}, 'w').write('report')\n")
        copy = self.folder / "elsewhere" / "hogwild"
        copy.parent.mkdir()
        shutil.copy(PROGRAM, copy)
        done = subprocess.run([copy, "report", "out"], capture_output=True, text=True, cwd=self.folder)
        self.assertFalse(self.mark.exists())
        self.assertEqual(done.returncode, 69, done.stderr)


if __name__ == "__main__":
    unittest.main()
