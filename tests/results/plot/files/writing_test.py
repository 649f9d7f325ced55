"""Laws of what scripts write: a full disk is exit status 74 and a sentence, and costs no file that was there before."""

import pickle
import resource
import signal
import subprocess
import sys
import unittest

import fake_runs
from plot.files import writing
from plot.files.errors import NotWritten, ResultsError
from scratch import Scratch

REPORT, PLOT = fake_runs.RESULTS / "report" / "report.py", fake_runs.RESULTS / "plot" / "plot.py"
RACY = ("hogwild", "racy", "none")


def no_file_longer_than(length):
    """Before a program starts: what a disk does that is full."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (length, length))
    return limit


class Writing(Scratch):
    def setUp(self):
        super().setUp()
        self.folder = self.folder / "first"
        self.folder.mkdir()

    def make(self, *names):
        fake_runs.make_summary(self.folder, [fake_runs.make_run(self.folder, f"{place}", RACY, 2, data=name, epochs=1)
                                             for place, name in enumerate(names)])

    def call(self, *command, longest=None):
        return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=120,
                              preexec_fn=no_file_longer_than(longest) if longest else None)

    def files(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def check_that_nothing_was_lost(self, before, *command, longest=None, words):
        done = self.call(*command, longest=longest)
        self.assertEqual((done.returncode, done.stdout), (74, ""), done.stderr)
        self.assertRegex(done.stderr, rf"^{'hogwild: ' if command[0] == REPORT else ''}\S*{words}: cannot be written \(.+\); check the disk and the folder's permissions\n$")
        after = self.files()
        self.assertEqual([path for path in after if ".partial" in path.name], [])
        self.assertEqual({path: after.get(path) for path in before}, before)

    def test_a_page_that_does_not_fit_leaves_the_earlier_one_whole(self):
        self.make("a")
        (self.folder / "sweep.toml").write_text(f"# {'long ' * 100_000}\n")  # longer than any figure
        self.assertEqual(self.call(REPORT, self.folder).returncode, 0)
        before = self.files()
        largest = max(len(content) for path, content in before.items() if path.parent.name == "figures")
        self.assertGreater(len(before[self.folder / "report.html"]), largest)
        self.check_that_nothing_was_lost(before, REPORT, self.folder, longest=largest, words=r"report\.html")

    def test_a_figure_that_does_not_fit_ends_the_report_from_a_process_of_its_own_too(self):
        within = self.folder
        for names in (("a",), ("a", "b", "c")):  # several data sets are drawn at once
            self.folder = within / f"{len(names)}"
            self.folder.mkdir()
            self.make(*names)
            (self.folder / "report.html").write_text("earlier")
            self.check_that_nothing_was_lost(self.files(), REPORT, self.folder, longest=2000, words=r"figures/[a-z0-9-]+\.png")

    def test_a_form_of_a_figure_that_does_not_fit_leaves_the_earlier_one_whole(self):
        self.make("a")
        self.assertEqual(self.call(PLOT, self.folder).returncode, 0)
        forms = sorted((path for path in self.files() if path.stem == "convergence"), key=lambda path: path.stat().st_size)
        longest = forms[-1].stat().st_size - 1
        forms[-1].write_bytes(b"earlier")
        self.check_that_nothing_was_lost({forms[-1]: b"earlier"}, PLOT, self.folder, longest=longest, words=forms[-1].name)

    def test_a_folder_that_cannot_be_made_is_exit_74(self):
        self.make("a")
        place = self.folder / "file"
        place.write_text("in the way")
        self.check_that_nothing_was_lost(self.files(), PLOT, self.folder, "--out", place / "inside", words="inside")
        (self.folder / "figures").write_text("in the way")
        self.check_that_nothing_was_lost(self.files(), REPORT, self.folder, words="figures")

    def test_a_file_gets_its_name_when_it_is_whole(self):
        path = self.folder / "page"
        path.write_text("earlier")
        with self.assertRaises(ValueError), writing.whole(path) as partial:
            partial.write_text("half")
            raise ValueError
        self.assertEqual(self.files(), {path: b"earlier"})
        with writing.whole(path) as partial:
            partial.write_text("whole")
            self.assertEqual(path.read_text(), "earlier")
        self.assertEqual(self.files(), {path: b"whole"})

    def test_an_error_comes_whole_from_another_process(self):
        for kind, status in ((ResultsError, 1), (NotWritten, 74)):
            error = pickle.loads(pickle.dumps(kind("what", "why", "try")))
            self.assertEqual((type(error), str(error), error.exit_status), (kind, "what (why); try", status))


if __name__ == "__main__":
    unittest.main()
