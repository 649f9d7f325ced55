"""Laws of implicit momentum: the estimate is that of geometric counts, and of a queue of workers what their mean iterate moves by."""

import random
import unittest

import fake_runs
import numpy as np
from folder_to_draw import ATOMIC, Drawing
from plot.estimates import momentum
from report.combined import HEADS, combined

CURVATURES = np.array([1.0, 0.4, 0.1])
STEP = 0.05


def queue(workers, steps, repetitions, seed=1):
    """M workers with steps of exponential length on a quadratic: each writes by what it read after its last write.

    (the mean iterates of all repetitions, [(staleness, staleness, steps), ...])
    """
    draws = np.random.default_rng(seed)
    weights = np.ones((repetitions, len(CURVATURES)))
    held = np.repeat(weights[:, None], workers, axis=1)
    read_at = np.zeros((repetitions, workers), int)
    every, counts = np.arange(repetitions), {}
    means = [weights.mean(axis=0)]
    for step in range(steps):
        ready = draws.integers(workers, size=repetitions)  # exponential times forget: any worker may be the next
        weights = weights - STEP * CURVATURES * held[every, ready]
        if step > 20 * workers:  # all have read since the start
            for stale, count in zip(*np.unique(step - read_at[every, ready], return_counts=True)):
                counts[int(stale)] = counts.get(int(stale), 0) + int(count)
        held[every, ready], read_at[every, ready] = weights, step + 1
        means.append(weights.mean(axis=0))
    return np.array(means), [(stale, stale, count) for stale, count in sorted(counts.items())]


def regressed(means):
    """mu by least squares of w(t+1) - w(t) = mu (w(t) - w(t-1)) - a grad f(w(t))."""
    moves = np.diff(means, axis=0)
    causes = np.stack([moves[:-1].reshape(-1), -(CURVATURES * means[1:-1]).reshape(-1)], axis=1)
    (mu, share), *_ = np.linalg.lstsq(causes, moves[1:].reshape(-1), rcond=None)
    return mu, share


class Momentum(Drawing):
    def test_geometric_counts_give_their_own_momentum_whatever_the_buckets(self):
        for mu in (0.0, 0.5, 0.9, 0.99):
            exact = [(low, low, 1e9 * (1 - mu) * mu ** low) for low in range(3000)]
            wide = exact[:64] + [(low, low + 1, sum(count for _, _, count in exact[low:low + 2])) for low in range(64, 3000, 2)]
            for buckets in (exact, wide):
                self.assertAlmostEqual(momentum.geometric(buckets), mu, places=4)
                self.assertAlmostEqual(momentum.misfit(buckets), 0, places=4)

    def test_a_queue_of_workers_has_1_less_1_over_M_by_its_staleness_and_by_its_mean_iterate(self):
        for workers in (1, 2, 4, 8):
            means, counts = queue(workers, steps=400, repetitions=4000)
            expected = 1 - 1 / workers
            # the mean of n geometric numbers is off by sqrt(mu) / (1 - mu) / sqrt(n), and steps of a worker are each other's neighbours
            self.assertAlmostEqual(momentum.geometric(counts), expected, delta=0.005)
            self.assertLess(momentum.misfit(counts), 0.01)
            mu, share = regressed(means)
            self.assertAlmostEqual(mu, expected, delta=0.02)
            self.assertAlmostEqual(share, STEP * (1 - expected), delta=0.1 * STEP)

    def test_a_sequence_of_known_momentum_is_regressed_to_it(self):
        for mu in (0.0, 0.3, 0.9):
            path = [np.ones(3), np.ones(3)]
            for _ in range(50):
                path.append(path[-1] + mu * (path[-1] - path[-2]) - STEP * (1 - mu) * CURVATURES * path[-1])
            np.testing.assert_allclose(regressed(np.array(path)), (mu, STEP * (1 - mu)), rtol=1e-6, atol=1e-9)

    def test_workers_in_turn_are_no_momentum(self):
        self.assertGreater(momentum.misfit([(7, 7, 1000)]), 0.9)
        self.assertEqual(momentum.geometric([(7, 7, 1000)]), 7 / 8)
        self.assertEqual(momentum.misfit([(0, 0, 10)]), 0)  # one worker

    def test_a_report_says_it_of_all_seeds_together_and_of_others_nothing(self):
        self.counted(seed=1, buckets=((0, 0, 50), (1, 1, 25)))
        self.counted(seed=2, buckets=((2, 2, 25),))
        self.add(ATOMIC, 4)
        self.assertAlmostEqual(momentum.of_runs(self.runs())[0], 0.75 / 1.75)
        place = [name for name, _ in HEADS].index("momentum")
        text = combined(self.found(), "")
        self.assertIn(">0.429<", text)
        self.assertEqual(text.count(">0.429<"), 1)
        self.assertGreater(place, 0)

    def test_of_a_gpu_s_steps_it_has_a_column_of_its_own(self):
        self.counted("gpu", ((0, 0, 25), (3, 3, 75)))
        text = combined(self.found(), "")
        self.assertAlmostEqual(momentum.of_runs(self.runs(), "gpu")[0], 2.25 / 3.25)
        self.assertIsNone(momentum.of_runs(self.runs()))
        self.assertEqual(text.count(">0.692<"), 1)
        self.assertIn(">GPU momentum<", text)
        self.assertNotIn(">momentum<", text)


if __name__ == "__main__":
    unittest.main()
