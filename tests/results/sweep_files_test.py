"""Laws of what validate.py says of a sweep's folder: what the program wrote is valid, and a fault in any of its files is named."""

import csv
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import fake_runs
import sweep_files
import validate
from plot.files import documents
from plot.files.columns import ASKED
from scratch import Scratch

RACY = ("hogwild", "racy", "none")
KEY, TIME = "0123456789abcdef", "2026-01-02T03:04:05Z"
ENDED = {"run": "001", "status": "done", "build": "abc", "wall_seconds": 1.5, "to_target": None, "loss": 0.25}
OPTIMUM = {"data": KEY, "problem": "hinge", "lambda": 1e-4, "initial": 1, "value": 0.3, "lower": 0.29, "gap": 0.01, "converged": 1, "passes": 9,
           "seconds": 0.5, "checksum": KEY}
CHOICE = {"tried": "step-scale=2", "at_edge": 0, "trials": 4, "reached": 2, "seconds_to_target": 0.5, "train_loss": 0.3, "score": ""}
INCREMENTS = {"update": "racy", "workers": 2, "floats": 64, "per_second": 1e9, "kept": None, "issued": 10, "dropped": 0}
BANDWIDTH = {"workers": 1, "array_bytes": 64, "read_bytes_per_second": 1e9, "triad_bytes_per_second": 1e9}
SPEC = """
[run]
no-cache = true
epochs = 1
observe = 2
l2 = 1e-2
[axes]
data = ["synthetic:rows=60,features=20,nonzeros=5", "synthetic:rows=80,features=20,nonzeros=5"]
scheme = ["serial", "hogwild"]
threads = [1]
[seeds]
final = "1..3"
tuning = "11"
[targets]
target = "gap:1e-1"
[tuning]
step-scale = [0.5, 2]
"""
UNCHECKED = {"lock"} | (set() if documents.tomllib else {"sweep.toml"})  # report.html and figures/ are for people


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in UNCHECKED)


