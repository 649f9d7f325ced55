"""Laws of exports: names stay names, and an export is there whole or not at all."""

import io
import os
import re
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

import exported_folder
import fake_runs
from exported_folder import RACY, SERIAL, program
from plot.files.errors import ResultsError

HOSTILE = ("../../outside", "/etc/passwd", "a\nb\r\nc", "\x00\x1b[31m\x85\u2028", "\": {x: [", "'#%@`!&*", "\u202eevil", "NA", "nan", "-inf",
           "1_000", "007", "x" * 9000)


class Names(exported_folder.Exported):
    def test_a_hostile_name_makes_no_file_and_no_line(self):
        rows = []
        for number, name in enumerate(HOSTILE):
            row = fake_runs.make_run(self.folder, f"{number}-" + re.sub(r"[/\0]", "_", name)[:200], RACY, 2, data=name)
            rows.append(row | {"status": "failed", "reason": name, name: 1.0})
        header = fake_runs.SUMMARY + list(HOSTILE)
        fake_runs.write_table(self.folder / "summary.csv", header, [dict.fromkeys(HOSTILE, "") | row for row in rows])
        before = {path for path in self.scratch.rglob("*") if path.is_file()}
        self.call("--mlflow", self.scratch / "ml", "--tensorboard", self.scratch / "tb")
        for path in {path for path in self.scratch.rglob("*") if path.is_file()} - before:
            self.assertIn(path.relative_to(self.scratch).parts[0], ("ml", "tb"))
        for folder in self.stored().values():
            for path in [*(folder / "params").iterdir(), *(folder / "tags").iterdir(), *(folder / "metrics").iterdir()]:
                self.assertRegex(path.name, r"^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,249}$")
            for path in [*(folder / "params").iterdir(), *(folder / "tags").iterdir()]:
                text = path.read_text(encoding="utf-8")
                self.assertTrue(text.isprintable() and 0 < len(text) <= 500, repr(text))
        self.assertEqual(len(self.stored()), len(rows))
        self.assertIn("../../outside", {(folder / "params" / "data").read_text() for folder in self.stored().values()})
        for row in rows:
            self.assertIsInstance(self.events(row["run"]).hyperparameters["data"], str)

    def test_a_name_that_two_runs_have_is_an_error(self):
        row = fake_runs.make_run(self.folder, "one", RACY, 2)
        fake_runs.make_summary(self.folder, [row, row])
        self.refused(1, "run 'one' stands twice", "--mlflow", self.scratch / "ml")

    def test_numbers_that_no_run_wrote_are_an_error(self):
        row = fake_runs.make_run(self.folder, "one", RACY, 2)
        fake_runs.make_summary(self.folder, [row])
        whole = self.trace("one")
        for column, value in (("updates", ""), ("updates", -1), ("updates", 2**63), ("seconds", ""), ("seconds", "inf")):
            fake_runs.write_table(self.folder / "one" / "trace.csv", fake_runs.TRACE, [*whole[:-1], whole[-1] | {column: value}])
            self.refused(1, "no run wrote this", "--tensorboard", self.scratch / "tb")
            self.assertFalse((self.scratch / "tb").exists())


