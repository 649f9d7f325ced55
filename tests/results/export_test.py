"""Laws of exports: another reader finds exactly the numbers of the files, names stay names, and an export is there whole or not at all."""

import calendar
import csv
import io
import json
import math
import os
import re
import struct
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import event_files
import fake_runs
from export import export as program
from export import records, wire
from plot.errors import ResultsError

SERIAL, RACY = ("serial", "", ""), ("hogwild", "racy", "none")
STARTED = calendar.timegm((2026, 1, 2, 3, 4, 5))  # as fake_runs says
CURVES = ("epoch", "train_loss", "test_loss", "test_error", "optimality_bound")
AXES = fake_runs.SUMMARY[1:fake_runs.SUMMARY.index("status")]
HOSTILE = ("../../outside", "/etc/passwd", "a\nb\r\nc", "\x00\x1b[31m\x85\u2028", "\": {x: [", "'#%@`!&*", "\u202eevil", "NA", "x" * 9000)


def rounded(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def same(found, wanted):
    return all(math.isnan(a) and math.isnan(b) or a == b for a, b in zip(found, wanted)) and len(found) == len(wanted)


class Exported(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.scratch = Path(holder.name)
        self.folder = self.scratch / "first"
        self.folder.mkdir()

    def call(self, *words):
        """Returns what it warned of."""
        said = io.StringIO()
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            program.main([str(self.folder), *map(str, words)])
        return said.getvalue()

    def refused(self, status, part, *words):
        with self.assertRaises(ResultsError) as caught:
            self.call(*words)
        self.assertIn(part, str(caught.exception))
        self.assertEqual(getattr(caught.exception, "exit_status", 1), status)

    def events(self, run):
        files = list((self.scratch / "tb" / run).iterdir())
        self.assertEqual(len(files), 1)
        self.assertIn("tfevents", files[0].name)
        return event_files.EventFile(files[0].read_bytes())

    def stored(self):
        """{name of the run: its folder} of an MLflow store."""
        metas = (self.scratch / "ml").glob("*/*/meta.yaml")
        return {self.yaml(meta.parent)["run_name"]: meta.parent for meta in metas}

    @staticmethod
    def yaml(folder):
        lines = (line.split(": ", 1) for line in (folder / "meta.yaml").read_text(encoding="utf-8").splitlines())
        return {name: json.loads(value) for name, value in lines}

    @staticmethod
    def metric(folder, name):
        return [(int(when), float(value), int(step))
                for when, value, step in (line.split(" ") for line in (folder / "metrics" / name).read_text().splitlines())]

    def trace(self, run):
        with open(self.folder / run / "trace.csv", newline="") as file:
            return list(csv.DictReader(file))

    def tree(self, folder):
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Formats(unittest.TestCase):
    def test_checksums_are_those_of_the_standard(self):
        for content, wanted in ((b"", 0), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43), (bytes(range(32)), 0x46DD794E),
                                (bytes(range(31, -1, -1)), 0x113FDB5C), (b"123456789", 0xE3069283)):
            self.assertEqual(records.crc32c(content), wanted)
            self.assertEqual(event_files.crc32c(content), wanted)

    def test_numbers_are_encoded_as_the_specification_says(self):
        for value, wanted in ((0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (150, "9601"), (2**63 - 1, "ff" * 8 + "7f")):
            self.assertEqual(wire.varint(value).hex(), wanted)
            self.assertEqual(event_files.varint(wire.varint(value), 0), (value, len(wanted) // 2))
        self.assertEqual(wire.integer(1, 150).hex(), "089601")
        self.assertEqual(wire.string(2, "testing").hex(), "120774657374696e67")

    def test_no_flipped_bit_of_a_record_goes_unseen(self):
        whole = records.record(b"an event")
        self.assertEqual(list(event_files.records(whole)), [b"an event"])
        for bit in range(8 * len(whole)):
            spoilt = bytearray(whole)
            spoilt[bit // 8] ^= 1 << bit % 8
            with self.assertRaises(ValueError):
                list(event_files.records(bytes(spoilt)))


class TensorBoard(Exported):
    def test_every_observation_of_every_run_is_found(self):
        rows = fake_runs.make_results(self.folder, threads=(1, 2), seeds=(1, 2))
        self.assertEqual(self.call("--tensorboard", self.scratch / "tb"), "")
        self.assertEqual({path.name for path in (self.scratch / "tb").iterdir() if path.is_dir()}, {row["run"] for row in rows})
        for row in rows:
            found = self.events(row["run"])
            self.assertEqual(found.version, "brain.Event:2")
            for column in CURVES:
                wanted = [(STARTED + float(seen["seconds"]), int(seen["updates"]), rounded(float(seen[column])))
                          for seen in self.trace(row["run"])]
                self.assertEqual(found.scalars.pop(column), wanted, (row["run"], column))
            totals = {column: row[column] for column in fake_runs.SUMMARY
                      if column not in AXES + ["run", "status", "reason", *CURVES] and row[column] != ""}
            end = STARTED + row["seconds"], row["updates"]
            self.assertEqual(found.scalars, {f"summary/{column}": [(*end, rounded(value))] for column, value in totals.items()})

    def test_axes_are_hyperparameters_and_the_end_is_said(self):
        rows = [fake_runs.make_run(self.folder, status, RACY, 2, status=status) for status in ("done", "diverged", "interrupted", "failed")]
        fake_runs.make_summary(self.folder, rows)
        self.call("--tensorboard", self.scratch / "tb")
        for row, status in zip(rows, (1, 2, 0, 2)):
            found = self.events(row["run"])
            self.assertEqual(found.hyperparameters, {axis: row[axis] for axis in AXES if row[axis] != ""})
            self.assertEqual(found.status, status)

    def test_a_loss_that_is_no_number_is_not_left_out_but_a_loss_nobody_measured_is(self):
        row = fake_runs.make_run(self.folder, "one", RACY, 2)
        seen = self.trace("one")
        for place, observation in enumerate(seen):
            observation.update(test_loss="", test_error="" if place == 3 else 0.5, train_loss="" if place > 1 else (1e300, -1e300)[place])
        fake_runs.write_table(self.folder / "one" / "trace.csv", fake_runs.TRACE, seen)
        fake_runs.make_summary(self.folder, [row | {"test_loss": ""}])
        self.call("--tensorboard", self.scratch / "tb", "--mlflow", self.scratch / "ml")
        scalars, metrics = self.events("one").scalars, self.stored()["one"]
        values = lambda column: [value for _, _, value in scalars[column]]
        exact = lambda column: [value for _, value, _ in self.metric(metrics, column)]
        rest = [math.nan] * (len(seen) - 2)
        self.assertTrue(same(values("train_loss"), [math.inf, -math.inf, *rest]))  # more than 32 bits hold
        self.assertTrue(same(exact("train_loss"), [1e300, -1e300, *rest]))
        self.assertTrue(same(values("test_error"), [0.5] * 3 + [math.nan] + [0.5] * (len(seen) - 4)))
        self.assertFalse(any(tag.endswith("test_loss") for tag in scalars))
        self.assertFalse((metrics / "metrics" / "test_loss").exists())

    def test_a_run_without_trace_or_manifest_is_there_and_warned_of(self):
        rows = [fake_runs.make_run(self.folder, name, SERIAL, 1) for name in ("bare", "late")]
        fake_runs.make_summary(self.folder, rows[:1])
        for name in ("trace.csv", "manifest.json"):
            (self.folder / "bare" / name).unlink()
        said = self.call("--tensorboard", self.scratch / "tb", "--mlflow", self.scratch / "ml")
        self.assertIn("times begin in 1970", said)
        self.assertEqual(self.events("bare").scalars["summary/updates_per_second"][0][0], rows[0]["seconds"])
        self.assertEqual(self.events("late").status, 0)  # no row: interrupted
        self.assertEqual(self.yaml(self.stored()["late"])["status"], 5)


class MLflow(Exported):
    def test_every_number_is_found_to_the_last_bit(self):
        rows = fake_runs.make_results(self.folder, threads=(1, 2))
        self.call("--mlflow", self.scratch / "ml")
        stored = self.stored()
        self.assertEqual(set(stored), {row["run"] for row in rows})
        for row in rows:
            folder = stored[row["run"]]
            for column in CURVES:
                wanted = [(round(1000 * (STARTED + float(seen["seconds"]))), float(seen[column]), int(seen["updates"]))
                          for seen in self.trace(row["run"])]
                self.assertEqual(self.metric(folder, column), wanted)
            for column in ("seconds", "updates_per_second", "best_train_loss"):
                self.assertEqual([value for _, value, _ in self.metric(folder, column)], [row[column]])
            self.assertEqual((folder / "metrics" / "seconds_to_target").exists(), row["seconds_to_target"] != "")
            self.assertEqual({path.name: path.read_text() for path in (folder / "params").iterdir()},
                             {axis: str(row[axis]) for axis in AXES if row[axis] != ""})
            for name in ("manifest.json", "trace.csv"):
                self.assertEqual((folder / "artifacts" / name).read_bytes(), (self.folder / row["run"] / name).read_bytes())

    def test_a_store_says_what_mlflow_asks_for(self):
        statuses = {"done": 3, "diverged": 4, "failed": 4, "interrupted": 5}
        rows = [fake_runs.make_run(self.folder, status, RACY, 2, status=status) for status in statuses]
        fake_runs.make_summary(self.folder, rows)
        self.call("--mlflow", self.scratch / "ml")
        experiments = [path for path in (self.scratch / "ml").iterdir() if path.is_dir()]
        self.assertEqual(len(experiments), 1)
        about = self.yaml(experiments[0])
        self.assertEqual((about["name"], about["experiment_id"], about["lifecycle_stage"]), ("first", experiments[0].name, "active"))
        self.assertRegex(experiments[0].name, r"^[0-9]{18}$")
        for row in rows:
            folder = self.stored()[row["run"]]
            about = self.yaml(folder)
            self.assertRegex(folder.name, r"^[0-9a-f]{32}$")
            self.assertEqual((about["run_id"], about["run_uuid"]), (folder.name, folder.name))
            self.assertEqual(about["status"], statuses[row["status"]])
            self.assertEqual(about["artifact_uri"], (folder / "artifacts").resolve().as_uri())
            self.assertEqual((about["start_time"], about["end_time"]), (1000 * STARTED, round(1000 * (STARTED + row["seconds"]))))
            self.assertEqual((folder / "tags" / "hogwild.status").read_text(), row["status"])
            self.assertEqual((folder / "tags" / "hogwild.reason").exists(), row["status"] != "done")

    def test_the_same_runs_are_the_same_and_others_are_others(self):
        fake_runs.make_results(self.folder, threads=(1,), seeds=(1, 2))
        self.call("--mlflow", self.scratch / "ml", "--tensorboard", self.scratch / "tb")
        before = self.tree(self.scratch)
        self.call("--mlflow", self.scratch / "ml", "--tensorboard", self.scratch / "tb", "--overwrite")
        self.assertEqual(self.tree(self.scratch), before)
        names = {name: folder.name for name, folder in self.stored().items()}
        self.assertEqual(len(set(names.values())), len(names))
        manifest = self.folder / "001-serial" / "manifest.json"
        manifest.write_text(manifest.read_text().replace("03:04:05Z", "03:04:06Z"))
        self.call("--mlflow", self.scratch / "ml", "--overwrite")
        again = {name: folder.name for name, folder in self.stored().items()}
        self.assertEqual({name for name in names if names[name] != again[name]}, {"001-serial"})


class Names(Exported):
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


class WholeOrNotAtAll(Exported):
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
        self.refused(1, "no such folder", *self.both)


if __name__ == "__main__":
    unittest.main()