class Presets(unittest.TestCase):
    @unittest.skipIf(sys.version_info < (3, 11), "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_every_preset_is_a_sweep_file_of_the_schema(self):
        schema = validate.load_schema()
        presets = sorted((Path(validate.__file__).resolve().parents[1] / "experiments" / "specs").glob("*.toml"))
        self.assertTrue(presets)
        for preset in presets:
            with self.subTest(preset.name):
                self.assertEqual(list(sweep_files.check_sweep_file(preset, schema)), [])


class SweepFiles(Scratch):
    def setUp(self):
        super().setUp()
        self.folder = self.folder / "sweep"
        self.schema = validate.load_schema()

    def found(self):
        return list(validate.check_folder(self.folder, self.schema))

    def make(self):
        """A sweep's folder with every file, one run and one trial each."""
        for folder, run in ((self.folder, "001"), (self.folder / "tuning", "001")):
            row = fake_runs.make_run(folder, run, RACY, 2, epochs=1)
            fake_runs.make_summary(folder, [row])
            fake_runs.write_table(folder / run / "row.csv", fake_runs.SUMMARY, [row])
            path = folder / run / "manifest.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "key": KEY, "ended": ENDED}))
        (self.folder / "sweep.toml").write_text("[run]\nscheme = 'serial'\n[[override]]\nwhen = {}\nset = {}\n")
        (self.folder / "lock").touch()
        self.write_journal({"event": "begin"}, {"event": "end", **ENDED})
        self.write_choices()
        self.write_optimum()
        self.write_ceilings()

    def write_journal(self, *records, name="journal"):
        lines = [f"{KEY} {json.dumps({'time': TIME, 'key': KEY, **record})}\n" for record in records]
        (self.folder / name).write_text("".join(lines))

    def write_choices(self, name="choices.csv", **changes):
        with open(self.folder / "summary.csv", newline="") as file:
            row = next(csv.DictReader(file))
        header = list(self.schema["$defs"]["choice_row"]["properties"])
        cells = {**row, **CHOICE, **changes}
        fake_runs.write_table(self.folder / name, header, [{name: cells[name] for name in header}])

    def write_optimum(self, first=sweep_files.OPTIMUM, **changes):
        (self.folder / "optima").mkdir(exist_ok=True)
        lines = [first] + [f"{name} {value}" for name, value in {**OPTIMUM, **changes}.items()]
        (self.folder / "optima" / "optimum-hinge-0.txt").write_text("\n".join(lines) + "\n")

    def write_ceilings(self, bandwidth={}, increments={}, name="ceilings.json"):
        measured = {"bandwidth": [{**BANDWIDTH, **bandwidth}], "line_transfer_ns": None, "draw_ns": 1.5, "increments": [{**INCREMENTS, **increments}]}
        (self.folder / name).write_text(json.dumps({"machine": {"cpu": "one", "cores": 2}, "measured": measured}))

    def check_that_strays_are_named(self):
        """A stray line in any file is a violation that names the file."""
        files = files_of(self.folder)
        for path in files:
            before = path.read_bytes()
            path.write_bytes(before + b"stray\n")
            self.assertTrue(any(line.startswith(f"{path}:") for line in self.found()), path)
            path.write_bytes(before)
        self.assertEqual(self.found(), [])
        return files

    def test_a_fault_in_any_file_of_a_sweep_is_named(self):
        self.make()
        self.assertEqual(self.found(), [])
        self.assertEqual(len(self.check_that_strays_are_named()), 14 - len(UNCHECKED))

    def test_files_of_shards_are_checked_like_those_of_a_whole_sweep(self):
        self.make()
        for stem, ending in (("summary", ".csv"), ("choices", ".csv"), ("ceilings", ".json"), ("journal", "")):
            (self.folder / f"{stem}{ending}").rename(self.folder / f"{stem}-1of2{ending}")
        self.assertEqual(self.found(), [])
        self.check_that_strays_are_named()

    def test_an_archive_may_leave_out_all_trials_but_not_their_table_alone(self):
        self.make()
        (self.folder / "tuning" / "summary.csv").unlink()
        self.assertTrue(any("tuning/summary.csv" in violation for violation in self.found()))
        shutil.rmtree(self.folder / "tuning")
        self.assertEqual(self.found(), [])

    def test_every_bad_record_of_a_journal_is_named_with_its_line(self):
        self.make()
        end = {"event": "end", **ENDED}
        for record, word in (({"event": "pause"}, "event"), ({"event": "end"}, "run"), ({**end, "status": "interrupted"}, "status"),
                             ({**end, "wall_seconds": -1}, "wall_seconds"), ({"event": "begin", "key": "short"}, "key"),
                             ({"event": "begin", "time": "today"}, "time"), ({**end, "run": "a/b/c"}, "run"), ({**end, "more": 1}, "more")):
            self.write_journal({"event": "begin"}, record)
            self.assertTrue(any(f"journal:2: {word} " in line for line in self.found()), record)
        (self.folder / "journal").write_text("no hash {}\n")
        self.assertTrue(any("journal:1: hash 'no'" in line for line in self.found()))

    def test_a_torn_journal_says_that_the_sweep_goes_on(self):
        self.make()
        path = self.folder / "journal"
        path.write_bytes(path.read_bytes()[:-5])
        self.assertEqual([line for line in self.found() if "journal:2: torn last line" in line], self.found())

    def test_every_bad_cell_of_choices_is_named(self):
        self.make()
        for column, value in (("at_edge", 2), ("at_edge", ""), ("trials", -1), ("reached", 5), ("seconds_to_target", -1), ("threads", 0),
                              ("scheme", "Hogwild"), ("delay", ""), ("train_loss", "inf")):
            self.write_choices(**{column: value})
            self.assertTrue(any(f"choices.csv:2: {column} " in line for line in self.found()), (column, value))

    def test_every_fault_of_an_optimum_is_named(self):
        self.make()
        for changes, word in ((dict(first="hogwild optimum 0"), "hogwild optimum 0"), (dict(lower=0.31), "lower 0.31"), (dict(value=2), "value 2"),
                              (dict(gap=-1), "gap"), (dict(converged=2), "converged"), (dict(data="x"), "data"), (dict(value="inf"), "value"),
                              (dict(more=1), "more")):
            self.write_optimum(**changes)
            self.assertTrue(any("optimum-hinge-0.txt" in line and word in line for line in self.found()), changes)

    def test_every_fault_of_ceilings_is_named(self):
        self.make()
        for changes, word in ((dict(bandwidth=dict(workers=0)), "bandwidth[0].workers"), (dict(increments=dict(kept=1.5)), "increments[0].kept"),
                              (dict(bandwidth=dict(read_bytes_per_second=0)), "read_bytes_per_second"), (dict(increments=dict(issued=None)), "issued")):
            self.write_ceilings(**changes)
            self.assertTrue(any("ceilings.json: measured." in line and word in line for line in self.found()), changes)

    @unittest.skipIf(sys.version_info < (3, 11), "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_a_sweep_file_has_the_tables_that_a_sweep_reads(self):
        self.make()
        for text, word in (("run = 3", "run"), ("[seeds]\nfinals = 1", "seeds.finals"), ("[[override]]\nset = {}", "override[0].when"),
                           ("[report]\ncolour = 1", "report.colour"),
                           ("[data]\nmissing = 'skip'", "data.missing"), ("exclude = 1", "exclude")):
            (self.folder / "sweep.toml").write_text(text + "\n")
            self.assertTrue(any(f"sweep.toml: {word} " in line for line in self.found()), (text, self.found()))

    def test_a_run_s_row_is_that_of_the_summary_and_its_end_that_of_the_manifest(self):
        self.make()
        path = self.folder / "001" / "row.csv"
        text = path.read_text()
        path.write_text(text.replace("0.0001", "0.0002", 1))
        self.assertTrue(any("row.csv:2: l2 0.0002 (summary.csv says 0.0001)" in line for line in self.found()), self.found())
        path.write_text(text + text.splitlines()[1] + "\n")
        self.assertTrue(any("row.csv: 2 rows" in line for line in self.found()))
        path.write_text(text)
        manifest = self.folder / "001" / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"done"', '"failed"'))
        self.assertTrue(any("manifest.json: ended.status 'failed'" in line for line in self.found()))

    def test_runs_that_a_sweep_no_longer_asks_for_may_stay_and_are_checked(self):
        self.make()
        fake_runs.make_run(self.folder, "before", RACY, 4, epochs=1)
        self.assertEqual(self.found(), [])
        (self.folder / "before" / "trace.csv").write_text("stray\n")
        self.assertTrue(any("before/trace.csv:1: " in line for line in self.found()))

    def test_the_schema_describes_every_column_in_its_order(self):
        optimum = self.schema["$defs"]["optimum"]
        self.assertEqual(list(optimum["properties"]), optimum["required"])
        axes = [axis for axis in ASKED if axis != "seed"]
        self.assertEqual(list(self.schema["$defs"]["choice_row"]["properties"])[:len(axes)], axes)

    @unittest.skipUnless("HOGWILD_PROGRAM" in os.environ, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
    def test_every_file_that_the_program_writes_is_valid_and_checked(self):
        program = os.environ["HOGWILD_PROGRAM"]
        file = self.folder.with_name("spec.toml")
        file.write_text(SPEC)
        sweep = [program, "sweep", str(file), "-o", str(self.folder), "--no-report", "--quiet"]
        for words in (["--tune-only"], ["--shard", "1/3"], []):
            subprocess.run(sweep + words, check=True, capture_output=True)
        facts = subprocess.run([program, "info", "--json"], check=True, capture_output=True).stdout
        (self.folder / "ceilings.json").write_bytes(facts)
        self.assertEqual(self.found(), [])
        names = {path.name for path in self.check_that_strays_are_named()}
        self.assertLessEqual({"summary.csv", "summary-1of3.csv", "choices.csv", "choices-1of3.csv", "verdicts.csv", "journal", "journal-1of3",
                              "ceilings.json", "manifest.json", "trace.csv", "row.csv"}, names)


if __name__ == "__main__":
    unittest.main()
