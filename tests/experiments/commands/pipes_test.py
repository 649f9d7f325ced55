"""No command waits for a pipe that lies where one of its files is looked for: it says what lies there, or does without."""

import os
import unittest

from predicting import TINY, Predicting

SAMPLES = "".join(f"{'+1' if i % 2 else '-1'} {1 + i % 2}:1 {3 + i % 3}:0.5\n" for i in range(40))
RUN = ("run", "--data", "train.svm", "--scheme", "serial", "--seed", "1", *TINY)
SWEEP = '[run]\ndata = "train.svm"\nepochs = 2\n[axes]\nscheme = ["serial"]\n'


class Pipes(Predicting):
    def setUp(self):
        super().setUp()
        self.write("train.svm", SAMPLES)
        self.write("sweep.toml", SWEEP)

    def ended(self, *words):
        return self.call(*words, timeout=60)

    def test_a_pipe_that_is_named_is_refused(self):
        for name in ("pipe", "pipe.npy", "pipe.bin"):
            os.mkfifo(self.folder / name)
        (self.folder / "results").mkdir()
        os.mkfifo(self.folder / "results" / "summary.csv")
        for words in (("sweep", "pipe"), ("sweep", "pipe", "--dry-run"), ("run", "--data", "pipe", *TINY), ("data", "pipe"),
                      ("data", "check", "pipe"), ("predict", "--model", "pipe.npy", "--data", "train.svm"),
                      ("similarity", "--model", "pipe.bin", "--pairs", "pipe"), (*RUN, "--test", "pipe"), ("compare", "results"),
                      ("report", "results"), ("export", "results", "--tensorboard", "events")):
            with self.subTest(words):
                done = self.ended(*words)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"no regular file|holds no results|cannot be read")

    def test_a_pipe_in_a_run_s_folder_is_not_waited_for(self):
        self.assertEqual(self.ended(*RUN, "-o", "run", "--checkpoint", "every 1s").returncode, 0)
        manifest, = (self.folder / "run").glob("*/manifest.json")
        manifest.unlink()
        os.mkfifo(manifest)
        self.assertIn(self.ended(*RUN, "-o", "run", "--resume").returncode, (0, 2, 74))
        (self.folder / "stopped").mkdir()
        os.mkfifo(self.folder / "stopped" / "checkpoint")
        done = self.ended(*RUN, "-o", "stopped", "--resume")
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("stopped/checkpoint (it is no regular file)", done.stderr)

    def test_a_pipe_in_a_sweep_s_folder_is_not_waited_for(self):
        sweep = ("sweep", "sweep.toml", "-o", "swept", "--no-report")
        self.assertEqual(self.ended(*sweep).returncode, 0)
        names = sorted(str(path.relative_to(self.folder)) for path in (self.folder / "swept").rglob("*") if path.is_file())
        for name in names:
            with self.subTest(name):
                path = self.folder / name
                text = path.read_bytes()
                path.unlink()
                os.mkfifo(path)
                for words in (sweep, ("compare", "swept", "--against", "scheme=serial"), ("sweep", "sweep.toml", "-o", "swept", "--dry-run")):
                    self.ended(*words)  # whatever it says: it ends
                if path.is_fifo():
                    path.unlink()
                    path.write_bytes(text)


if __name__ == "__main__":
    unittest.main()
