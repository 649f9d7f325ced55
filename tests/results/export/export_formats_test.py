"""Laws of what is exported: another reader finds exactly the numbers of the files, and a run is what it was."""

import math
import os
import struct
import time
import unittest
from unittest import mock

import event_files
import exported_folder
import fake_runs
from export import records, wire
from exported_folder import AXES, CURVES, RACY, SERIAL, STARTED
from plot.files.columns import PARTS_OF_MEMORY


def rounded(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def same(found, wanted):
    return all(math.isnan(a) and math.isnan(b) or a == b for a, b in zip(found, wanted)) and len(found) == len(wanted)


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


class TensorBoard(exported_folder.Exported):
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
                      if column not in [*AXES, *PARTS_OF_MEMORY, "run", "status", "reason", "target_of", *CURVES] and row[column] != ""}
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

    def test_a_run_whose_loss_was_never_finite_has_a_curve_that_says_so(self):
        row = fake_runs.make_run(self.folder, "one", RACY, 2, status="diverged")
        seen = [observation | {"train_loss": ""} for observation in self.trace("one")]
        fake_runs.write_table(self.folder / "one" / "trace.csv", fake_runs.TRACE, seen)
        fake_runs.make_summary(self.folder, [row | {"train_loss": ""}])
        self.call("--tensorboard", self.scratch / "tb")
        self.assertTrue(same([value for _, _, value in self.events("one").scalars["train_loss"]], [math.nan] * len(seen)))

    def test_a_run_started_when_it_says_wherever_the_machine_is(self):
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL,))
        self.addCleanup(time.tzset)
        with mock.patch.dict(os.environ, TZ="ELSEWHERE-5:30"):
            time.tzset()
            self.call("--tensorboard", self.scratch / "tb")
        self.assertEqual(self.events("001-serial").scalars["train_loss"][0][0], STARTED)

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


class MLflow(exported_folder.Exported):
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


if __name__ == "__main__":
    unittest.main()
