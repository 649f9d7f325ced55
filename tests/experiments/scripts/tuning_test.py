"""Laws of tuning: the best median time wins, a miss takes forever, an edge is said. A problem has its own target and unit of steps."""

import argparse
import contextlib
import io
import json
import sys
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "experiments" / "scripts"))
import tuning  # noqa: E402

GRID = (1.0, 3.0, 9.0)


def rows(seconds, losses=()):
    """The rows of each step, one row a seed; None: missed."""
    return lambda value, steps: [{"step_size": step, "seconds_to_target": "" if second is None else str(second),
                                  "train_loss": str(loss)}
                                 for step, times, lost in zip(steps, seconds, losses or [[1] * len(times) for times in seconds])
                                 for second, loss in zip(times, lost)]


class Tuning(unittest.TestCase):
    def chosen(self, *measured):
        return tuning.choose(tuning.Method("m", "--scheme hogwild"), 1.0, rows(*measured), GRID)

    def test_the_median_over_seeds_decides(self):
        self.assertEqual(self.chosen([[5, 5, 5], [4, 4, 99], [1, 6, 6]]), (None, "0.3", False))

    def test_a_miss_takes_forever(self):
        self.assertEqual(self.chosen([[9, 9], [1, None], [8, 8]])[1], "0.9")

    def test_among_misses_the_lower_loss_is_better(self):
        self.assertEqual(self.chosen([[None], [None], [None]], [[0.5], [0.4], [0.6]])[1], "0.3")

    def test_a_step_that_was_left_out_is_never_chosen(self):
        self.assertEqual(self.chosen([[9], [8]])[1], "0.3")

    def test_a_best_step_at_either_end_is_at_the_edge(self):
        self.assertTrue(self.chosen([[1], [2], [3]])[2])
        self.assertTrue(self.chosen([[3], [2], [1]])[2])
        self.assertFalse(self.chosen([[3], [1], [2]])[2])

    def test_a_batch_is_chosen_with_its_step_and_has_edges(self):
        method = tuning.Method("minibatch", "--scheme minibatch", "batch", (64, 256, 1024))
        for best, edge in ((64, True), (256, False), (1024, True)):
            value, step, at_edge = tuning.choose(
                method, 1.0, lambda value, steps: rows([[5], [1 if value == best else 4], [5]])(value, steps), GRID)
            self.assertEqual((value, float(step), at_edge), (best, float(f"{0.3 * best:.3g}"), edge))


class Problems(unittest.TestCase):
    def arguments(self, *words):
        parser = argparse.ArgumentParser()
        tuning.add_problem(parser)
        return parser.parse_args(words, argparse.Namespace(program="hogwild", path="made", base=None))

    def test_unless_it_is_said_the_problem_is_hinge_to_a_gap_of_a_hundredth(self):
        self.assertEqual(tuning.problem_options(self.arguments()),
                         "--problem hinge --l2 1e-4 --target gap:1e-2".split())

    def test_a_problem_that_is_not_linear_takes_hogwild_s_lambda(self):
        self.assertEqual(tuning.problem_options(self.arguments("--problem", "cut", "--target", "0.3")),
                         "--problem cut --target 0.3".split())

    def test_linear_problems_are_those_that_the_program_lists(self):
        listed = json.loads((ROOT / "results" / "axes.json").read_text(encoding="utf-8"))["problems"]
        self.assertEqual(list(tuning.LINEAR), [problem["name"] for problem in listed if problem["sparse_rows"]])

    def test_a_gap_is_refused_where_no_optimum_is_certified(self):
        for problem in tuning.LINEAR:
            tuning.check_target(self.arguments("--problem", problem))
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as end:
            tuning.check_target(self.arguments("--problem", "factorization"))
        self.assertEqual(end.exception.code, 2)
        self.assertRegex(said.getvalue(), r"--target gap:1e-2 is no target of factorization \(.+\); .+\n$")

    def test_the_unit_of_steps_is_by_the_samples_norm_where_they_have_one(self):
        asked = []
        for facts, base in (({"row_norms": {"mean": 2.0}}, 0.25), ({"rows": 3}, 1.0)):
            with mock.patch.object(tuning, "ask", lambda *words, facts=facts: asked.append(words) or facts):
                self.assertEqual(tuning.base_of(self.arguments("--problem", "squared")), base)
        self.assertEqual(asked[0], ("hogwild", "data", "made", "--problem", "squared"))


if __name__ == "__main__":
    unittest.main()
