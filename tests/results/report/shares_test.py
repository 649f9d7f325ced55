"""Shares of a run's workers, as its manifest counts them."""

import math
import unittest
from types import SimpleNamespace

import fake_runs  # finds the modules of results
from report import every_run, shares


def run(threads, worker_updates=None, team_updates=None):
    manifest = {"worker_updates": worker_updates, "gpu_team_updates": team_updates}
    return SimpleNamespace(threads=threads, manifest={name: value for name, value in manifest.items() if value is not None})


class Shares(unittest.TestCase):
    def test_equal_workers_have_one_each_and_all_shares_have_the_mean_one(self):
        self.assertEqual(shares.by_kind(run(4, [25] * 4)), {"threads": [1, 1, 1, 1]})
        of = shares.by_kind(run(3, [10, 20, 90]))["threads"]
        self.assertAlmostEqual(sum(of), 3)
        self.assertAlmostEqual(of[2], 2.25)

    def test_threads_streams_and_teams_are_told_apart(self):
        self.assertEqual(set(shares.by_kind(run(2, [5, 5, 80, 10]))), {"threads", "streams"})
        both = shares.by_kind(run(2, [5, 15, 80], [20, 60]))
        self.assertEqual(both, {"threads": [0.5, 1.5], "teams": [0.5, 1.5]})
        self.assertEqual(set(shares.by_kind(run(0, [40, 60]))), {"streams"})

    def test_one_worker_and_a_scheme_that_counts_none_have_no_shares(self):
        for alone in (run(1, [100]), run(4), run(2, [0, 0]), run(0, [100])):
            self.assertEqual(shares.by_kind(alone), {})
            self.assertEqual(shares.cell(alone).text, "–")

    def test_a_cell_has_the_least_and_the_greatest_and_is_sorted_by_the_least(self):
        cell = shares.cell(run(4, [24, 25, 25, 26]))
        self.assertEqual((cell.text, float(cell.sort)), ("0.96–1.04", 0.96))
        self.assertEqual(shares.cell(run(2, [9, 11, 80], [30, 50])).text, "threads 0.90–1.10, teams 0.75–1.25")

    def test_what_was_put_off_is_of_all_that_was_due_to_all_workers(self):
        of = lambda counts: every_run.put_off(SimpleNamespace(manifest={"worker_exchanges": [{"due": due, "put_off": later} for due, later in counts]}))
        self.assertEqual(of([(30, 3), (50, 5)]), 0.1)
        self.assertEqual(of([(30, 0), (50, 0)]), 0)
        for nothing in (of([(0, 0)]), of([]), every_run.put_off(run(2))):
            self.assertTrue(math.isnan(nothing))


if __name__ == "__main__":
    unittest.main()
