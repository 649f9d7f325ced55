"""Looking for Python's modules runs no code from where one stands, however PYTHONPATH is written: by `setup`, and by CMake."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
MODULES = ("matplotlib", "sitecustomize", "usercustomize")
PATHS = ("", ":", ".", "./:", ":/nowhere")


class Setup(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.mark = self.folder / "was-run"
        for name in MODULES:
            (self.folder / f"{name}.py").write_text(f"open({str(self.mark)!r}, 'a').write('{name} ')\n")
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in ("apt-get", "sudo"):  # nothing is installed
            (self.programs / name).write_text("#!/bin/sh\nexit 1\n")
            (self.programs / name).chmod(0o755)

    def check(self, *words):
        for value in PATHS:
            with self.subTest(PYTHONPATH=value):
                subprocess.run(words, cwd=self.folder, capture_output=True, check=False,
                               env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "PYTHONPATH": value})
                self.assertFalse(self.mark.exists(), self.mark.read_text() if self.mark.exists() else "")

    def test_setup_runs_nothing_of_the_current_folder(self):
        self.check(ROOT / "experiments" / "setup", "--needed")

    @unittest.skipUnless(shutil.which("cmake"), "skipped: cmake is not there; to run it: ./experiments/setup")
    def test_cmake_runs_nothing_of_the_current_folder(self):
        text = (ROOT / "tests" / "python.cmake").read_text()
        function = re.search(r"(?ms)^function\(hogwild_has_matplotlib .*?^endfunction\(\)\n", text)[0]
        script = self.programs / "look.cmake"
        script.write_text(f"set(found TRUE)\n{function}hogwild_has_matplotlib(found python3)\nmessage(STATUS found=${{found}})\n")
        self.check("cmake", "-P", script)


if __name__ == "__main__":
    unittest.main()
