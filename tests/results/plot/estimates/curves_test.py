"""Laws of what the convergence figure shows: the lowest loss so far or the loss as measured, the best lines strongly, limits that detail decides."""

import math
import unittest
from dataclasses import replace

import fake_runs
import numpy as np
from plot.estimates import choosing, curves
from plot.figures import captions
from plot.files import naming
from plot.files.reading import read_results
from scratch import Scratch

RACY = ("hogwild", "racy", "none")
SERIAL = ("serial", "", "")
MINIBATCH = ("minibatch", "", "")


class Curves(Scratch):
    def runs(self, **options):
        fake_runs.make_results(self.folder, diverge=None, **options)
        return read_results([self.folder]).runs

    def sweep(self, batches):
        rows = [fake_runs.make_run(self.folder, f"{batch}", MINIBATCH, 2, batch=batch, seconds_scale=batch, epochs=10)
                for batch in batches]
        rows.append(fake_runs.make_run(self.folder, "serial", SERIAL, 1))
        fake_runs.make_summary(self.folder, rows)
        return read_results([self.folder]).runs

    def test_a_curve_is_the_lowest_loss_so_far(self):
        curve = curves.gather(self.runs(threads=(2,), methods=(RACY,))).curves[0]
        for index, height in enumerate(curve.best):
            self.assertEqual(height, min(curve.height[:index + 1]))

    def test_where_a_problem_is_not_convex_a_curve_is_the_loss_as_measured_and_all_of_it_has_room(self):
        runs = self.runs(threads=(2,), methods=(RACY,), optimum=False, bound=False)
        rising = np.append(np.linspace(1.0, 0.2, 26), np.linspace(0.23, 2.0, 25))  # and stays up
        for problem, rises in (("hinge", False), ("cut", False), ("factorization", True), ("skipgram", True), ("network", True)):
            runs[0].axes["problem"], runs[0].trace["train_loss"] = problem, rising
            content = curves.gather(runs)
            curve, = content.curves
            np.testing.assert_array_equal(curve.line, rising if rises else np.minimum.accumulate(rising))
            self.assertEqual((content.as_measured, curve.result), (rises, 2.0 if rises else 0.2), problem)
            self.assertTrue(content.low < 0.2 and content.high > 2.0)
            self.assertTrue(captions.lines(content).startswith("Lines: the loss as measured." if rises else "Lines: the lowest loss so far."))
            curve.as_measured = True  # of many lines, behind which no observation is a dot
            content.curves = [replace(curve, key=curve.key._replace(variant=str(number))) for number in range(curves.RAW_LINES + 1)]
            curves.set_limits(content)
            self.assertGreater(content.high, 2.0)

    def test_few_lines_are_all_strong(self):
        content = curves.gather(self.sweep((16, 64, 256)))
        self.assertTrue(all(curve.strong for curve in content.curves))

    def test_of_many_lines_the_best_of_each_method_is_strong(self):
        runs = self.sweep((5, 3, 2, 4, 7, 6, 9, 8))
        for target in (True, False):
            strong = [curve.name for curve in curves.gather(runs).curves if curve.strong]
            self.assertEqual(strong, ["2", "serial"], target)  # seconds are proportional to the batch
            for run in runs:
                run.totals["target"] = math.nan

    def test_where_the_target_is_of_a_score_the_first_there_is_strong_though_another_has_the_lower_loss(self):
        runs = self.sweep((5, 3, 2, 4, 7, 6, 9, 8))
        for run in runs:
            late = "9" not in run.name
            run.row["target_of"], run.totals["target"] = "test_rmse", 0.9
            run.trace["test_rmse"] = np.where(np.arange(run.trace["epoch"].size) < (3 if late else 1), 1.0, 0.8)
            run.trace["seconds"] = run.trace["epoch"] * 1.0
        content = curves.gather(runs)
        self.assertEqual([curve.name for curve in content.curves if curve.strong], ["9", "serial"])
        self.assertTrue(content.to_target)

    def test_a_variant_that_diverged_is_not_the_best(self):
        runs = self.sweep((2, 3))
        runs[0].status = "diverged"
        best = choosing.best_keys(runs, naming.keys(runs))
        self.assertEqual({key.label for key in best}, {"minibatch, batch 3", "serial"})

    def test_one_of_the_seeds_is_typical_that_with_the_middle_time_to_target(self):
        runs = self.runs(threads=(2,), methods=(RACY,), seeds=(1, 2, 3, 4, 5))
        times = sorted(run.totals["seconds_to_target"] for run in runs)
        typical = [curve.name for curve in curves.gather(runs).curves if curve.typical]
        self.assertEqual(typical, [run.name for run in runs if run.totals["seconds_to_target"] == times[2]])

    def test_a_target_on_a_score_is_no_height_of_a_loss(self):
        runs = self.runs(threads=(2,), methods=(RACY,))
        self.assertTrue(math.isfinite(curves.gather(runs).target))
        for run in runs:
            run.row["target_of"] = "test_error"
        self.assertTrue(math.isnan(curves.gather(runs).target))

    def test_without_an_optimum_the_end_has_room(self):
        content = curves.gather(self.runs(optimum=False, bound=False))
        self.assertTrue(math.isnan(content.optimum))
        lowest = min(curve.best[-1] for curve in content.curves)
        tenth = lowest + 0.1 * (content.high - lowest)
        self.assertGreater(content.scale.share(tenth, content.low, content.high), 0.3)

    def test_a_start_far_above_all_else_stands_outside(self):
        runs = self.runs(threads=(2,))
        self.assertTrue(math.isnan(curves.gather(runs).start))
        for run in runs:
            run.trace["train_loss"][1:] = fake_runs.OPTIMUM + 1e-3 * (run.trace["train_loss"][1:] - fake_runs.OPTIMUM)
        content = curves.gather(runs)
        self.assertAlmostEqual(content.start, fake_runs.START - fake_runs.OPTIMUM)
        self.assertLess(content.high, 1e-2)

    def test_no_limit_depends_on_one_spike_and_every_limit_on_two_thirds(self):
        content = curves.gather(self.runs(threads=(2,), methods=(SERIAL, RACY)))
        heights = np.linspace(0.1, 0.5, 60)
        usual = curves.usual_high(heights, content.scale, 0.05)
        self.assertEqual(usual, 0.5)
        self.assertEqual(curves.usual_high(np.append(heights, 1300.0), content.scale, 0.05), usual)
        self.assertEqual(curves.usual_high(np.append(heights, [1300.0] * 40), content.scale, 0.05), 1300.0)

    def test_flat_and_short_runs_have_limits_with_room(self):
        run = self.runs(threads=(2,), methods=(SERIAL,), optimum=False, bound=False)[0]
        whole = run.trace
        for losses in ([0.5], [0.5, 0.5], [0.0, 0.0], [0.5, math.nan]):
            run.trace = {column: values[:len(losses)] for column, values in whole.items()}
            run.trace["train_loss"] = np.array(losses)
            for run.status in ("done", "diverged", "interrupted"):
                content = curves.gather([run])
                self.assertTrue(content.low < losses[0] < content.high, (losses, run.status))


if __name__ == "__main__":
    unittest.main()
