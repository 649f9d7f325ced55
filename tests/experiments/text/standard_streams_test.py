"""No line that is meant for people reaches a file of results, and none that cannot be written ends the program."""

import csv
import fcntl
import os
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM")
DATA = "synthetic:rows=60,features=20,nonzeros=4"
RUN = ["run", "--data", DATA, "--scheme", "serial", "--epochs", "2", "--no-plot", "--no-warm-up", "-o", "out"]
SWEEP = f'[run]\ndata = "{DATA}"\nepochs = 2\n[axes]\nscheme = ["serial", "minibatch"]\n[seeds]\nfinal = "1..2"\n'
MISSING = ["run", "--data", "nowhere.svm", "--scheme", "serial"]


class StandardStreams(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "sweep.toml").write_text(SWEEP)

    def call(self, words, redirected):
        """The exit code of the program with streams as a shell writes them: ">&-"."""
        return subprocess.run(["sh", "-c", f'exec "$0" "$@" {redirected}', PROGRAM, *words], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def full_device(self):
        """A node of this test that takes no byte, as a full disk does."""
        node = self.folder / "full"
        try:
            os.mknod(node, 0o600 | stat.S_IFCHR, os.makedev(1, 7))
            os.close(os.open(node, os.O_WRONLY))
        except OSError as error:
            self.skipTest(f"skipped: no device can be made here ({error.strerror}); to run it: be root, on a file system that has devices")
        return node.name

    def rows(self, folder="out"):
        with open(self.folder / folder / "summary.csv", newline="") as file:
            return list(csv.reader(file))

    def test_with_closed_streams_files_hold_what_they_hold_otherwise(self):
        for redirected in (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(redirected):
                self.assertEqual(self.call([*RUN[:-1], redirected], redirected), 0)
                header, *runs = self.rows(redirected)
                self.assertEqual([len(run) for run in runs], [len(header)])

    def test_a_sweep_with_closed_streams_goes_on(self):
        sweep = ["sweep", "sweep.toml", "-o", "swept", "--no-report"]
        self.assertEqual(self.call(sweep, "<&- >&- 2>&-"), 0)
        for line in (self.folder / "swept" / "journal").read_text().splitlines():
            self.assertRegex(line, r"^[0-9a-f]{16} \{.*\}$")
        self.assertEqual(self.call(sweep, ""), 0)
        self.assertEqual(len(self.rows("swept")), 1 + 4)

    def test_a_full_disk_behind_standard_error_costs_its_lines_alone(self):
        full = self.full_device()
        self.assertEqual(self.call([*RUN, "--save", "w.npy"], f"2>{full}"), 0)
        self.assertEqual(len(self.rows()), 2)
        self.assertTrue((self.folder / "w.npy").exists())
        self.assertEqual(self.call(MISSING, f"2>{full}"), 69)
        self.assertEqual(self.call(["sweep", "sweep.toml", "-o", "swept", "--no-report"], f"2>{full}"), 0)

    def test_a_full_disk_behind_standard_output_is_said_once_everything_is_saved(self):
        full = self.full_device()
        self.assertEqual(self.call([*RUN, "--save", "w.npy"], f">{full}"), 74)
        self.assertEqual(len(self.rows()), 2)
        self.assertTrue((self.folder / "w.npy").exists())
        self.assertEqual(self.call([*RUN[:-1], "lines", "--json", "--seed", "1..3"], f">{full}"), 74)
        self.assertEqual(len(self.rows("lines")), 1 + 3)

    def test_a_pipe_that_does_not_block_gets_all(self):
        words = [PROGRAM, "schema"]
        whole = subprocess.run(words, capture_output=True).stdout
        ends, size = os.pipe(), 4096
        fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, size)
        os.set_blocking(ends[1], False)
        self.assertGreater(len(whole), size)
        process = subprocess.Popen(words, stdout=ends[1])
        os.close(ends[1])
        with open(ends[0], "rb") as reader:
            self.assertEqual(reader.read(), whole)
        self.assertEqual(process.wait(), 0)

    def test_a_reader_who_leaves_costs_no_result(self):
        command = f"\"$0\" {' '.join(RUN)} --json --seed 1..3 | true"
        subprocess.run(["bash", "-c", command, PROGRAM], cwd=self.folder, stderr=subprocess.DEVNULL)
        self.assertEqual(len(self.rows()), 1 + 3)


if __name__ == "__main__":
    unittest.main()
