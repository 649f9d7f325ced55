"""Laws of the figures: every run is shown, names are only text, the same files give the same bytes."""

import contextlib
import io
import math
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from dataclasses import replace
from pathlib import Path
from unittest import mock

import fake_runs
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot import convergence, efficiency, naming, styling
from plot import plot as program
from plot.reading import read_results

RACY = ("hogwild", "racy", "none")
SERIAL = ("serial", "", "")
ODD_NAMES = ("</script>", "$x_1^$", "a & b <c> \"d\" 'e'", "_hidden", "--> ]]>", "tab\tand\nline\x07\x1b[31m", "\u202eevil",
             "\u6570\u636e", "$" * 40, "%s{0}\\n", "long-" * 60)


class Figures(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def runs(self, **options):
        fake_runs.make_results(self.folder, **options)
        return read_results([self.folder]).runs

    def command(self, *arguments):
        return subprocess.run([sys.executable, str(fake_runs.RESULTS / "plot" / "plot.py"), *map(str, arguments)],
                              capture_output=True, text=True)

    def plot(self, *arguments):
        """The paths that the command prints, without the cost of a process and of fine pixels."""
        out, err = io.StringIO(), io.StringIO()
        coarse = {name: replace(size, dpi=40) for name, size in styling.SIZES.items()}
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch.dict(program.SIZES, coarse):
            program.main([str(argument) for argument in arguments])
        return [Path(line) for line in out.getvalue().splitlines()], err.getvalue()

    def drawn(self, runs, size="page", title="title"):
        figure = convergence.draw(convergence.gather(runs), styling.SIZES[size], title, title, [title])
        FigureCanvasAgg(figure).draw()
        return figure

    def test_every_run_is_a_curve_in_both_panels(self):
        runs = self.runs()
        self.assertEqual(len(runs), 26)
        content = convergence.gather(runs)
        self.assertEqual([curve.name for curve in content.curves], [run.name for run in runs])
        for panel in self.drawn(runs).axes[1:3]:
            lines = [line for line in panel.lines if len(line.get_xdata()) > 2]
            self.assertEqual(len(lines), len(runs))

    def test_a_run_without_a_finite_loss_is_named(self):
        runs = self.runs(threads=(1, 2))
        runs[3].trace["train_loss"][:] = math.nan
        runs[4].trace = {}
        content = convergence.gather(runs)
        self.assertEqual([run.name for run in content.without_curve], [runs[3].name, runs[4].name])
        self.assertEqual(len(content.curves), len(runs) - 2)

    def test_height_is_the_distance_to_the_certified_bound(self):
        runs = self.runs(threads=(2,))
        content = convergence.gather(runs)
        np.testing.assert_array_equal(content.curves[0].height, runs[0].trace["train_loss"] - fake_runs.OPTIMUM)
        for run in runs:
            run.manifest = {}
        content = convergence.gather(runs)  # the bounds of the observations certify it too
        self.assertAlmostEqual(content.optimum, fake_runs.OPTIMUM, places=12)
        for run in runs:
            run.trace["optimality_bound"][:] = math.nan
        np.testing.assert_array_equal(convergence.gather(runs).curves[0].height, runs[0].trace["train_loss"])

    def test_a_diverged_run_ends_in_a_cross_inside_the_panel(self):
        runs = self.runs()
        for panel in self.drawn(runs).axes[1:3]:
            crosses = [line for line in panel.lines if line.get_marker() == "x"]
            self.assertGreaterEqual(len(crosses), 1)
            low, high = panel.get_ylim()
            for cross in crosses:
                self.assertTrue(low <= cross.get_ydata()[0] <= high * (1 + 1e-12))

    def test_a_diverged_run_does_not_stretch_the_axis(self):
        runs = self.runs()
        steady = max(np.nanmax(run.trace["train_loss"]) for run in runs if run.status == "done") - fake_runs.OPTIMUM
        self.assertLess(self.drawn(runs).axes[1].get_ylim()[1], 2 * steady)

    def test_no_line_and_no_text_leaves_the_sheet_or_covers_a_panel(self):
        long = "two words and one that is longer than any sheet: " + "W" * 300
        runs = self.runs(threads=(1, 16), epochs=2)
        for size in styling.SIZES:
            for figure in (self.drawn(runs, size, title=long), efficiency.draw(runs, styling.SIZES[size], long, long, [long])):
                renderer = FigureCanvasAgg(figure).get_renderer()
                sheet, panels = figure.axes[0], figure.axes[1:]
                for panel in panels:
                    covered = panel.get_tightbbox(renderer)
                    self.assertTrue(figure.bbox.x0 <= covered.x0 and covered.x1 <= figure.bbox.x1 + 1, size)
                for text in sheet.texts:
                    box = text.get_window_extent(renderer)
                    self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 + 1, (size, text.get_text()))
                    self.assertTrue(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, (size, text.get_text()))
                    for panel in panels:
                        self.assertFalse(box.overlaps(panel.bbox), (size, text.get_text()))

    def test_no_two_of_the_legend_look_alike(self):
        names = list(styling.KNOWN) + [f"other {index}" for index in range(12)]
        self.assertEqual(len(set(styling.assign_colours(names).values())), len(names))
        self.assertEqual(styling.assign_colours(names)["serial"], styling.assign_colours(["serial"])["serial"])

    def test_names_are_text_in_every_figure(self):
        for index, name in enumerate(ODD_NAMES):
            folder = self.folder / str(index)
            fake_runs.make_results(folder, data=name, threads=(2,), methods=(SERIAL, RACY), epochs=1)
            paths, _ = self.plot(folder)
            self.assertEqual(len(paths), 2, name)
            for path in paths[1::2]:
                root = xml.parse(path).getroot()  # well-formed whatever the name is
                self.assertFalse([tag for tag in root.iter() if "script" in str(tag.tag)])

    def test_a_dollar_sign_starts_no_formula(self):
        runs = self.runs(threads=(2,), data="$x_1^2$")
        figure = convergence.draw(convergence.gather(runs), styling.SIZES["page"], "on $x_1^2$", "s", [])
        texts = [text for text in figure.axes[0].texts if "$" in text.get_text()]
        self.assertTrue(texts)
        for text in texts:
            self.assertFalse(text.get_parse_math())

    def test_printable_has_no_control_characters(self):
        for name in ODD_NAMES:
            self.assertTrue(naming.printable(name).isprintable(), name)

    def test_different_objectives_get_figures_of_their_own(self):
        rows = [fake_runs.make_run(self.folder, f"{index}", RACY, 2, data=data, problem=problem, l2=l2, epochs=2)
                for index, (data, problem, l2) in enumerate([("a", "hinge", 0), ("a", "hinge", 0.1), ("b", "hinge", 0),
                                                              ("a", "logistic", 0), ("x/a", "hinge", 0)])]
        fake_runs.make_summary(self.folder, rows)
        paths, _ = self.plot(self.folder)
        self.assertEqual(len(set(paths)), 2 * len(rows))
        for path in paths:
            self.assertTrue(path.is_file())

    def test_an_axis_names_a_method_only_where_it_was_varied(self):
        rows = [fake_runs.make_run(self.folder, f"{index}", ("minibatch", "", ""), threads, batch=batch, step_size=step)
                for index, (threads, batch, step) in enumerate([(1, 64, 0.1), (1, 256, 0.1), (2, 64, 0.3), (2, 256, 0.3)])]
        fake_runs.make_summary(self.folder, rows)
        labels = list(naming.methods(read_results([self.folder]).runs).values())
        self.assertEqual(labels, ["minibatch, batch 64", "minibatch, batch 256"] * 2)

    def test_the_same_files_give_the_same_bytes(self):
        self.runs(threads=(1, 2), methods=(SERIAL, RACY))
        seen = []
        for _ in range(2):
            done = self.command(self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            seen.append({path: Path(path).read_bytes() for path in done.stdout.splitlines()})
        self.assertEqual(len(seen[0]), 4)
        self.assertEqual(seen[0], seen[1])
        for path, content in seen[0].items():
            self.assertNotIn(b"<dc:date>", content, path)

    def test_the_command_and_the_machine_stand_below(self):
        runs = self.runs(threads=(1,))
        self.assertEqual(naming.machine_name(runs), "Intel Xeon Platinum 8480C, 16 cores")
        self.assertEqual(naming.commands(runs)[0].split()[:2], ["hogwild", "run"])

    def test_a_missed_target_is_shown_not_dropped(self):
        runs = self.runs()
        panel = efficiency.PANELS[2]
        points = efficiency.gather(runs, panel)
        self.assertEqual(len(points), len(runs))
        missed = [run for run in runs if math.isnan(run.totals["seconds_to_target"])]
        self.assertEqual(sum(math.isinf(point.median) for point in points), len(missed))

    def test_half_of_the_seeds_missing_is_never(self):
        point = efficiency.Point("m", 2, False, [1.0, math.inf], False)
        self.assertEqual(point.median, math.inf)

    def test_the_yardstick_is_the_best_serial_code(self):
        panel = efficiency.PANELS[0]
        points = [efficiency.Point("serial, batch 1", 1, True, [3.0], False), efficiency.Point("serial", 1, True, [5.0], False),
                  efficiency.Point("hogwild", 1, False, [9.0], False)]
        self.assertEqual(efficiency.yardstick(panel, points), (5.0, "serial"))
        self.assertEqual(efficiency.yardstick(panel, points[2:]), (9.0, "best at 1 thread"))

    def test_one_thread_count_has_no_efficiency_figure(self):
        self.runs(threads=(2,))
        paths, _ = self.plot(self.folder)
        self.assertEqual([path.name for path in paths], ["convergence.png", "convergence.svg"])

    def test_nothing_to_draw_is_exit_1_with_advice(self):
        fake_runs.make_summary(self.folder, [])
        done = self.command(self.folder)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^.+ \(.+\); .+\n$")

    def test_a_crash_in_mid_run_still_draws(self):
        fake_runs.make_results(self.folder, threads=(1, 2))
        trace = self.folder / "002-hogwild" / "trace.csv"
        trace.write_text(trace.read_text()[:-7])
        fake_runs.make_run(self.folder, "099-late", RACY, 2, status="interrupted")
        paths, warnings = self.plot(self.folder)
        self.assertEqual(len(paths), 4)
        self.assertIn("torn last line", warnings)
        self.assertIn("099-late", warnings)

    def test_a_linear_axis_serves_losses_without_an_optimum(self):
        runs = self.runs(threads=(2,), optimum=False, bound=False)
        self.assertEqual(self.drawn(runs).axes[1].get_yscale(), "linear")


if __name__ == "__main__":
    unittest.main()
