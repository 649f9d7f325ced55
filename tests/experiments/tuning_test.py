"""Laws of tuning: the best median time wins, a miss takes forever, an edge is said."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))
import tuning  # noqa: E402

GRID = (1.0, 3.0, 9.0)


def rows(seconds, losses=()):
    """Of each step, one row a seed; None: missed."""
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


if __name__ == "__main__":
    unittest.main()
