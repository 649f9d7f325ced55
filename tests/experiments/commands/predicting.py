"""A folder in which tests call the program to train and to predict."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM", "")
TINY = ("--no-plot", "--no-cache", "--no-warm-up", "--epochs", "3", "--quiet")


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
class Predicting(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def call(self, *words, **options):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, **options)

    def predict(self, model="w.npy", data="test.svm", *words):
        done = self.call("predict", "--model", model, "--data", data, "--no-cache", "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, code, part, *words):
        done = self.call(*words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(part, done.stderr)
