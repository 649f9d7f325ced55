"""Laws of schema.json and its validator: good results pass, every planted fault is found and named."""

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import fake_runs
import checked_files
from plot.files import checking
import validate
import versions
from plot.estimates import curves
from plot.files import schema
from plot.files.reading import read_results
from plot.files.tables import at
from scratch import Scratch

RACY = ("hogwild", "racy", "none")

BAD_CELLS = (
    ("status", "finished"), ("status", ""), ("scheme", "Hogwild"), ("scheme", ""), ("guard", "a b"), ("threads", 0), ("threads", 1.5),
    ("threads", "two"), ("seed", -1), ("seconds", -0.1), ("seconds", "nan"), ("seconds", "1_0"), ("seconds", ""),
    ("updates", 3.5), ("train_loss", "inf"), ("test_error", 1.2), ("wait_share", -0.01), ("step_size", 0), ("l2", -1),
    ("decay", 1.5), ("batch", 0), ("problem", "Hinge"), ("data", ""), ("reason", "for no reason"), ("epochs", 0.5),
    ("run", "a/b"), ("staleness_max", -1), ("order", "random"), ("telemetry", "on"), ("lanes", "sse"),
)


class Validator(Scratch):
    def setUp(self):
        super().setUp()
        self.schema = validate.load_schema()

    def found(self):
        return list(validate.check_folder(self.folder, self.schema))

    def make(self, **changes):
        row = fake_runs.make_run(self.folder, "001", RACY, 2)
        fake_runs.make_summary(self.folder, [{**row, **changes}])
        return self.folder / "001"

    def test_committed_tables_are_valid_as_they_lie(self):
        reference = fake_runs.RESULTS / "reference"
        for pattern, name in (("summary.csv*", "summary_row"), ("trials.csv*", "summary_row"), ("choices.csv", "choice_row"),
                              ("verdicts.csv", "verdict_row"), ("speedup.csv", "speedup_row")):
            tables = sorted(reference.glob(f"**/{pattern}"))
            self.assertTrue(tables, pattern)
            for table in tables:
                version = versions.of_tables(table.parent)
                self.assertEqual(list(validate.check_table(table, name, self.schema, [], version)), [], table)

    def test_committed_folders_that_hold_their_runs_are_valid_as_a_whole(self):
        folders = {path.parents[1] for path in (fake_runs.RESULTS / "reference").glob("**/trace.csv")}
        folders = sorted(folder for folder in folders if at(folder / "summary.csv").exists())
        self.assertIn(fake_runs.RESULTS / "reference" / "quickstart", folders)
        for folder in folders:
            self.assertEqual(list(validate.check_folder(folder, self.schema)), [], folder)

    def test_good_results_have_no_violation(self):
        fake_runs.make_results(self.folder, seeds=(1, 2))
        self.assertEqual(self.found(), [])

    def test_a_column_is_in_every_file_or_has_a_default_that_the_schema_allows(self):
        for name in (name for name in self.schema["$defs"] if name.endswith("_row")):
            row = self.schema["$defs"][name]
            self.assertEqual(row["required"], [column for column in row["properties"] if column in row["required"]], name)
            for column in set(row["properties"]) - set(row["required"]):
                described = schema.resolve(row["properties"][column], self.schema)
                self.assertEqual(list(checking.violations(described["default"], described, self.schema)), [], (name, column))
        for name, columns in (("staleness_row", fake_runs.STALENESS), ("layer_staleness_row", fake_runs.LAYER_STALENESS),
                              ("batches_row", fake_runs.BATCHES)):
            self.assertEqual(schema.columns(name), columns)

    def later_schema(self, **axis):
        """The schema of a later version, with one axis more."""
        later = copy.deepcopy(self.schema)
        later["version"] += 1
        row = later["$defs"]["summary_row"]["properties"]
        later["$defs"]["summary_row"]["properties"] = {**row, "twist": axis}
        return later

    def as_older(self, run):
        """Makes the files of a run those of a program that named no version and wrote few columns."""
        manifest = json.loads((run / "manifest.json").read_text())
        (run / "manifest.json").write_text(json.dumps({key: value for key, value in manifest.items() if key not in ("schema", "axes")}))
        for path, name in ((self.folder / "summary.csv", "summary_row"), (run / "trace.csv", "trace_row")):
            fake_runs.keep_columns(path, self.schema["$defs"][name]["required"])

    def test_a_file_of_an_older_version_lacks_columns_and_is_valid_and_draws(self):
        self.as_older(self.make())
        before = {path: path.read_bytes() for path in self.folder.rglob("*.*")}
        self.assertEqual(self.found(), [])
        self.schema = self.later_schema(default=None, since=self.schema["version"] + 1, type=["integer", "null"])
        self.assertEqual(self.found(), [])
        run, = read_results([self.folder]).runs
        self.assertTrue(curves.gather([run]).curves)
        self.assertEqual(before, {path: path.read_bytes() for path in self.folder.rglob("*.*")})

    def test_a_file_of_a_version_has_all_columns_of_that_version(self):
        self.make()
        self.schema = self.later_schema(default=None, since=self.schema["version"] + 1, type=["integer", "null"])
        self.assertEqual(self.found(), [])
        self.schema = self.later_schema(default=None, since=2, type=["integer", "null"])
        version = schema.load()["version"]
        self.assertTrue(any(f"summary.csv:1: column 'twist' is missing (every file of version {version} has it)" in line for line in self.found()))

    def test_a_column_that_the_schema_does_not_have_is_refused_whatever_the_files_version(self):
        run = self.make()
        summary = self.folder / "summary.csv"
        text = summary.read_text()
        for _ in range(2):
            summary.write_text("".join(f"{line},{'twist' if index == 0 else ''}\n" for index, line in enumerate(text.splitlines())))
            self.assertTrue(any("summary.csv:1: column 'twist' is unknown (" in line for line in self.found()), self.found())
            summary.write_text(text)
            self.as_older(run)
            text = summary.read_text()

    def test_a_column_that_every_file_has_is_missed_whatever_the_files_version(self):
        self.as_older(self.make())
        required = self.schema["$defs"]["summary_row"]["required"]
        fake_runs.keep_columns(self.folder / "summary.csv", [column for column in required if column != "threads"])
        self.assertTrue(any("summary.csv:1: column 'threads' is missing (every file of version 1 has it)" in line for line in self.found()))

    def test_a_column_stands_once(self):
        self.make()
        summary = self.folder / "summary.csv"
        summary.write_text("".join(line.replace("hinge", "hinge,hinge").replace("problem", "problem,problem", 1)
                                   for line in summary.read_text().splitlines(keepends=True)))
        self.assertTrue(any("summary.csv:1: column 'problem' stands twice" in line for line in self.found()), self.found())

    def test_tables_without_their_runs_name_their_version_in_a_file(self):
        self.make()
        shutil.rmtree(self.folder / "001")
        self.assertEqual(versions.of_tables(self.folder), 1)
        for text, version in (("2\n", 2), ("many", 1), ("", 1)):
            (self.folder / "schema").write_text(text)
            self.assertEqual(versions.of_tables(self.folder), version)
        (self.folder / "schema").write_text("9\n")
        self.assertTrue(any(": of version 9 of the schema (" in line for line in self.found()))

    def test_a_manifest_has_the_axes_of_its_row(self):
        run = self.make()
        manifest = json.loads((run / "manifest.json").read_text())
        for axes, word in (({**manifest["axes"], "threads": "3"}, "threads '3'"), ({**manifest["axes"], "streams": "4"}, "streams '4'"),
                           ({**manifest["axes"], "twist": ""}, "twist ''"), ({**manifest["axes"], "threads": 2}, "threads 2"),
                           ({axis: text for axis, text in manifest["axes"].items() if axis != "hot"}, "hot empty"), ({}, "problem empty")):
            (run / "manifest.json").write_text(json.dumps({**manifest, "axes": axes}))
            self.assertTrue(any(f"manifest.json: axes.{word} (" in line for line in self.found()), (word, self.found()))

    def test_every_bad_cell_is_named_with_file_and_line(self):
        self.make()
        row = fake_runs.make_run(self.folder / "spare", "001", RACY, 2)
        for column, value in BAD_CELLS:
            fake_runs.make_summary(self.folder, [{**row, column: value}])
            hits = [line for line in self.found() if f"summary.csv:2: {column} " in line]
            self.assertTrue(hits, (column, value, self.found()))
            self.assertRegex(hits[0], r"^.+ \(.+\); .+$")

    def test_verdicts_have_the_columns_that_the_schema_names(self):
        row = dict.fromkeys(schema.columns("verdict_row"), "")
        row.update(metric="time-to-target", a="before", b="after", problem="hinge", data="imdb", scheme="serial", device="cpu",
                   memory="host", placement="stored", delay=0, order="stored", pin="none", lanes="auto", telemetry="off", step="constant",
                   step_size=0.5, l2=1e-4, epochs=3, against="serial", runs_a="1", runs_b="2", seeds=1, reached_a=1, reached_b=0,
                   ratio_low=0, verdict="UNDECIDED", reason="1 seed in common, 3 are needed")

        def found(**changes):
            cells = {**row, **changes}
            table = [",".join(map(str, line)) for line in (cells, ('"%s"' % value for value in cells.values()))]
            (self.folder / "verdicts.csv").write_text("\n".join(table) + "\n")
            return self.found()

        self.assertEqual(found(), [])
        for column, value in (("verdict", "BETTER"), ("reason", ""), ("metric", "beauty"), ("seeds", 0), ("ratio_low", -1),
                              ("threads", 0), ("runs_a", ""), ("lost_share_b", 1.5)):
            self.assertTrue(any(f"verdicts.csv:2: {column} " in line for line in found(**{column: value})), (column, value))

    @unittest.skipUnless("HOGWILD_PROGRAM" in os.environ, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
    def test_what_the_program_says_of_committed_runs_is_valid(self):
        runs = fake_runs.RESULTS / "reference" / "quickstart"
        subprocess.run([os.environ["HOGWILD_PROGRAM"], "compare", str(runs), "-o", str(self.folder)], check=True, capture_output=True)
        self.assertEqual(self.found(), [])
        self.assertTrue((self.folder / "verdicts.csv").exists())

    def test_buckets_of_staleness_ascend_and_share_no_value(self):
        run = self.make()
        good = [(0, 0, 9), (1, 1, 4), (64, 65, 2), (128, 131, 1)]
        fake_runs.make_staleness(run, {"cpu": good, "gpu": good})
        self.assertEqual(self.found(), [])
        for buckets, line, words in (([(5, 4, 1)], 2, "to 4"), ([(0, 3, 1), (3, 3, 1)], 3, "from 3"), ([(7, 7, 1), (2, 2, 1)], 3, "from 2"),
                                     ([(0, 9, 1), (3, 2, 1), (9, 9, 1)], 4, "from 9"), ([(0, 0, 0)], 2, "steps 0"), ([(-1, 0, 1)], 2, "from -1"),
                                     ([(0, 0.5, 1)], 2, "to '0.5'"), ([(0, "", 1)], 2, "to empty"), ([(0, 0, "many")], 2, "steps 'many'")):
            fake_runs.make_staleness(run, {"cpu": buckets})
            self.assertTrue(any(f"staleness.csv:{line}: {words} (" in found for found in self.found()), (buckets, self.found()))
        fake_runs.make_staleness(run, {"tpu": good})
        self.assertTrue(any("staleness.csv:2: device 'tpu'" in found for found in self.found()))
        (run / "staleness.csv").write_text("device,from,to\n")
        self.assertTrue(any("staleness.csv:1: column 'steps' is missing" in found for found in self.found()))

    def test_buckets_of_layers_ascend_within_each(self):
        run = self.make()
        fake_runs.make_layer_staleness(run, {1: [(0, 0, 9), (64, 65, 2)], 3: [(0, 0, 9)]})
        self.assertEqual(self.found(), [])
        fake_runs.make_layer_staleness(run, {1: [(0, 3, 9), (3, 3, 2)]})
        self.assertTrue(any("layer_staleness.csv:3: from 3 (" in found for found in self.found()))
        fake_runs.make_layer_staleness(run, {0: [(0, 3, 9)]})
        self.assertTrue(any("layer_staleness.csv:2: layer 0" in found for found in self.found()))

    def test_time_and_steps_of_batches_never_fall_within_a_device(self):
        run = self.make()
        fake_runs.make_batches(run, {"cpu": [(0, 16, 0)], "gpu": [(0, 64, 0), (0.5, 128, 40), (0.75, 64, 80)]})
        self.assertEqual(self.found(), [])
        fake_runs.make_batches(run, {"gpu": [(0, 64, 0), (0.5, 128, 40), (0.4, 64, 39)]})
        self.assertEqual(len([found for found in self.found() if "batches.csv:4: " in found]), 2)
        fake_runs.make_batches(run, {"gpu": [(0, 64, 0), (0.5, 64, 40)]})
        self.assertTrue(any("no change" in found for found in self.found()))

    def test_a_run_that_is_not_done_says_why(self):
        self.make(status="failed", reason="")
        self.assertIn("reason empty", self.found()[0])

    def test_columns_go_by_their_names(self):
        self.make()
        for path in (self.folder / "summary.csv", self.folder / "001" / "trace.csv"):
            text = path.read_text()
            path.write_text(text.replace("updates", "samples", 1))
            self.assertTrue(any(f"{path}:1: column 'samples" in line for line in self.found()))
            path.write_text(text)
        self.assertEqual(self.found(), [])

    def test_row_folder_manifest_and_trace_agree(self):
        run = self.make()
        manifest = json.loads((run / "manifest.json").read_text())
        trace = (run / "trace.csv").read_text()

        def with_manifest(change):
            changed = json.loads(json.dumps(manifest))
            change(changed)
            (run / "manifest.json").write_text(json.dumps(changed))
            found = self.found()
            (run / "manifest.json").write_text(json.dumps(manifest))
            return found

        for change, word in ((lambda m: m.update(run="002"), "run"), (lambda m: m["plan"].update(seed=7), "plan.seed"),
                             (lambda m: m["plan"].update(threads=3), "plan.threads"), (lambda m: m.pop("machine"), "machine"),
                             (lambda m: m["plan"].update(hot_updates="delayed"), "plan.update"),
                             (lambda m: m["data"].update(name="other"), "data.name"),
                             (lambda m: m["data"].update(rows=-1), "data.rows"),
                             (lambda m: m.update(optimum="low"), "optimum"),
                             (lambda m: m.update(command="hogwild run"), "command")):
            found = with_manifest(change)
            self.assertTrue(any(f"manifest.json: {word} " in line for line in found), (word, found))

        lines = trace.splitlines(keepends=True)
        (run / "trace.csv").write_text("".join(lines[:4] + [lines[2]] + lines[4:]))
        self.assertTrue(any("trace.csv:5: seconds" in line for line in self.found()))
        (run / "trace.csv").write_text("".join(lines[:-1]))
        self.assertTrue(any("train_loss" in line for line in self.found()))
        (run / "trace.csv").write_text(trace[:-3])
        self.assertTrue(any("torn last line" in line for line in self.found()))
        (run / "trace.csv").write_text(trace)
        self.assertEqual(self.found(), [])

    def test_rows_and_folders_are_one_to_one(self):
        run = self.make()
        run.rename(self.folder / "other")
        found = self.found()
        self.assertTrue(any("001: no such folder" in line for line in found))
        self.assertTrue(any("other: no row" in line for line in found))

    def test_a_run_appears_once(self):
        row = fake_runs.make_run(self.folder, "001", RACY, 2)
        fake_runs.make_summary(self.folder, [row, row])
        self.assertTrue(any("summary.csv:3: run '001'" in line for line in self.found()))

    def test_more_lost_than_issued_is_impossible(self):
        self.make(increments_issued=10, increments_lost=11)
        self.assertTrue(any("increments_lost 11" in line for line in self.found()))

    def test_exit_status_says_whether_all_is_well(self):
        self.make()
        call = [sys.executable, str(fake_runs.RESULTS / "validate.py"), str(self.folder)]
        done = subprocess.run(call, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1 run valid\n", ""))
        (self.folder / "summary.csv").unlink()
        done = subprocess.run(call, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"summary\.csv: cannot be read \(.+\); .+")

    def test_it_needs_no_package(self):
        self.make()
        without = "import runpy, sys; sys.modules.update(numpy=None, matplotlib=None); del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
        call = [sys.executable, "-c", without, str(fake_runs.RESULTS / "validate.py"), str(self.folder)]
        done = subprocess.run(call, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1 run valid\n", ""))

    def test_a_reader_who_leaves_early_sees_no_traceback(self):
        (self.folder / "summary.csv").write_text("run\n")
        for index in range(30):
            fake_runs.make_run(self.folder, f"{index:03}", RACY, 2)
        script = str(fake_runs.RESULTS / "validate.py")
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([sys.executable, script, str(self.folder)], stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def test_an_unknown_keyword_of_the_schema_is_an_error(self):
        with self.assertRaises(NotImplementedError):
            list(checking.violations(1, {"multipleOf": 2}, {}))

    def test_every_part_of_the_schema_can_be_checked(self):
        def parts(value):
            if isinstance(value, dict):
                yield from (each for name in ("$defs", "properties") for each in value.get(name, {}).values())
                yield from (value[name] for name in ("items", "if", "then", "else") if name in value)
                yield from value.get("anyOf", [])
        left = [self.schema]
        while left:
            part = left.pop()
            self.assertEqual(set(part) - checking.HANDLED - checking.ANNOTATIONS, set(), part)
            left += parts(part)

    def test_our_checker_agrees_with_jsonschema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("skipped: no jsonschema; to run it: apt-get install python3-jsonschema")
        jsonschema.Draft202012Validator.check_schema(self.schema)
        definition = {"$ref": "#/$defs/summary_row", "$defs": self.schema["$defs"]}
        reference = jsonschema.Draft202012Validator(definition)
        row = fake_runs.make_run(self.folder, "001", RACY, 2)
        for column, value in (("run", "001"),) + BAD_CELLS:
            fields = {**row, column: value}
            cells = {name: checked_files.typed(str(text), self.schema["$defs"]["summary_row"]["properties"][name])
                     for name, text in fields.items()}
            ours = not any(True for _ in checking.violations(cells, self.schema["$defs"]["summary_row"], self.schema))
            self.assertEqual(ours, reference.is_valid(cells), (column, value))


if __name__ == "__main__":
    unittest.main()