class WholeOrNotAtAll(exported_folder.Exported):
    def setUp(self):
        super().setUp()
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL, RACY))
        self.both = ("--tensorboard", self.scratch / "tb", "--mlflow", self.scratch / "ml")

    def write_that_fails(self, after):
        """Replaces Path.open, through which all that is exported goes, so that it fails after so many files."""
        whole, count = io.open, [0]

        def failing(file, mode="r", *rest, **options):
            if set(mode) & set("wxa"):
                count[0] += 1
                if count[0] > after:
                    raise OSError(28, "No space left on device", str(file))
            return whole(file, mode, *rest, **options)
        return mock.patch("io.open", failing), count

    def test_a_write_that_fails_leaves_nothing_half_written(self):
        inputs, after = self.tree(self.folder), 0
        while True:
            patch, count = self.write_that_fails(after)
            try:
                with patch:
                    self.call("--mlflow", self.scratch / "ml")
                break
            except ResultsError as error:
                self.assertEqual(error.exit_status, 74)
            self.assertEqual([path.name for path in self.scratch.iterdir()], ["first"])
            after += 1
        self.assertGreater(after, 50)
        self.assertEqual(self.tree(self.folder), inputs)

    def test_an_export_that_holds_the_results_is_not_replaced_by_one_of_them(self):
        outer = self.scratch / "outer"
        self.call("--mlflow", outer)
        self.folder = self.folder.rename(outer / "results")
        before = self.tree(outer)
        for form in ("--mlflow", "--tensorboard"):
            self.refused(2, "which is read, lies in it", form, outer, "--overwrite")
        self.assertEqual(self.tree(outer), before)

    def test_an_export_is_its_users_alone(self):
        self.call("--tensorboard", self.scratch / "deep" / "tb", "--mlflow", self.scratch / "ml")
        for folder in ("deep", "deep/tb", "ml"):
            self.assertEqual((self.scratch / folder).stat().st_mode & 0o777, 0o700, folder)

    def test_what_a_link_leads_to_is_not_exported(self):
        run = next(path.parent for path in self.folder.glob("*/trace.csv"))
        (self.scratch / "secret").write_text((run / "manifest.json").read_text())
        (run / "manifest.json").unlink()
        (run / "manifest.json").symlink_to(self.scratch / "secret")
        self.call("--mlflow", self.scratch / "ml")
        artifacts = [{path.name for path in (folder / "artifacts").iterdir()} for folder in self.stored().values()]
        self.assertEqual(sorted("manifest.json" in names for names in artifacts), [False] + [True] * (len(artifacts) - 1))

    def test_an_overwrite_that_fails_keeps_what_was_there(self):
        self.call(*self.both)
        before = self.tree(self.scratch)
        for after in (0, 1, 30):
            patch, _ = self.write_that_fails(after)
            with patch, self.assertRaises(ResultsError):
                self.call("--mlflow", self.scratch / "ml", "--overwrite")
            self.assertEqual(self.tree(self.scratch), before)
        with mock.patch.object(program.mlflow, "write", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            self.call("--mlflow", self.scratch / "ml", "--overwrite")
        self.assertEqual(self.tree(self.scratch), before)

    def test_an_overwrite_that_cannot_take_its_name_gives_it_back(self):
        self.call(*self.both)
        before, rename = self.tree(self.scratch), Path.rename

        def failing(path, target):
            if path.name.endswith(".partial"):
                raise OSError(5, "Input/output error")
            return rename(path, target)
        with mock.patch.object(Path, "rename", failing):
            self.refused(74, "ml: cannot be written (Input/output error)", "--mlflow", self.scratch / "ml", "--overwrite")
        self.assertEqual(self.tree(self.scratch), before)

    def test_what_a_killed_export_left_is_in_nobodys_way(self):
        for name in (".ml.partial", ".ml.replaced"):
            (self.scratch / name / "inside").mkdir(parents=True)
        self.call("--mlflow", self.scratch / "ml")
        self.assertEqual({path.name for path in self.scratch.iterdir()}, {"first", "ml"})
        self.assertEqual(len(self.stored()), 2)

    def test_what_is_there_is_refused_and_replaced_only_where_it_is_an_export(self):
        self.call(*self.both)
        self.refused(2, "add --overwrite", *self.both)
        (self.scratch / "tb" / "left over").write_text("")
        self.call(*self.both, "--overwrite")
        self.assertFalse((self.scratch / "tb" / "left over").exists())
        mine = self.scratch / "mine"
        mine.mkdir()
        self.call("--tensorboard", mine, "--overwrite")  # empty
        (mine / program.publishing.MARK).unlink()
        os.symlink(self.scratch / "tb", self.scratch / "link")
        before = self.tree(self.scratch)
        for place in (mine, self.folder, self.scratch, "/", self.folder / "summary.csv", self.scratch / "link"):
            self.refused(2, "it is no earlier export", "--tensorboard", place, "--overwrite")
        self.assertEqual(self.tree(self.scratch), before)

    def test_two_formats_want_two_folders(self):
        self.refused(2, "named for two formats", "--tensorboard", self.scratch / "x", "--mlflow", self.scratch / "a" / ".." / "x")
        self.assertFalse((self.scratch / "x").exists())

    def test_nothing_to_write_and_nothing_to_read_are_said(self):
        with redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit) as caught:
            program.main([str(self.folder)])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("add --tensorboard OUT or --mlflow OUT", said.getvalue())
        self.folder = self.scratch / "absent"
        self.refused(69, "is not there", *self.both)


if __name__ == "__main__":
    unittest.main()
