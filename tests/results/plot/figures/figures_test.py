"""Laws of the figures: every run is shown, names are only text, the same files give the same bytes."""

import collections
import contextlib
import io
import math
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import fake_runs
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot import plot as program
from plot.estimates import curves
from plot.figures import convergence, efficiency
from plot.files import naming
from plot.files.reading import read_results
from plot.style import styling
from scratch import Scratch

RACY = ("hogwild", "racy", "none")
SERIAL = ("serial", "", "")
ODD_NAMES = ("</script>", "$x_1^$", "a & b <c> \"d\" 'e'", "_hidden", "--> ]]>", "tab\tand\nline\x07\x1b[31m", "\u202eevil",
             "\u6570\u636e", "$" * 40, "%s{0}\\n", "long-" * 60)


class Figures(Scratch):
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
        figure = convergence.draw(curves.gather(runs), styling.SIZES[size], title, title, [title])
        FigureCanvasAgg(figure).draw()
        return figure

    def test_hot_coordinates_of_threads_are_named_where_they_were_varied_not_where_they_go_with_the_threads(self):
        def variants(hot_by_threads):
            run = lambda threads, hot: SimpleNamespace(
                axes=collections.defaultdict(str, scheme="hogwild", update="racy+replicated", guard="none", placement="hot-first",
                                             memory="host", hot=hot, exchange=str(256 // threads), seed="1"),
                threads=threads, folder=Path("out/run"), not_atomic=False)
            return {key.variant for key in naming.keys([run(*each) for each in hot_by_threads]).values()}

        self.assertEqual(variants([(2, "6528"), (16, "2208")]), {""})
        self.assertEqual(variants([(2, "64"), (2, "256"), (16, "64")]), {"hot 64", "hot 256"})

    def test_every_run_is_a_curve_in_both_panels(self):
        runs = self.runs()
        self.assertEqual(len(runs), 26)
        content = curves.gather(runs)
        self.assertEqual([curve.name for curve in content.curves], [run.name for run in runs])
        for panel in self.drawn(runs).axes[1:3]:
            lines = [line for line in panel.lines if len(line.get_xdata()) > 2 and line.get_linestyle() != "None"]
            self.assertEqual(len(lines), len(runs))

    def test_a_run_without_a_finite_loss_is_named(self):
        runs = self.runs(threads=(1, 2))
        runs[3].trace["train_loss"][:] = math.nan
        runs[4].trace = {}
        content = curves.gather(runs)
        self.assertEqual([run.name for run in content.without_curve], [runs[3].name, runs[4].name])
        self.assertEqual(len(content.curves), len(runs) - 2)

    def test_height_is_the_distance_to_the_certified_bound(self):
        runs = self.runs(threads=(2,))
        content = curves.gather(runs)
        np.testing.assert_array_equal(content.curves[0].height, runs[0].trace["train_loss"] - fake_runs.OPTIMUM)
        for run in runs:
            run.manifest = {}
        content = curves.gather(runs)  # the bounds of the observations certify it too
        self.assertAlmostEqual(content.optimum, fake_runs.OPTIMUM, places=12)
        for run in runs:
            run.trace["optimality_bound"][:] = math.nan
        np.testing.assert_array_equal(curves.gather(runs).curves[0].height, runs[0].trace["train_loss"])

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

    def test_names_stand_at_the_ends_of_curves_only_where_they_leave_the_panels_their_room(self):
        ending = lambda *key: SimpleNamespace(key=naming.Key(*key), epoch=np.array([0.0, 1.0]), end=1, status="done", done=True, strong=True)
        serial = ending("serial", "", 0)
        for other, direct in (("", True), ("read copy", True), ("optimizer adam, state shared", False)):
            ends = [serial, ending("hogwild · racy", other, 2)]
            self.assertEqual(convergence.named_at_ends(ends, styling.CurveStrokes(ends, styling.SIZES["page"])), direct)

    def test_lines_that_dashes_tell_apart_have_samples_in_the_legend(self):
        rows = [fake_runs.make_run(self.folder, f"{index}", method, 2, read=read)
                for index, (method, read) in enumerate((method, read) for method in (SERIAL, RACY) for read in ("in-place", "copy"))]
        fake_runs.make_summary(self.folder, rows)
        runs = read_results([self.folder]).runs
        figure = self.drawn(runs)
        looks = lambda axes: {(line.get_color(), line.get_linestyle()) for line in axes.lines
                              if line.get_linestyle() != "None" and line.get_color() != styling.QUIET}
        named = {text.get_text() for text in figure.axes[0].texts}
        self.assertEqual(len(looks(figure.axes[1])), 4)
        self.assertLessEqual(looks(figure.axes[1]), looks(figure.axes[0]))
        self.assertLessEqual({key.label for key in naming.keys(runs).values()}, named)

    def test_the_legends_of_both_figures_agree(self):
        runs = self.runs(threads=(1, 2))
        legends = []
        for figure in (self.drawn(runs), efficiency.draw(runs, styling.SIZES["page"], "t", "s", [])):
            names = [text.get_text() for text in figure.axes[0].texts]
            legends.append([name for name in names if name in {key.label for key in naming.keys(runs).values()}])
        self.assertEqual(len(legends[0]), len(fake_runs.METHODS))
        self.assertEqual(legends[0], legends[1])

    def test_points_stand_at_their_true_thread_counts(self):
        figure = efficiency.draw(self.runs(seeds=(1, 2, 3)), styling.SIZES["page"], "t", "s", [])
        panel = figure.axes[1]
        dots = [line for line in panel.lines if line.get_marker() == "o"]
        self.assertEqual({float(dot.get_xdata()[0]) for dot in dots}, {1.0, 2.0, 4.0, 8.0, 16.0})
        for dot in dots:
            drawn = dot.get_transform().transform(dot.get_xydata())[0][0]
            true = panel.transData.transform(dot.get_xydata())[0][0]
            self.assertLess(abs(drawn - true) / figure.dpi * 72, 5.0)  # points of paper

    def test_a_run_that_diverged_at_once_leaves_at_the_top(self):
        runs = self.runs(threads=(2,), methods=(SERIAL,))
        runs[0].status = "diverged"
        runs[0].trace["train_loss"][1:] = math.nan
        figure = self.drawn(runs)
        for panel in figure.axes[1:3]:
            dotted = next(line for line in panel.lines if len(line.get_xdata()) == 2)
            cross = next(line for line in panel.lines if line.get_marker() == "x")
            self.assertLess(dotted.get_ydata()[0], dotted.get_ydata()[1])
            self.assertEqual((dotted.get_xdata()[1], dotted.get_ydata()[1]), (cross.get_xdata()[0], panel.get_ylim()[1]))
            self.assertLess(panel.get_xlim()[1], 1.1 * cross.get_xdata()[0])
            self.assertFalse(panel.texts)
        self.assertTrue(any(f"{runs[0].name} diverged before" in text.get_text() for text in figure.axes[0].texts))

    def test_the_caption_says_of_dots_and_markers_what_is_drawn(self):
        every, markers = "Small dots: every observation", "Markers on lines stand at a few observations"
        for problem, seeds, dotted, said in (("hinge", (1,), 2, f"{every}. {markers}"), ("hinge", (1, 2), 4, f"{every}, of every seed. {markers}"),
                                             ("network", (1,), 0, f"as measured. {markers}"),
                                             ("network", (1, 2), 2, f"{every}, of the other seeds. {markers}")):
            self.folder = self.folder / "next"
            runs = self.runs(threads=(2,), methods=(SERIAL, RACY), seeds=seeds, problem=problem, diverge=None)
            figure = self.drawn(runs)
            self.assertIn(said, " ".join(text.get_text() for text in figure.axes[0].texts))
            for panel in figure.axes[1:3]:
                dots = [line for line in panel.lines if line.get_marker() == "."]
                self.assertEqual([len(line.get_xdata()) for line in dots], [len(runs[0].trace["epoch"])] * dotted, problem)
                marked, = [line for line in panel.lines if line.get_marker() == "o"]
                self.assertLess(len(range(len(marked.get_xdata()))[marked.get_markevery()]), len(marked.get_xdata()))
        alone = self.drawn([run for run in runs if run.axes["scheme"] == "serial"])
        self.assertNotIn("Markers", " ".join(text.get_text() for text in alone.axes[0].texts))

    def test_a_lone_spike_is_a_triangle_at_the_edge(self):
        runs = self.runs(threads=(2,), methods=(SERIAL, RACY), diverge=None)
        before = self.drawn(runs).axes[1].get_ylim()
        runs[1].trace["train_loss"][30] = 1300.0
        for panel in self.drawn(runs).axes[1:3]:
            self.assertEqual(panel.get_ylim(), before)
            outside = [line for line in panel.lines if line.get_marker() == "^" and len(line.get_xdata())]
            self.assertEqual([list(line.get_ydata()) for line in outside], [[before[1]]])

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
        figure = convergence.draw(curves.gather(runs), styling.SIZES["page"], "on $x_1^2$", "s", [])
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
        labels = [key.label for key in naming.keys(read_results([self.folder]).runs).values()]
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

    def test_a_command_of_many_runs_is_cleaned_once(self):
        runs = self.runs(threads=(1, 2, 4))
        for number, run in enumerate(runs):
            run.manifest["command"] = ["hogwild", "run", "--seed", "1,2,3\n" if number else "4"]
        cleaned = []
        naming.command_line.cache_clear()
        with mock.patch.object(naming, "printable", side_effect=lambda text: cleaned.append(text) or str(text).strip("'\n")):
            self.assertEqual(len(naming.commands(runs)), 2)
            for run in runs:
                naming.commands([run])
        self.assertEqual(len(cleaned), 2)
        naming.command_line.cache_clear()

    def test_a_missed_target_is_shown_not_dropped(self):
        runs = self.runs()
        panel = efficiency.PANELS[2]
        points = efficiency.gather(runs, panel)
        self.assertEqual(len(points), len(runs))
        missed = [run for run in runs if math.isnan(run.totals["seconds_to_target"])]
        self.assertEqual(sum(math.isinf(point.median) for point in points), len(missed))

    def test_half_of_the_seeds_missing_is_never(self):
        point = efficiency.Point(naming.Key("m", "", 2), [1.0, math.inf])
        self.assertEqual(point.median, math.inf)

    def test_the_yardstick_is_the_best_serial_code(self):
        panel = efficiency.PANELS[0]
        points = [efficiency.Point(naming.Key("serial", "batch 1", 0), [3.0]), efficiency.Point(naming.Key("serial", "", 0), [5.0]),
                  efficiency.Point(naming.Key("hogwild", "", 1), [9.0])]
        self.assertEqual(efficiency.yardstick(panel, points), (5.0, "serial"))
        self.assertEqual(efficiency.yardstick(panel, points[2:]), (9.0, "best at 1 thread"))

    def test_one_thread_count_has_no_efficiency_figure(self):
        self.runs(threads=(2,))
        paths, _ = self.plot(self.folder)
        self.assertEqual([path.name for path in paths], ["convergence.png", "convergence.svg"])

    def test_where_the_target_is_of_a_score_that_score_is_drawn_too(self):
        row = fake_runs.make_run(self.folder, "000-serial", ("serial", "", ""), 1)
        for target_of, drawn in (("train_loss", False), ("test_error", True)):
            fake_runs.make_summary(self.folder, [row | {"target_of": target_of, "target": 0.1}])
            paths, _ = self.plot(self.folder)
            self.assertEqual("score.png" in [path.name for path in paths], drawn, target_of)

    def test_a_set_that_is_read_as_the_folder_of_fetched_data_has_its_own_name(self):
        home = "/home/user/.local/share/hogwild"
        for number, (data, asked, name) in enumerate((
                (home, ["--data", "mnist"], "mnist"), (home, ["--data=synthetic:images,MNIST"], "mnist"), (home, ["--data", home], "hogwild"),
                ("../digits", ["--data", "../digits", "-o", "mnist"], "digits"))):
            fake_runs.make_summary(self.folder, [fake_runs.make_run(self.folder, str(number), SERIAL, 1, data=data, problem="network")])
            run, = (run for run in read_results([self.folder]).runs if run.name == str(number))
            run.manifest["command"] = ["hogwild", "run", *asked]
            self.assertEqual(program.title_of([run]), f"Network on {name}")

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


if __name__ == "__main__":
    unittest.main()
