"""Laws of the figure of stages: it is drawn from what the benchmark writes, the best repetition counts, other files are refused."""

import io
import json
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import fake_runs  # noqa: F401, for the import path
from plot import stages, styling
from plot.errors import ResultsError


def row(name, rate, **parts):
    """As Google Benchmark writes one repetition."""
    return {"name": f"{name}/min_time:0.020/manual_time", "run_type": "iteration", "images/s": rate, **parts}


class Stages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def file(self, rows):
        path = self.folder / "stages.json"
        path.write_text(json.dumps({"context": {}, "benchmarks": rows}))
        return path

    def test_the_best_repetition_counts_and_parts_are_medians(self):
        rows = [row("tuned/a", rate, load=load, backward=1.0) for rate, load in ((5e4, 1.0), (9e4, 3.0), (7e4, 1.0))]
        rows += [row("numpy/a", 40), row("ceiling", 1e11)]
        aggregate = {**row("tuned/a_median", 1e9), "run_type": "aggregate"}
        shapes = stages.read(self.file(rows + [aggregate]))
        tuned, numpy = shapes["a"]
        self.assertEqual((tuned.rate, numpy.rate), (9e4, 40))
        self.assertEqual(tuned.shares(), {"load": 0.5, "backward": 0.5})
        self.assertEqual(numpy.shares(), {})
        self.assertEqual(stages.order(shapes), ["numpy", "tuned"])

    def test_stages_build_on_one_another_whatever_the_order_of_rows_is_and_those_of_a_gpu_follow(self):
        shapes = stages.read(self.file([row(f"{name}/a", rate) for name, rate in
                                        (("gpu fused", 9e5), ("fused", 3), ("gpu plain", 5), ("plain", 4), ("numpy", 9))]))
        self.assertEqual(stages.order(shapes), ["numpy", "plain", "fused", "gpu plain", "gpu fused"])

    def test_it_draws_in_every_size(self):
        path = self.file([row(f"{stage}/{shape}", 10.0 ** k, load=1e-5, convolution=3e-5, backward=1e-4)
                          for k, stage in enumerate(("plain", "fused", "tuned")) for shape in ("a", "b") if (stage, shape) != ("fused", "b")])
        for size in styling.SIZES:
            said = io.StringIO()
            with redirect_stdout(said):
                self.assertEqual(stages.main([str(path), "-o", str(self.folder / f"{size}.png"), "--size", size]), 0)
            self.assertTrue((self.folder / f"{size}.png").read_bytes().startswith(b"\x89PNG"))
            self.assertTrue((self.folder / f"{size}.svg").exists())

    def test_other_files_are_refused(self):
        other = self.folder / "other.json"
        for text in ("{", "[]", "{}", '{"benchmarks": 3}', '{"benchmarks": [{"run_type": "iteration"}]}'):
            other.write_text(text)
            with self.assertRaisesRegex(ResultsError, "no results of a benchmark"):
                stages.read(other)
        with self.assertRaisesRegex(ResultsError, "no stage in it"):
            stages.read(self.file([row("ceiling", 1e11), {"name": "x/y", "run_type": "iteration", "nonzeros/s": 3}]))
        said = io.StringIO()
        with redirect_stderr(said):
            self.assertEqual(stages.main([str(self.folder / "none.json")]), 1)
        self.assertIn("; name a file of stages_bench", said.getvalue())


if __name__ == "__main__":
    unittest.main()
