"""`tests/run PATH` finds tests that came after CMake looked: it makes CMake look again, and else does not.

Programs of that name stand for cmake and ctest. The tests that ctest lists are those that lay there when cmake ran last.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
CMAKE = """#!/usr/bin/env bash
[ "$1" = --build ] && exit
echo configured >>calls
(cd tests && find . -name '*_test.py' | sed 's,^./,  Test #1: ,; s,_test.py$,,') >known
touch build/release/build.ninja
"""
CTEST = """#!/usr/bin/env bash
case "$*" in
*-N*) cat known ;;
*) echo "$*" >ran; mkdir -p build/release/Testing/Temporary; touch build/release/Testing/Temporary/LastTest.log
   echo '100% tests passed, 0 tests failed out of 1' ;;
esac
"""


class Run(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.tree = Path(holder.name)
        for folder in ("bin", "tests/tree", "build/release"):
            (self.tree / folder).mkdir(parents=True)
        shutil.copy(ROOT / "tests" / "run", self.tree / "tests" / "run")
        for name, text in (("cmake", CMAKE), ("ctest", CTEST)):
            (self.tree / "bin" / name).write_text(text)
            (self.tree / "bin" / name).chmod(0o755)
        self.add("old")
        self.call("cmake", "--preset", "release")

    def call(self, *words):
        path = f"{self.tree / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(words, cwd=self.tree, env={**os.environ, "PATH": path}, capture_output=True, text=True)

    def add(self, name):
        """A test, after all that CMake has seen."""
        (self.tree / "tests" / "tree" / f"{name}_test.py").touch()
        later = os.stat(self.tree / "tests" / "tree").st_mtime + 2
        os.utime(self.tree / "tests" / "tree", (later, later))

    def ran(self, path):
        (self.tree / "calls").unlink(missing_ok=True)
        done = self.call("tests/run", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return (self.tree / "ran").read_text(), (self.tree / "calls").exists()

    def settle(self):
        os.utime(self.tree / "tests" / "tree", (0, 0))

    def test_a_known_test_runs_as_it_is(self):
        self.settle()
        ran, configured = self.ran("tests/tree/old_test.py")
        self.assertIn("(tree/old)", ran)
        self.assertFalse(configured)

    def test_a_new_test_is_found(self):
        self.add("new")
        ran, configured = self.ran("tests/tree/new_test.py")
        self.assertIn("(tree/new)", ran)
        self.assertTrue(configured)

    def test_a_new_test_of_a_known_folder_is_found(self):
        self.add("new")
        ran, configured = self.ran("tests/tree")
        self.assertIn("tree/new", ran)
        self.assertIn("tree/old", ran)
        self.assertTrue(configured)
        self.settle()
        self.assertFalse(self.ran("tests/tree")[1])

    def test_what_is_not_there_is_refused(self):
        done = self.call("tests/run", "tests/tree/never_test.py")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no test is of tests/tree/never_test.py", done.stderr)


if __name__ == "__main__":
    unittest.main()
