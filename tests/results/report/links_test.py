"""A page shows what lies in the folder of results, and nothing that a link there leads to; a pipe there is not waited for."""

import io
import os
import unittest
from contextlib import redirect_stdout
from unittest import mock

import fake_runs
from plot.files.errors import NotWritten, ResultsError
from plot.files.manifests import read_manifest
from plot.files.tables import read_text
from report import environment, figures
from report import report as program
from scratch import Scratch

COPIED = ("sweep.toml", "choices.csv", "verdicts.csv", "speedup.csv")


class Links(Scratch):
    def setUp(self):
        super().setUp()
        self.beside, self.folder = self.folder, self.folder / "results"
        self.folder.mkdir()
        fake_runs.make_results(self.folder, threads=(1,))
        self.secret = self.beside / "secret"
        self.secret.write_text("a,b\nhidden elsewhere,1\n")

    def page(self):
        nothing = mock.Mock(return_value=[])
        with redirect_stdout(io.StringIO()), mock.patch.multiple(figures, draw_all=nothing, draw_across_sets=nothing, draw_across_delays=nothing):
            program.main([str(self.folder)])
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def test_a_linked_file_is_not_copied_into_the_page_which_says_so(self):
        for name in COPIED:
            (self.folder / name).symlink_to(self.secret)
        page = self.page()
        self.assertNotIn("hidden elsewhere", page)
        self.assertIn("it is a link, which is not followed", page)

    def test_a_link_in_place_of_the_folder_of_figures_is_refused_and_its_target_stays_empty(self):
        elsewhere = self.beside / "elsewhere"
        elsewhere.mkdir()
        (self.folder / "figures").symlink_to(elsewhere)
        (self.folder / "report.html").write_text("earlier")
        with self.assertRaisesRegex(NotWritten, "figures: cannot be written .it is a link, which is not followed"):
            self.page()
        self.assertEqual(list(elsewhere.iterdir()), [])
        self.assertEqual((self.folder / "report.html").read_text(), "earlier")

    def test_the_same_file_itself_is_shown(self):
        (self.folder / "sweep.toml").write_text("# hidden elsewhere\n")
        self.assertIn("hidden elsewhere", self.page())

    def test_a_pipe_is_not_waited_for(self):
        for name in COPIED:
            os.mkfifo(self.folder / name)
        self.page()
        pipe = self.folder / "pipe.json"
        os.mkfifo(pipe)
        for read in (read_text, read_manifest):
            with self.assertRaisesRegex(ResultsError, "no regular file"):
                read(pipe)
        self.assertIsNone(environment.text_file(pipe))

    def test_a_link_where_the_page_is_written_is_not_followed(self):
        (self.folder / ".report.html.partial").symlink_to(self.secret)
        self.page()
        self.assertIn("hidden elsewhere", self.secret.read_text())
        self.assertFalse((self.folder / "report.html").is_symlink())


if __name__ == "__main__":
    unittest.main()
