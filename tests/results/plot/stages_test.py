"""Laws of the figure of stages: it is drawn from what the benchmark writes, the best repetition counts, other files are refused."""

import io
import json
import re
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import fake_runs
from plot import stages
from plot.files.errors import Missing, ResultsError
from plot.style import styling


def row(name, rate, **parts):
    """As Google Benchmark writes one repetition."""
    return {"name": f"{name}/min_time:0.020/manual_time", "run_type": "iteration", "images/s": rate, **parts}


class Stages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def file(self, rows, **context):
        path = self.folder / "stages.json"
        path.write_text(json.dumps({"context": context, "benchmarks": rows}))
        return path

    def test_the_best_repetition_counts_and_parts_are_medians(self):
        rows = [row("tuned/a", rate, load=load, backward=1.0) for rate, load in ((5e4, 1.0), (9e4, 3.0), (7e4, 1.0))]
        rows += [row("numpy/a", 40), row("ceiling", 1e11)]
        aggregate = {**row("tuned/a_median", 1e9), "run_type": "aggregate"}
        shapes, _ = stages.read(self.file(rows + [aggregate]))
        tuned, numpy = shapes["a"]
        self.assertEqual((tuned.rate, numpy.rate), (9e4, 40))
        self.assertEqual(tuned.shares(), {"load": 0.5, "backward": 0.5})
        self.assertEqual(numpy.shares(), {})
        self.assertEqual(stages.order(shapes), ["numpy", "tuned"])

    def test_stages_build_on_one_another_whatever_the_order_of_rows_is_and_those_of_a_gpu_follow(self):
        shapes, _ = stages.read(self.file([row(f"{name}/a", rate) for name, rate in
                                           (("gpu fused", 9e5), ("fused", 3), ("gpu plain", 5), ("plain", 4), ("numpy", 9))]))
        self.assertEqual(stages.order(shapes), ["numpy", "plain", "fused", "gpu plain", "gpu fused"])

    def test_a_printed_table_is_read_as_the_file_of_repetitions_is(self):
        path = self.folder / "stages.txt"
        path.write_text("""$ stages_bench --data mnist
2026-11-25T06:27:59+00:00
Run on (16 X 2100 MHz CPU s)
data: mnist: 60,000 samples, 44.9 MiB as arrays
stage/shape        images/s  over zeroth  load us  convolution us  pooling us  backward us  update us  copies us  Gflop/s
-----------------  --------  -----------  -------  --------------  ----------  -----------  ---------  ---------  -------
numpy/lenet-1           136        1.00x        -               -           -            -          -          -        -
tuned/lenet-1        3.16 M    23300.57x    0.051           0.445           0        1,070     0.0149          0    1,030

Rates: best repetition. A core's ceiling: 163 Gflop/s.
""")
        shapes, origin = stages.read(path)
        numpy, tuned = shapes["lenet-1"]
        self.assertEqual((numpy.rate, numpy.shares(), tuned.rate), (136, {}, 3.16e6))
        self.assertEqual(tuned.parts, {"load": [0.051], "convolution": [0.445], "pooling": [0], "backward": [1070], "update": [0.0149],
                                       "copies": [0]})
        self.assertEqual(origin, {"command": "stages_bench --data mnist", "data": "mnist: 60,000 samples, 44.9 MiB as arrays"})
        for folder in ("gpu-h200", "bench-2-cores"):
            shapes, _ = stages.read(fake_runs.RESULTS / "reference" / folder / "stages.txt")
            self.assertEqual(list(shapes), stages.SHAPES)

    def test_the_figure_says_where_its_numbers_come_from_and_what_it_cannot_show(self):
        rows = [row("numpy/a", 1), row("tuned/a", 9, load=1.0), row("gpu-fused/a", 99, load=1.0)]
        path = self.file(rows, command="stages_bench --data mnist", commit=f"{'abc12345' * 5}+dirty", cpu="A Processor", cores="16", gpu="A GPU",
                         data="mnist: 60,000 samples")

        def texts(path, *more):
            out = self.folder / "it.png"
            with redirect_stdout(io.StringIO()):
                stages.main([str(path), "-o", str(out), *more])
            return " ".join(re.findall(r"<!-- (.*?) -->", out.with_suffix(".svg").read_text())).replace("- -", "--")

        said = texts(path, "--commit", "another")
        for words in ("measured: stages_bench --data mnist", "drawn: python3 results/plot/stages.py", "A Processor, 16 cores, A GPU",
                      "·  commit abc12345+dirty", "data mnist", "tuned, 16 threads", "without a captured graph", "numpy: none, since"):
            self.assertIn(words, said)
        said = texts(self.file(rows[1:2]))
        for words in ("measured:", "captured graph", "none, since", "threads", "commit"):
            self.assertNotIn(words, said)
        self.assertIn("machine not recorded", said)
        self.assertIn("·  commit another", texts(self.file(rows), "--commit", "another"))

    def test_it_draws_in_every_size(self):
        path = self.file([row(f"{stage}/{shape}", 10.0 ** k, load=1e-5, convolution=3e-5, backward=1e-4)
                          for k, stage in enumerate(("plain", "fused", "tuned")) for shape in ("a", "b") if (stage, shape) != ("fused", "b")])
        for size in styling.SIZES:
            said = io.StringIO()
            with redirect_stdout(said):
                stages.main([str(path), "-o", str(self.folder / f"{size}.png"), "--size", size])
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
        with self.assertRaisesRegex(Missing, "; name a file of stages_bench"):
            stages.main([str(self.folder / "none.json")])


if __name__ == "__main__":
    unittest.main()
