"""Laws of reading result folders: nothing measured is lost, nothing torn is used."""

import gzip
import json
import math
import unittest

import fake_runs
from plot.files import schema
from plot.files.columns import AXES, PARTS_OF_MEMORY, memory_of, parts_of_memory
from plot.files.errors import Missing, ResultsError
from plot.files.naming import groups
from plot.files.reading import read_results
from scratch import Scratch

RACY = ("hogwild", "racy", "none")


class Reading(Scratch):
    def one_run(self, **options):
        row = fake_runs.make_run(self.folder, "001-racy", RACY, 2, **options)
        fake_runs.make_summary(self.folder, [row])
        return self.folder / "001-racy"

    def test_every_row_is_a_run_in_order(self):
        rows = fake_runs.make_results(self.folder, threads=(1, 2))
        results = read_results([self.folder])
        self.assertEqual([run.name for run in results.runs], [row["run"] for row in rows])
        self.assertEqual([run.status for run in results.runs], [row["status"] for row in rows])
        self.assertEqual(results.warnings, [])

    def test_values_are_those_of_the_files(self):
        self.one_run()
        run = read_results([self.folder]).runs[0]
        self.assertEqual((run.threads, run.axes["update"], run.optimum), (2, "racy", fake_runs.OPTIMUM))
        self.assertEqual(len(run.trace["seconds"]), 51)
        self.assertEqual(run.trace["train_loss"][0], fake_runs.START)
        self.assertEqual(run.trace["updates"][-1], 5 * fake_runs.ROWS)

    def test_a_run_has_the_ceilings_of_a_machine_like_its_own(self):
        manifest = self.one_run() / "manifest.json"
        measured = {"bandwidth": [{"workers": 1, "array_bytes": 8, "read_bytes_per_second": 1, "triad_bytes_per_second": 1}],
                    "line_transfer_ns": None, "draw_ns": 1, "increments": []}
        mine, other = ({"machine": {"cpu": name, "cores": 2}, "measured": {**measured, "draw_ns": ns}} for name, ns in (("mine", 2), ("other", 3)))
        facts = json.loads(manifest.read_text()) | {"machine": mine["machine"]}
        manifest.write_text(json.dumps(facts))
        (self.folder / "ceilings-1of2.json").write_text(json.dumps(other))
        self.assertEqual(read_results([self.folder]).runs[0].ceilings, {})
        (self.folder / "ceilings-2of2.json").write_text(json.dumps(mine))
        self.assertEqual(read_results([self.folder]).runs[0].ceilings, mine["measured"])
        (self.folder / "ceilings-1of2.json").write_text("{torn")
        results = read_results([self.folder])
        self.assertEqual((results.runs[0].ceilings, len(results.warnings)), (mine["measured"], 1))

    def test_runs_on_other_contents_of_one_name_share_no_group(self):
        rows = [fake_runs.make_run(self.folder, f"00{seed}", RACY, 2, seed=seed) for seed in (1, 2, 3, 4)]
        fake_runs.make_summary(self.folder, rows)
        for row, data, test in zip(rows, ("aa", "aa", "bb", None), ("cc", None, "cc", "dd")):
            path = self.folder / row["run"] / "manifest.json"
            facts = json.loads(path.read_text())
            described = lambda samples: {**facts["data"], "hash": samples}
            path.write_text(json.dumps({**facts, "data": described(data) if data else 1, "test": described(test) if test else None}))
        results = read_results([self.folder])
        name = rows[0]["data"]
        self.assertEqual([run.axes["data"] for run in results.runs],
                         [f"{name} (content aa, test samples cc)", f"{name} (content aa)", f"{name} (content bb, test samples cc)",
                          f"{name} (test samples dd)"])
        self.assertEqual(len(groups(results.runs)), 4)
        self.assertEqual([warning.split(" changed ")[0] for warning in results.warnings[1:]], [f"the content of {name}", f"the test samples of {name}"])

    def test_a_torn_last_line_is_left_out_with_a_warning(self):
        trace = self.one_run() / "trace.csv"
        text = trace.read_text()
        whole = len(read_results([self.folder]).runs[0].trace["seconds"])
        last = text.rstrip("\n").rfind("\n") + 1
        for length in range(last + 1, len(text)):  # cut anywhere in the last line, even where half a number is one
            trace.write_text(text[:length])
            results = read_results([self.folder])
            self.assertEqual(len(results.runs[0].trace["seconds"]), whole - 1, text[last:length])
            self.assertEqual(len(results.warnings), 1)
            self.assertIn("torn last line", results.warnings[0])

    def test_a_torn_row_of_the_summary_leaves_its_run_interrupted(self):
        rows = fake_runs.make_results(self.folder, threads=(2,))
        summary = self.folder / "summary.csv"
        summary.write_text(summary.read_text()[:-20])
        results = read_results([self.folder])
        self.assertEqual(len(results.runs), len(rows))
        self.assertEqual((results.runs[-1].name, results.runs[-1].status), (rows[-1]["run"], "interrupted"))

    def test_a_run_without_a_row_has_the_axes_of_its_manifest(self):
        for method in fake_runs.METHODS:
            row = fake_runs.make_run(self.folder, f"run-{'-'.join(method)}", method, 2)
            run = next(run for run in read_results([self.folder]).runs if run.name == row["run"])
            for axis in ("problem", "data", "scheme", "update", "guard", "threads", "batch", "exchange", "l2", "seed"):
                self.assertEqual(run.axes[axis], str(row[axis]), (method, axis))

    def test_a_run_without_a_row_takes_the_axes_that_its_manifest_says_and_no_others(self):
        row = fake_runs.make_run(self.folder, "run", RACY, 2)
        manifest = self.folder / row["run"] / "manifest.json"
        facts = json.loads(manifest.read_text())
        facts["plan"] |= {"streams": 4, "optimizer": "adam", "beta1": 0.9}
        facts["plan"] |= {"hot": 7}
        del facts["axes"]["hot"]
        facts["axes"] |= {"optimizer": "adam", "beta1": "0.9", "unknown": "7"}
        manifest.write_text(json.dumps(facts))
        axes = read_results([self.folder]).runs[0].axes
        self.assertEqual(axes, {axis: str(row[axis]) for axis in AXES} | {"optimizer": "adam", "beta1": "0.9"})

    def test_a_run_of_version_1_without_a_row_has_its_plans_axes(self):
        row = fake_runs.make_run(self.folder, "run", RACY, 2)
        manifest = self.folder / row["run"] / "manifest.json"
        facts = json.loads(manifest.read_text())
        for key in ("schema", "axes"):
            del facts[key]
        del facts["plan"]["placement"]
        manifest.write_text(json.dumps(facts))
        axes = read_results([self.folder]).runs[0].axes
        self.assertEqual((axes["data"], axes["update"], axes["threads"], axes["seed"]), (row["data"], "racy", "2", "1"))
        self.assertEqual((axes["streams"], axes["placement"], axes["optimizer"]), ("2", "stored", ""))

    def test_columns_that_an_older_program_did_not_write_have_their_defaults(self):
        run = self.one_run()
        whole = read_results([self.folder])
        for path, name in ((self.folder / "summary.csv", "summary_row"), (run / "trace.csv", "trace_row")):
            fake_runs.keep_columns(path, schema.load()["$defs"][name]["required"])
        older = read_results([self.folder])
        self.assertEqual((older.runs[0].axes, older.warnings), (whole.runs[0].axes, []))
        self.assertEqual(list(older.runs[0].trace), list(whole.runs[0].trace))
        self.assertTrue(all(math.isnan(value) for value in older.runs[0].trace["cut_value"]))
        fake_runs.keep_columns(self.folder / "summary.csv", ["run", "scheme", "status"])
        with self.assertRaisesRegex(ResultsError, "summary.csv:1: column 'problem' is missing"):
            read_results([self.folder])

    def test_a_memory_is_called_by_all_that_it_is_whatever_version_wrote_it(self):
        for memory, numbers, rounding, name in (("host", "float32", "unbiased", "host"), ("host", "fp64", "unbiased", "host-fp64"),
                                                ("host", "int8", "nearest", "host-int8-nearest"), ("device", "bf16", "unbiased", "device-bf16"),
                                                ("managed-host", "float32", "unbiased", "managed-host")):
            with self.subTest(name):
                row = fake_runs.make_run(self.folder, name, RACY, 2, memory=memory, numbers=numbers, rounding=rounding)
                unfinished, = (run for run in read_results([self.folder]).runs if run.name == name)
                fake_runs.make_summary(self.folder, [row])
                run = next(run for run in read_results([self.folder]).runs if run.name == name)
                old = dict(row, memory=name)
                fake_runs.make_summary(self.folder, [old])
                fake_runs.keep_columns(self.folder / "summary.csv", [column for column in fake_runs.SUMMARY if column not in PARTS_OF_MEMORY])
                older = next(run for run in read_results([self.folder]).runs if run.name == name)
                for each in (unfinished, run, older):
                    self.assertEqual(each.axes["memory"], name)
                    self.assertEqual(list(each.axes), list(AXES))
                self.assertEqual((older.axes, older.row), (run.axes, run.row))
                self.assertEqual(memory_of(parts_of_memory(name)), name)
                self.assertEqual(parts_of_memory(name), {"memory": memory, "numbers": numbers, "rounding": rounding})
                (self.folder / "summary.csv").unlink()

    def test_a_summary_may_lie_compressed(self):
        self.one_run()
        plain = self.folder / "summary.csv"
        whole = read_results([self.folder])
        packed = plain.with_name("summary.csv.gz")
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
        self.assertEqual(read_results([self.folder]).runs[0].row, whole.runs[0].row)
        packed.write_bytes(packed.read_bytes()[:-20])
        with self.assertRaisesRegex(ResultsError, r"summary.csv.gz: cannot be unpacked \(.+\); .+"):
            read_results([self.folder])

    def test_a_missing_trace_or_manifest_costs_a_warning_only(self):
        run = self.one_run()
        (run / "manifest.json").write_text('{"run": "001-r')
        self.assertEqual(len(read_results([self.folder]).warnings), 1)
        (run / "trace.csv").unlink()
        results = read_results([self.folder])
        self.assertEqual((len(results.runs), len(results.warnings)), (1, 2))
        self.assertEqual(results.runs[0].trace, {})

    def sweep_of(self, count):
        """Complete runs of a sweep, which have their rows beside their traces; returns the rows."""
        rows = [fake_runs.make_run(self.folder, f"run-{seed}", RACY, 2, seed) for seed in range(count)]
        for row in rows:
            fake_runs.write_table(self.folder / row["run"] / "row.csv", fake_runs.SUMMARY, [row])
        return rows

    def test_complete_runs_that_a_sweep_no_longer_asks_for_are_left_out_with_one_warning(self):
        rows = self.sweep_of(4)
        fake_runs.make_summary(self.folder, rows[1:3])
        results = read_results([self.folder])
        self.assertEqual([run.name for run in results.runs], ["run-1", "run-2"])
        self.assertEqual(len(results.warnings), 1)
        self.assertRegex(results.warnings[0], r": 2 complete runs left out \(summary\.csv does not have them: .+\); .+")
        fake_runs.make_summary(self.folder, rows[1:])
        self.assertRegex(read_results([self.folder]).warnings[0], r": 1 complete run left out \(summary\.csv does not have it: ")
        fake_runs.make_summary(self.folder, rows)
        self.assertEqual(read_results([self.folder]).warnings, [])

    def test_runs_of_a_sweep_without_a_summary_yet_are_read_from_their_own_rows(self):
        rows = self.sweep_of(2)
        results = read_results([self.folder])
        self.assertEqual([(run.name, run.status, run.totals["seconds"]) for run in results.runs],
                         [(row["run"], "done", row["seconds"]) for row in rows])
        self.assertEqual(results.warnings, [])

    def test_a_folder_without_a_row_of_any_kind_is_an_interrupted_run(self):
        rows = self.sweep_of(3)
        (self.folder / "run-2" / "row.csv").unlink()
        fake_runs.make_summary(self.folder, rows[:2])
        results = read_results([self.folder])
        self.assertEqual([run.status for run in results.runs], ["done", "done", "interrupted"])
        self.assertEqual(len(results.warnings), 1)

    def test_counts_of_staleness_are_read_where_they_are_and_damaged_ones_cost_a_warning_only(self):
        run = self.one_run()
        self.assertEqual(read_results([self.folder]).runs[0].staleness, {})
        fake_runs.make_staleness(run, {"cpu": [(0, 0, 8), (64, 65, 2)], "gpu": [(3, 3, 1)]})
        results = read_results([self.folder])
        self.assertEqual((results.runs[0].staleness, results.warnings), ({"cpu": [(0, 0, 8), (64, 65, 2)], "gpu": [(3, 3, 1)]}, []))
        text = (run / "staleness.csv").read_text()
        for damage in ("", "device,steps\n", text.replace("64,65,2", "64,5,2"), text.replace("64,65,2", "0,65,2"), text.replace("64,65,2", "64,65,-2"),
                       text.replace("64,65,2", "64,65,inf"), text.replace("64,65,2", "64,65,few")):
            (run / "staleness.csv").write_text(damage)
            results = read_results([self.folder])
            self.assertEqual((results.runs[0].staleness, len(results.warnings), len(results.runs[0].trace["seconds"])), ({}, 1, 51), damage)

    def test_counts_of_layers_are_read_likewise(self):
        run = self.one_run()
        fake_runs.make_layer_staleness(run, {1: [(0, 0, 8), (64, 65, 2)], 10: [(3, 3, 1)]})
        results = read_results([self.folder])
        self.assertEqual((results.runs[0].layers, results.warnings), ({("cpu", 1): [(0, 0, 8), (64, 65, 2)], ("cpu", 10): [(3, 3, 1)]}, []))
        (run / "layer_staleness.csv").write_text("device,layer,from,to,steps\ncpu,first,0,0,1\n")
        results = read_results([self.folder])
        self.assertEqual((results.runs[0].layers, len(results.warnings)), ({}, 1))

    def test_batches_are_read_by_device_and_a_damaged_file_is_worth_a_warning(self):
        run = self.one_run()
        fake_runs.make_batches(run, {"cpu": [(0, 16, 0)], "gpu": [(0, 16, 0), (0.25, 32, 40)]})
        results = read_results([self.folder])
        self.assertEqual((results.runs[0].batches, results.warnings), ({"cpu": [(0, 16, 0)], "gpu": [(0, 16, 0), (0.25, 32, 40)]}, []))
        for damage in ("gpu,0,0,0", "gpu,0,many,0", "gpu,-1,16,0", "gpu,0,1.5,0"):
            (run / "batches.csv").write_text(f"device,seconds,batch,steps\n{damage}\n")
            results = read_results([self.folder])
            self.assertEqual((results.runs[0].batches, len(results.warnings)), ({}, 1), damage)

    def test_hidden_folders_are_no_runs(self):
        self.one_run()
        (self.folder / "001-racy").rename(self.folder / ".002-racy.unfinished")
        self.assertEqual([run.name for run in read_results([self.folder]).runs], ["001-racy"])

    def test_a_name_with_commas_quotes_and_line_ends_survives(self):
        name = 'a,"b"\nc'
        row = fake_runs.make_run(self.folder, "001", RACY, 2, data=name)
        fake_runs.make_summary(self.folder, [row])
        self.assertEqual(read_results([self.folder]).runs[0].axes["data"], name)

    def test_nothing_to_read_is_an_error_with_advice(self):
        for prepare in (lambda: None, lambda: fake_runs.make_summary(self.folder, []),
                        lambda: (self.folder / "summary.csv").write_text("")):
            prepare()
            with self.assertRaisesRegex(ResultsError, r".+ \(.+\); .+"):
                read_results([self.folder])
        self.assertEqual(ResultsError.exit_status, 1)  # of files that are there
        for prepare, said in ((lambda: None, r"absent is not there \("), ((self.folder / "absent").mkdir, r"absent holds no results \(it has no summary.csv\); ")):
            prepare()
            with self.assertRaisesRegex(Missing, said) as caught:
                read_results([self.folder / "absent"])
            self.assertEqual(caught.exception.exit_status, 69)

    def test_damage_in_the_middle_names_file_and_line(self):
        row = fake_runs.make_run(self.folder, "001", RACY, 2)
        good = fake_runs.make_run(self.folder, "002", RACY, 2)
        fake_runs.make_summary(self.folder, [{**row, "seconds": "fast"}, good])
        with self.assertRaisesRegex(ResultsError, r"summary\.csv:2: seconds: 'fast' is not a number \(.+\); "):
            read_results([self.folder])

    def test_a_row_cannot_point_outside_of_its_folder(self):
        row = fake_runs.make_run(self.folder, "001", RACY, 2)
        for name in ("../elsewhere", "..", "", "/etc"):
            fake_runs.make_summary(self.folder, [{**row, "run": name}])
            with self.assertRaisesRegex(ResultsError, "not a folder name"):
                read_results([self.folder])

    def test_a_manifest_of_another_shape_takes_nothing_from_the_run(self):
        run = self.one_run()
        odd = {"optimum": "low", "machine": 3, "data": 4, "plan": [], "command": 5}
        for text in ("[]", "null", '{"optimum": true}', json.dumps(odd)):
            (run / "manifest.json").write_text(text)
            read = read_results([self.folder]).runs[0]
            self.assertTrue(math.isnan(read.optimum))
            self.assertEqual(len(read.trace["seconds"]), 51)


if __name__ == "__main__":
    unittest.main()
