"""Numbers that no run measures cost a figure its curve, never the report."""

import csv
import io
import json
import math
import unittest
from contextlib import redirect_stderr, redirect_stdout

import fake_runs
from plot.files.drawable import drawable
from plot.files.reading import read_results
from report import report as program
from scratch import Scratch

RACY = ("hogwild", "racy", "none")


class Drawable(Scratch):
    def setUp(self):
        super().setUp()
        rows = [fake_runs.make_run(self.folder, f"{method[0]}{seed}", method, 2, seed=seed) for method in (("serial", "", ""), RACY) for seed in (1, 2)]
        self.rows = [row | {"updates_to_target": row["updates"], "seconds_to_target": row["seconds"]} for row in rows]

    def runs(self, change, cells=()):
        """Read as figures do, where the last trace and row say so."""
        fake_runs.make_summary(self.folder, [*self.rows[:-1], self.rows[-1] | dict(cells)])
        path = self.folder / "hogwild2" / "trace.csv"
        with open(path, newline="") as file:
            seen = list(csv.DictReader(file))
        fake_runs.write_table(path, fake_runs.TRACE, [*seen[:-1], seen[-1] | change])
        return drawable(read_results([self.folder]))

    def test_clocks_that_show_no_time_are_no_curve_which_is_said(self):
        for column, value in (("seconds", -1), ("seconds", ""), ("epoch", "inf"), ("updates", 1e300), ("updates", "nan")):
            with self.subTest(column=column, value=value):
                results = self.runs({column: value})
                self.assertEqual([bool(run.trace) for run in results.runs], [True, True, True, False])
                self.assertIn(f"no curve ({column} of an observation is no time)", results.warnings[-1])
                self.runs({column: self.rows[-1].get(column, 5)})

    def test_a_loss_too_large_for_an_axis_is_infinite(self):
        self.assertEqual(self.runs({"train_loss": -1e300}).runs[-1].trace["train_loss"][-1], -math.inf)

    def test_a_report_of_such_numbers_is_written(self):
        for change, cells in (({"train_loss": 1e308, "test_loss": -1e308, "optimality_bound": -1e308}, {"train_loss": 1e308, "updates_to_target": "inf"}),
                              ({}, {"updates_per_second": 1e308, "seconds": 1e-308, "updates": -1e308, "updates_to_target": 1e308})):
            self.runs(change, cells)
            with self.subTest(change=change, cells=cells), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                program.main([str(self.folder)])
                self.assertTrue((self.folder / "report.html").is_file())

    def test_a_run_without_a_row_has_no_axis_that_is_no_number(self):
        fake_runs.make_summary(self.folder, self.rows[:-1])
        path = self.folder / "hogwild2" / "manifest.json"
        facts = json.loads(path.read_text())
        path.write_text(json.dumps({**facts, "axes": {**facts["axes"], "step_size": "soon", "delay": [1], "threads": "nan", "l2": "1e-4"}}))
        axes = read_results([self.folder]).runs[-1].axes
        self.assertEqual([axes[name] for name in ("step_size", "delay", "threads", "l2")], ["", "", "", "1e-4"])


if __name__ == "__main__":
    unittest.main()
