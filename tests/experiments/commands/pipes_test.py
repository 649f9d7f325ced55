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

    def damages(self, path):
        """What else may lie where a file was: of each its name, while it lies there."""
        text, other = path.read_bytes(), self.folder / "other"
        makers = {"pipe": lambda: os.mkfifo(path), "folder": path.mkdir, "link to nothing": lambda: path.symlink_to(other),
                  "link to itself": lambda: path.symlink_to(path.name),
                  "link to a pipe": lambda: (os.mkfifo(other), path.symlink_to(other)),
                  "link to a folder": lambda: (other.mkdir(), path.symlink_to(other))}
        for name, make in makers.items():
            path.unlink()
            make()
            yield name
            for each in (path, other):
                if each.is_dir() and not each.is_symlink():
                    each.rmdir()
                else:
                    each.unlink(missing_ok=True)
            path.write_bytes(text)

    def test_whatever_lies_in_a_run_s_folder_no_command_waits_and_no_results_are_lost(self):
        made = ("run", "--data", "train.svm", "--scheme", "serial", *TINY, "--target", "0.5", "-o", "made")
        self.assertIn(self.ended(*made, "--seed", "1..2").returncode, (0, 4))
        first = next((self.folder / "made").glob("1-*/trace.csv")).parent
        kept = {path: path.read_bytes() for path in (self.folder / "made").glob("2-*/*")}
        for path in (self.folder / "made" / "summary.csv", first / "manifest.json", first / "trace.csv"):
            for name in self.damages(path):
                with self.subTest(f"{path.name}: {name}"):
                    resumed = self.ended(*made, "--seed", "1", "--resume")
                    self.assertIn(resumed.returncode, (2, 74), resumed.stderr)
                    self.assertIn(self.ended(*made, "--seed", "1").returncode, (2, 74))
                    self.assertIn(self.ended("compare", "made").returncode, (0, 2, 69, 74))
                    if name.endswith(("pipe", "folder")):
                        self.assertIn(self.ended("export", "made", "--tensorboard", "events", "--overwrite").returncode, (0, 1, 69))
                    self.assertTrue(os.path.lexists(path))
        self.assertEqual({path: path.read_bytes() for path in kept}, kept)

    def test_a_report_says_what_it_could_not_read(self):
        made = ("run", "--data", "train.svm", "--scheme", "serial", *TINY, "--seed", "1..2", "-o", "made")
        self.assertEqual(self.ended(*made).returncode, 0)
        for name in ("1-*/manifest.json", "2-*/trace.csv"):
            path = next((self.folder / "made").glob(name))
            path.unlink()
            os.mkfifo(path)
        self.assertEqual(self.ended("report", "made").returncode, 0)
        self.assertEqual((self.folder / "made" / "report.html").read_text().count("cannot be read (it is no regular file)"), 2)

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
