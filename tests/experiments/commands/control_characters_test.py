"""What is printed for people holds no control character of a name or of a file: no terminal is moved, coloured or renamed by it."""

import unittest

from predicting import TINY, Predicting

SAMPLES = "".join(f"{'+1' if i % 2 else '-1'} {1 + i % 2}:1 {3 + i % 3}:0.5\n" for i in range(40))
ODD = "t\x1b]0;mine\x07\x9b31m.svm"
SWEEP = f'[run]\ndata = {ODD!r}\nepochs = 2\n[axes]\nscheme = ["serial"]\n'.replace("'", '"').replace("\\x1b", "\\u001b").replace(
    "\\x07", "\\u0007").replace("\\x9b", "\\u009b")


class ControlCharacters(Predicting):
    def test_no_command_prints_one(self):
        self.write(ODD, SAMPLES)
        self.write("sweep.toml", SWEEP)
        run = ("run", "--data", ODD, "--scheme", "serial", *TINY)
        for words in ((*run, "-o", "a\x1b[1m", "--save", "w\x1b[1m.npy"), (*run, "-o", "b", "--seed", "1,2"), ("data", ODD),
                      ("data", "check", ODD), ("data", "convert", ODD, "converted\x1b[1m", "--no-cache"),
                      ("predict", "--model", "w\x1b[1m.npy", "--data", ODD, "--no-cache"), ("compare", "a\x1b[1m", "b", "--metric", "updates-per-second"),
                      ("sweep", "sweep.toml", "--dry-run"), ("export", "a\x1b[1m", "--mlflow", "flow\x1b[1m"), ("report", "a\x1b[1m"),
                      ("data", "fetch", "-o", "f\x1b[1m"), ("tune", "--data", ODD, "--budget", "0.2s")):
            with self.subTest(words):
                done = self.call(*words)
                self.assertIn(done.returncode, (0, 4), done.stderr)
                self.assertFalse(set("\x1b\x07\x9b") & set(done.stdout + done.stderr))


if __name__ == "__main__":
    unittest.main()
