"""A manifest that is well formed may say anything: what schema.json does not allow is left out and named, and no script meets it."""

import io
import json
import random
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import fake_runs
import validate
from export import export
from plot.files import documents
from plot.files.errors import ResultsError
from plot.files.reading import read_results
from report import figures
from report import report as program
from scratch import Scratch

DEEP = "[" * 5000 + "]" * 5000
TEXTS = ("null", "true", "-1", "1e308", '""', '"nan"', '"<script>alert(1)</script>"', '"a\\u0000b"', '"\\ud800"', "[]", "[1]", '["a"]', "[[1]]", "{}",
         '{"a": 1}', "[{}]", '[{"name": 1}]', str(2**63), "0.5")
NO_JSON = {"1e999": "1e999 is no finite number", "NaN": "NaN is no finite number", str(10**400): "1000000000000000000000000000000000000000 has more than 64 bits",
           DEEP: "it is nested too deep", "[" * 70 + "]" * 70: "it is nested too deep", '{"a": 1, "a": 2}': "key 'a' stands twice"}
PARTS = ("started", "command", "data", "test", "optimum", "machine", "build", "gpus", "cuda", "worker_updates", "gpu_team_updates", "worker_exchanges",
         "later_parts", "finals", "tuned", "target_of", "ended", "seed", "axes", "plan")


class Manifests(Scratch):
    def setUp(self):
        super().setUp()
        rows = [fake_runs.make_run(self.folder, f"00{seed}", ("hogwild", "racy", "none"), 2, seed=seed) for seed in range(1, 31)]
        fake_runs.make_summary(self.folder, rows)
        self.paths = sorted(self.folder.glob("*/manifest.json"))

    def write(self, path, part, text):
        facts = json.loads(self.whole[path])
        facts[part] = "here"
        path.write_text(json.dumps(facts).replace('"here"', text))

    def each_text(self):
        """Every part as every text, some runs at once."""
        self.whole = {path: path.read_text() for path in self.paths}
        cases = [(part, text) for part in PARTS for text in TEXTS]
        random.Random(1).shuffle(cases)
        for first in range(0, len(cases), len(self.paths)):
            now = cases[first:first + len(self.paths)]
            for path, (part, text) in zip(self.paths, now):
                self.write(path, part, text)
            yield now

    def test_reports_and_exports_of_any_manifests_are_written(self):
        nothing = mock.Mock(return_value=[])
        for number, case in enumerate(self.each_text()):
            with self.subTest(case), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), mock.patch("os.fsync"), mock.patch.multiple(
                    figures, draw_all=nothing, draw_across_sets=nothing, draw_across_delays=nothing):
                program.main([str(self.folder)])
                self.assertNotIn("<script>alert", (self.folder / "report.html").read_text())
                export.main([str(self.folder), "--mlflow", str(self.folder / f".out{number}")])
                validate.main([str(self.folder)])

    def test_what_is_left_out_is_named_by_file_and_part(self):
        self.whole = {path: path.read_text() for path in self.paths}
        for part, text in (("worker_exchanges", '["a"]'), ("gpus", "3"), ("machine", '{"cpu": 1, "cores": 2}'), ("worker_updates", '[1, "a"]')):
            self.write(self.paths[0], part, text)
            results = read_results([self.folder])
            self.assertNotIn(part, results.runs[0].manifest)
            self.assertRegex(results.warnings[0], rf"^{self.paths[0]}: '{part}' left out \(.+\); ")
            self.assertEqual(len(results.runs[1].manifest), len(json.loads(self.whole[self.paths[1]])))

    def test_what_is_no_json_to_the_program_is_none_here(self):
        self.whole = {path: path.read_text() for path in self.paths}
        for text, why in NO_JSON.items():
            self.write(self.paths[0], "more", text)
            self.assertEqual(read_results([self.folder]).warnings[0], f"{self.paths[0]}: not JSON ({why}); run it again; the figure does without")
            with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
                self.assertEqual(validate.main([str(self.folder)]), 1)
            self.assertIn(f"{self.paths[0]}: not JSON ({why})", said.getvalue())

    def test_a_version_of_thousands_of_digits_is_none(self):
        (self.folder / "schema").write_text("9" * 5000)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            self.assertIn(validate.main([str(self.folder)]), (0, 1))

    @unittest.skipUnless(documents.tomllib, "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_a_sweep_file_nested_without_end_is_refused_by_name(self):
        for text in ("a = " + DEEP, ".".join("a" * 100) + " = 1"):
            (self.folder / "sweep.toml").write_text(text)
            with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
                self.assertEqual(validate.main([str(self.folder)]), 1)
            self.assertIn("sweep.toml: not TOML (it is nested too deep)", said.getvalue())

    def test_a_cell_that_is_no_number_is_refused_by_file_line_and_column(self):
        summary = Path(self.folder / "summary.csv")
        lines = summary.read_text().splitlines()
        header = lines[0].split(",")
        for column in ("step_size", "threads", "wait_share", "gpu_staleness_p99"):
            row = lines[2].split(",")
            row[header.index(column)] = "../x"
            summary.write_text("\n".join([*lines[:2], ",".join(row), *lines[3:]]) + "\n")
            with self.assertRaisesRegex(ResultsError, rf"^{summary}:3: {column}: '\.\./x' is not a number"):
                read_results([self.folder])


if __name__ == "__main__":
    unittest.main()
