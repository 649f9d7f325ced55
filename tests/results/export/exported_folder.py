"""What tests of exports share: a folder of made-up runs, the program, and readers of what it wrote."""

import calendar
import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout

import event_files
import fake_runs
from export import export as program
from plot.files.columns import PARTS_OF_MEMORY
from plot.files.errors import ResultsError
from scratch import Scratch

SERIAL, RACY = ("serial", "", ""), ("hogwild", "racy", "none")
STARTED = calendar.timegm((2026, 1, 2, 3, 4, 5))  # as fake_runs says
CURVES = ("epoch", "train_loss", "test_loss", "test_error", "optimality_bound")
AXES = [axis for axis in fake_runs.SUMMARY[1:fake_runs.SUMMARY.index("status")] if axis not in PARTS_OF_MEMORY]


class Exported(Scratch):
    def setUp(self):
        super().setUp()
        self.scratch = self.folder
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
