"""Laws of a report's figures. Each is drawn in every form or left out for a reason, and shows medians, intervals and shares as they are."""

import math
import statistics
import unittest
from dataclasses import replace

import fake_runs
import numpy as np
from fake_runs import ROWS
from folder_to_draw import ATOMIC, MEASURED, PAGE, RACY, SERIAL, STALE, Drawing
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot import plot
from plot.estimates import ceilings, configurations, curves
from plot.figures import bands, convergence, divergence, efficiency, memory_map, roofline, scores, speedup, staleness, times, tradeoff
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import canvas, heat, styling
from report import combined, every_run, figures

class ReportFigures(Drawing):
    def reason(self, module):
        with self.assertRaises(NotDrawn) as caught:
            module.draw(self.runs(), PAGE, "t", "s", [])
        return str(caught.exception)

    def test_each_figure_is_drawn_in_every_form_or_has_a_reason(self):
        self.add(SERIAL, 1)
        for threads in (1, 2):
            self.add(RACY, threads)
        drawn = figures.draw_all(self.runs(), PAGE, self.folder, "-x", "t", "s", [])
        self.assertEqual([one.kind for one in drawn], list(figures.KINDS))
        for one in drawn:
            self.assertEqual(set(one.paths), set() if one.reason else {"png", "svg", "pdf"}, one.kind.name)
            for form, path in one.paths.items():
                self.assertEqual(path.name, f"{one.kind.name}-x.{form}")
                self.assertTrue(path.read_bytes().startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form]))
        left_out = [one.kind.name for one in drawn if one.reason]
        self.assertEqual(left_out, ["loss-most-threads", "divergence", "staleness", "staleness-layers", "batches", "roofline", "memory"])

    def test_a_folder_of_everything_has_every_figure_in_every_size(self):
        for seed in (1, 2):
            self.add(SERIAL, 1, seed)
            for threads in (1, 2, 4, 8, 16):
                for step in (0.1, 5.0):
                    self.counted(method=RACY, threads=threads, seed=seed, step_size=step, status="diverged" if step > 1 else "done",
                                 seconds_scale=threads ** 2, **STALE)
                    fake_runs.make_layer_staleness(self.folder / self.rows[-1]["run"], {1: [(0, 0, 3), (2, 2, 1)], 3: [(0, 0, 4)]})
            self.gpu(seed=seed)
            self.gpu(seed=seed, memory="managed")
            self.gpu(seed=seed, device="both", batch=16, gpu_batch=0, batch_rule="adaptive", batch_most=256)
            fake_runs.make_batches(self.folder / self.rows[-1]["run"], {"cpu": [(0, 16, 0)], "gpu": [(0, 16, 0), (0.1, 32, 9)]})
        runs = self.runs()
        for run in runs:
            run.ceilings = MEASURED
        for name in styling.SIZES:
            for kind in figures.KINDS:
                figure = kind.draw(runs, replace(styling.SIZES[name], dpi=40), "t", "s", ["n"])
                FigureCanvasAgg(figure).draw()
                for axes in figure.axes:
                    place = axes.get_position()
                    self.assertTrue(0 <= place.x0 < place.x1 <= 1 and 0 <= place.y0 < place.y1 <= 1, (name, kind.name))

    def test_reasons_say_what_is_missing(self):
        self.add(RACY, 2)
        for module, words in ((speedup, "no run of serial code"), (divergence, "one step size"), (staleness, "--telemetry sampled"),
                              (roofline, "ceilings.json"), (memory_map, "one kind of memory")):
            self.assertIn(words, self.reason(module))

    def assert_bands_cover_lines(self, panel):
        """The band of seeds that are alike is no wider than their line."""
        for band in panel.collections:
            corners = band.get_paths()[0].vertices
            line = max(panel.lines, key=lambda one: len(one.get_xdata()))
            self.assertLess(np.abs(corners[:, 1] - np.interp(corners[:, 0], line.get_xdata(), line.get_ydata())).max(), 0.02)
        self.assertTrue(len(panel.collections))

    def test_a_better_score_stands_lower_or_where_higher_is_better_higher(self):
        for seed in (1, 2):
            self.add(RACY, 2, seed)
        runs = self.runs()
        for score, upwards in (("test_error", False), ("spearman_men", True)):
            for run in runs:
                observed = np.linspace(0.3, 0.6, run.trace["epoch"].size)
                for name in scores.SCORES:
                    run.trace[name] = np.full(observed.size, math.nan)
                run.trace[score] = observed if upwards else observed[::-1]
            panel = next(axes for axes in self.drawn(scores, runs).axes if axes.get_ylabel())
            line = max(panel.lines, key=lambda one: len(one.get_xdata()))
            heights = [panel.transData.transform((0, y))[1] for y in line.get_ydata()]
            self.assertEqual(panel.get_ylabel(), scores.NAMES[score])
            self.assertEqual(heights[-1] > heights[0], upwards)
            self.assertEqual({text.get_text().startswith("-") for text in panel.get_yticklabels() if text.get_text()}, {False})
            self.assert_bands_cover_lines(panel)
        for run in runs:
            run.trace[score][:] = math.nan
        with self.assertRaises(NotDrawn):
            scores.draw(runs, PAGE, "t", "s", [])

    def test_what_networks_alone_consume_is_called_images_wherever_it_is_counted(self):
        self.add(SERIAL, 1)
        for threads, memory in ((1, "host"), (2, "host"), (2, "mapped")):
            self.add(RACY, threads, memory=memory)
        runs = self.runs()
        for problems, word, other in ((["network"], "images", "updates"), (["hinge"], "updates", "images"), (["hinge", "network"], "updates", "images")):
            for number, run in enumerate(runs):
                run.axes["problem"] = problems[number % len(problems)]
            for module in (efficiency, speedup, tradeoff, memory_map, bands):
                figure = self.drawn(module, runs)
                panels = [panel for axes in figure.axes for panel in (axes, *axes.child_axes)]
                labels = " ".join([axes.get_title(loc="left") for axes in figure.axes] + [panel.get_xlabel() + panel.get_ylabel() for panel in panels])
                self.assertTrue(word in labels and other not in labels, (module.__name__, labels))
            tables = combined.combined(configurations.configurations(runs), "") + every_run.every_run(runs, naming.keys(runs))
            self.assertTrue(f"{word}/s" in tables and f"{other}/s" not in tables)

    def test_a_mark_of_the_trade_off_lies_where_its_time_to_the_target_says_whatever_came_after(self):
        self.add(SERIAL, 1)
        self.add(RACY, 2)
        for row, (updates, seconds) in zip(self.rows, ((4000, 0.5), (6000, 0.25))):
            row.update(updates_to_target=updates, seconds_to_target=seconds, updates_per_second=77)
        panel = next(axes for axes in self.drawn(tradeoff, self.runs()).axes if axes.get_ylabel())
        marks = {(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in panel.lines if len(line.get_xdata()) == 1}
        self.assertEqual(marks, {(8000.0, 4000.0), (24000.0, 6000.0)})

    def test_scores_that_span_a_decade_stand_on_a_logarithmic_axis(self):
        self.add(RACY, 2)
        runs = self.runs()
        for least, logarithmic in ((0.051, False), (0.049, True), (0.01, True), (0.0, False)):
            for run in runs:
                for name in scores.SCORES:
                    run.trace[name] = np.full(run.trace["epoch"].size, math.nan)
                run.trace["test_error"] = np.full(run.trace["epoch"].size, 0.5)
                run.trace["test_error"][-1] = least
            panel = next(axes for axes in self.drawn(scores, runs).axes if axes.get_ylabel())
            low, high = panel.get_ylim()
            middle = panel.transAxes.inverted().transform(panel.transData.transform((1, math.sqrt(0.5 * max(least, 1e-9)))))[1]
            self.assertEqual("log scale" in panel.get_ylabel(), logarithmic)
            self.assertTrue(low < least < 0.5 < high)
            self.assertEqual(abs(middle - 0.5) < 0.01, logarithmic)

    def test_what_is_not_convex_is_drawn_as_measured_and_all_else_as_its_best_so_far(self):
        for seed in (1, 2):
            self.add(RACY, 2, seed)
        runs = self.runs()
        measured = 0.3 + 0.1 * np.cos(np.arange(runs[0].trace["epoch"].size) ** 2)  # up and down
        for problem, words in (("hinge", "so far"), ("network", "as measured")):
            for run in runs:
                run.axes["problem"], run.totals["target"] = problem, math.nan
                run.trace["test_error"], run.trace["train_loss"] = measured.copy(), measured + run.optimum
            for figure in (self.drawn(scores, runs), self.drawn(bands, runs), convergence.draw(curves.gather(runs), PAGE, "t", "s", [])):
                panel = next(axes for axes in figure.axes if axes.get_xlabel() == "epochs")
                line = max(panel.lines, key=lambda one: (one.get_linestyle() != "None", len(one.get_xdata())))
                x, y = line.get_xdata(), line.get_ydata()
                if problem == "network":
                    np.testing.assert_allclose(np.interp(runs[0].trace["epoch"], x, y), measured)
                else:
                    self.assertLessEqual(np.diff(y).max(), 0)
                self.assertTrue(any(words in text.get_text() for text in figure.axes[0].texts))

    def test_a_target_on_a_score_is_drawn_in_the_figure_of_that_score(self):
        for seed in (1, 2):
            self.add(RACY, 2, seed)
        runs = self.runs()
        for score, target, height in (("test_rmse", 0.5, 0.5), ("analogy_accuracy", 0.4, -0.4)):
            for run in runs:
                for name in scores.SCORES:
                    run.trace[name] = np.full(run.trace["epoch"].size, math.nan)
                run.trace["train_rmse"] = run.trace[score] = np.linspace(0.6, 0.55, run.trace["epoch"].size)
                run.totals.update(target=target)
                run.row["target_of"] = score
            figure = self.drawn(scores, runs)
            panel = next(axes for axes in figure.axes if axes.get_ylabel())
            self.assertEqual(panel.get_ylabel(), scores.NAMES[score])
            level = [line for line in panel.lines if set(line.get_ydata()) == {height}]
            self.assertEqual(len(level), 1)
            self.assertTrue(min(panel.get_ylim()) < height < max(panel.get_ylim()))
            for run in runs:
                run.row["target_of"] = "train_loss"
            panel = next(axes for axes in self.drawn(scores, runs).axes if axes.get_ylabel())
            self.assertFalse([line for line in panel.lines if set(line.get_ydata()) == {height}])

    def test_a_target_that_the_first_weights_meet_is_a_reason(self):
        for method in (SERIAL, RACY):
            for seed in (1, 2, 3):
                self.add(method, 1, seed)
        met = dict(seconds_to_target=0, updates_to_target=0)
        for rows in ((0,), (0, 1, 2), (0, 3), range(6)):
            for row, one in enumerate(self.rows):
                one.update(met if row in rows else dict(seconds_to_target=0.01 * (1 + row), updates_to_target=1000 + row))
            for module in (tradeoff, times):
                self.assertIn("met before the first step", self.reason(module))
            for one in figures.draw_all(self.runs(), PAGE, self.folder, "", "t", "s", []):
                self.assertNotEqual(bool(one.paths), bool(one.reason), one.kind.name)

    def test_a_band_goes_from_the_best_seed_to_the_worst_around_the_median(self):
        for seed in (1, 2, 3):
            self.add(RACY, 2, seed)
        runs = self.runs()
        found = curves.gather(runs).curves
        places = np.array([0.5, 1.0, 2.0])
        heights = np.array([bands.heights_at(curve, curve.epoch, places) for curve in found])
        for curve, line in zip(found, heights):
            for place, height in zip(places, line):
                self.assertAlmostEqual(height, curve.best[list(curve.epoch).index(place)], places=14)
        panel = self.drawn(bands, runs).axes[2]
        line = max((line for line in panel.lines if line.get_linestyle() == "-"), key=lambda line: len(line.get_xdata()))
        middle = np.interp(2.0, line.get_xdata(), line.get_ydata())
        self.assertAlmostEqual(middle, statistics.median(heights[:, 2]), delta=0.01 * middle)
        self.assertEqual(len(panel.collections), 1)

    def test_a_seed_that_diverged_is_infinite_from_then_on(self):
        self.add(RACY, 2, 1, status="diverged")
        self.add(RACY, 2, 2)
        lost = next(curve for curve in curves.gather(self.runs()).curves if curve.status == "diverged")
        end = float(lost.epoch[lost.end])
        before, after = bands.heights_at(lost, lost.epoch, np.array([end * 0.5, end * 1.01]))
        self.assertTrue(math.isfinite(before))
        self.assertEqual(after, math.inf)

    def test_updates_stand_above_epochs(self):
        self.add(RACY, 2)
        self.assertEqual(round(bands.samples_of(self.runs())), ROWS)

    def test_curves_of_one_method_are_coloured_by_what_was_varied_first(self):
        for optimizer in ("adam", "momentum", "sgd"):
            for state in ("per-worker", "shared"):
                self.add(optimizer=optimizer, state=state)
        runs = self.runs()
        all_in_one = convergence.draw(curves.gather(runs), PAGE, "title", "subtitle", ["note"])
        for figure in (all_in_one, self.drawn(bands, runs), self.drawn(scores, runs)):
            for panel in figure.axes[1:3]:
                looks = {(line.get_color(), line.get_linestyle()) for line in panel.lines if line.get_marker() == "o"}
                self.assertEqual((len(looks), len({colour for colour, _ in looks})), (6, 3))

    def test_bars_are_sorted_and_those_that_missed_come_last(self):
        for threads, scale in ((2, 1.0), (4, 0.1), (8, 50.0)):
            self.add(RACY, threads, seconds_scale=scale, status="diverged" if threads == 4 else "done")
        shown, left_out = times.choose(self.found())
        self.assertEqual([one.key.threads for one in shown], [2, 8, 4])
        self.assertEqual(left_out, 0)
        with_bars = self.drawn(times, self.runs())
        self.assertIn("missed", [text.get_text() for axes in with_bars.axes for text in axes.texts])

    def add_rules(self, steps):
        for rule, limit in (("none", ""), ("inverse", ""), ("delay-adaptive", 1), ("delay-adaptive", 16), ("drop", 1), ("drop", 16)):
            for step in steps:
                self.add(RACY, 2, step_size=step, staleness_rule=rule, staleness_limit=limit, **STALE)

    def test_rows_have_whole_names_that_stand_apart_within_the_sheet(self):
        self.add_rules((0.1, 0.2))
        names = sorted(f"{one.key.label}, 2 threads" for one in self.found())
        for module in (times, staleness):
            for name in styling.SIZES:
                figure = module.draw(self.runs(), replace(styling.SIZES[name], dpi=60), "t", "s", [])
                FigureCanvasAgg(figure).draw()
                axes, = (axes for axes in figure.axes if axes.get_xlabel())
                self.assertEqual(sorted(" ".join(label.get_text().split()) for label in axes.get_yticklabels()), names, (module, name))
                boxes = sorted((label.get_window_extent() for label in axes.get_yticklabels()), key=lambda box: box.y0)
                self.assertGreaterEqual(min(box.x0 for box in boxes), 0)
                for lower, upper in zip(boxes, boxes[1:]):
                    self.assertLess(lower.y1, upper.y0, (module, name))

    def test_a_legend_has_whole_names_that_stand_apart_within_the_sheet(self):
        self.add_rules((0.1,))
        keys = {one.key.label for one in self.found()}
        for name in styling.SIZES:
            figure = bands.draw(self.runs(), replace(styling.SIZES[name], dpi=60), "t", "s", [])
            FigureCanvasAgg(figure).draw()
            texts = [text for text in figure.axes[0].texts if text.get_text()]
            written = " ".join(text.get_text() for text in texts)
            for key in keys:
                self.assertIn(key, written, name)
            self.assertLessEqual(max(text.get_window_extent().x1 for text in texts), figure.bbox.x1)
            places = [text.get_position() for text in texts]
            self.assertEqual(len(set(places)), len(places))

    def test_a_name_beside_an_axis_that_is_too_long_for_all_its_lines_is_cut_before_its_ending(self):
        sheet = canvas.Sheet(PAGE, "t", "s", [], [])
        width = sheet.width_of("hogwild · racy, 4 threads", 0.92 * PAGE.type)
        self.assertEqual(sheet.row_label("hogwild · racy", ", 4 threads", width), "hogwild · racy, 4 threads")
        for lines in (1, 2, 6):
            label = sheet.row_label("hogwild · racy, step size 0.2, " * 20, ", 4 threads", width, lines).split("\n")
            self.assertEqual(len(label), lines)
            self.assertTrue(label[-1].endswith("…, 4 threads"), label)
            self.assertLessEqual(max(sheet.width_of(line, 0.92 * PAGE.type) for line in label), width)

    def test_a_cell_is_the_share_of_its_runs_that_diverged(self):
        for seed, status in ((1, "diverged"), (2, "done"), (3, "failed")):
            self.add(RACY, 2, seed, step_size=1.0, status=status)
            self.add(RACY, 2, seed, step_size=0.1)
        cells = divergence.maps(self.runs())["hogwild · racy", "cpu"]
        self.assertEqual(cells, {(1.0, (2, "2")): (1, 2), (0.1, (2, "2")): (0, 3)})  # a run that failed says nothing
        texts = [text.get_text() for axes in self.drawn(divergence, self.runs()).axes[1:] for text in axes.texts]
        self.assertEqual(sorted(texts), ["0/3", "1/2"])

    def test_trials_of_a_tuning_beside_the_runs_are_cells_too_and_those_of_other_data_are_not(self):
        for seed in (1, 2):
            self.add(RACY, 2, seed, step_size=0.1)
        runs = self.runs()
        self.assertIn("one step size", self.reason(divergence))
        trials = []
        for place, (data, status) in enumerate(((self.rows[0]["data"], "diverged"), (self.rows[0]["data"], "done"), ("other", "diverged"))):
            trials.append(fake_runs.make_run(self.folder / "tuning", f"{place}", RACY, 2, 101 + place, step_size=5.0, data=data, status=status))
        fake_runs.make_summary(self.folder / "tuning", trials)
        figure = self.drawn(divergence, runs)
        texts = [text.get_text() for axes in figure.axes for text in axes.texts]
        self.assertTrue({"0/2", "1/2"} <= set(texts), texts)
        self.assertIn("2 trials of the tuning", " ".join(texts))

    def test_no_divergence_is_a_reason_with_numbers(self):
        for step in (0.1, 1.0):
            self.add(RACY, 2, step_size=step)
        self.assertEqual(self.reason(divergence), "none of 2 runs diverged, at any of 2 step sizes")

    def test_the_share_of_a_ceiling_is_of_the_lower_one(self):
        self.assertEqual(ceilings.limits(MEASURED, "racy", 1, 47236), {"read bandwidth": 1e9, "increments": 1e9})
        self.assertEqual(ceilings.limits(MEASURED, "", 16, 47236), {"read bandwidth": 16e9})
        self.add(RACY, 1)
        self.add(SERIAL, 1)
        self.gpu()
        runs = self.runs()
        for run in runs:
            run.ceilings = {**MEASURED, "increments": [{**row, "per_second": 5e8} for row in MEASURED["increments"]]}
        found = {one.key.method + one.key.device: ceilings.Ceilings(runs).share(one) for one in configurations.configurations(runs)}
        self.assertEqual(found["hogwild · racycpu"], float(self.rows[0]["nonzeros_per_second"]) / 5e8)
        self.assertEqual(found["serialcpu"], float(self.rows[1]["nonzeros_per_second"]) / 1e9)
        self.assertTrue(math.isnan(found["hogwild · atomicgpu"]))

    def test_what_is_no_sparse_row_has_no_share_of_their_ceilings(self):
        self.add(RACY, 1, problem="factorization")
        runs = self.runs()
        for run in runs:
            run.ceilings = MEASURED
        with self.assertRaises(NotDrawn) as caught:
            ceilings.Ceilings(runs)
        self.assertIn("sparse rows", str(caught.exception))

    def test_titles_and_subtitles_name_the_problem_and_what_is_unusual_of_its_model(self):
        self.add(SERIAL, 1, problem="factorization", l2=0.05, rank=32, biases=1, damp_above=0)
        self.add(SERIAL, 1, problem="factorization", l2=0.05, rank=32, biases=0, damp_above=100)
        self.add(SERIAL, 1)
        usual, unusual, hinge = self.runs()
        self.assertEqual([plot.title_of([run]) for run in (usual, hinge)],
                         [f"{name} on synthetic:rcv1/20" for name in ("Factorization", "Hinge loss")])
        facts = [plot.subtitle_of([run]).split("  ·  ")[1:-1] for run in (usual, unusual)]
        self.assertEqual(facts, [["L2 0.05", "rank 32"], ["L2 0.05", "rank 32", "biases 0", "damp above 100"]])

    def test_numbers_of_a_panel_keep_clear_of_the_next_ones(self):
        for threads, scale in ((1, 16000.0), (2, 1.0)):
            self.add(RACY, threads, seconds_scale=scale)
        for module in (bands, scores):
            for name in styling.SIZES:
                figure = module.draw(self.runs(), replace(styling.SIZES[name], dpi=60), "t", "s", [])
                FigureCanvasAgg(figure).draw()
                left, right = (axes for axes in figure.axes if axes.get_xlabel().startswith(("time", "epochs")))
                self.assertEqual(left.get_xlabel(), "time, log scale")
                end = max(label.get_window_extent().x1 for label in left.get_xticklabels() if label.get_text())
                start = min(label.get_window_extent().x0 for label in right.get_xticklabels() if label.get_text())
                self.assertGreater(start - end, 2 * 60 / 72 * styling.SIZES[name].type, (module.__name__, name))

    def test_the_table_has_the_share_of_a_ceiling_that_the_figure_shows(self):
        for method in (SERIAL, RACY):
            for seed in (1, 2, 3):
                self.add(method, 1, seed)
        head = [name for name, _ in combined.HEADS].index("share of ceiling")
        self.assertNotIn("share of ceiling", combined.combined(self.found(), ""))
        runs = self.runs()
        for run in runs:
            run.ceilings = MEASURED
        found = configurations.configurations(runs)
        self.assertIn("share of ceiling", combined.combined(found, ""))
        shown = [combined.row(one, None, False, combined.share_of_ceiling(found))[head] for one in found]
        drawn = [text.get_text() for text in self.drawn(roofline, runs).axes[1].texts]
        self.assertEqual([roofline.percent(float(cell.sort)) for cell in shown], drawn)
        self.assertEqual(len(set(drawn)), 2)
        self.assertEqual({cell.note for cell in shown}, {"read bandwidth"})

    def test_shares_neither_meet_nor_cross_a_ceiling_and_marks_say_of_which_they_are(self):
        for seed, method in enumerate((SERIAL, RACY, ATOMIC)):
            for threads in (1,) if method == SERIAL else range(1, 17):
                self.add(method, threads, seconds_scale=1.0 + 40 * seed)
        runs = self.runs()
        for run in runs:
            run.ceilings = {**MEASURED, "increments": [{**row, "per_second": row["per_second"] / 20} for row in MEASURED["increments"]]}
        figure = self.drawn(roofline, runs)
        axes = figure.axes[1]
        boxes = [text.get_window_extent() for text in axes.texts]
        self.assertEqual(len(boxes), 33)
        self.assertFalse([1 for place, box in enumerate(boxes) for other in boxes[:place] if box.overlaps(other)])
        levels = {(round(line.get_xdata()[0] + 0.42), line.get_ydata()[0]) for line in axes.lines if len(line.get_xdata()) == 2}
        for x, level in levels:
            height = axes.transData.transform((x, level))[1]
            self.assertFalse(boxes[x].y0 < height < boxes[x].y1, x)
        self.assertTrue(all(box.y0 > axes.get_window_extent().y0 for box in boxes))
        marks = [line.get_marker() for line in axes.lines if len(line.get_xdata()) == 1]
        wanted = {"read bandwidth": "s", "increments": "o"}
        limits = ceilings.Ceilings(runs)
        self.assertEqual(marks, [wanted[limits.lower(one)] for one in configurations.configurations(runs)])
        self.assertEqual([roofline.percent(share) for share in (1.03, 0.0996, 0.094, 0.04, 0.0039)], ["103 %", "10 %", "9.4 %", "4.0 %", "0.39 %"])

    def test_numbers_along_an_axis_of_threads_do_not_meet_and_the_last_is_named(self):
        for threads in (1, 2, 4, 8, 10, 12, 14, 16):
            self.add(RACY, threads)
        runs = self.runs()
        for size in styling.SIZES:
            figure = efficiency.draw(runs, replace(styling.SIZES[size], dpi=60), "t", "s", [])
            FigureCanvasAgg(figure).draw()
            for axes in figure.axes[1:]:
                boxes = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
                self.assertEqual(axes.get_xticklabels()[-1].get_text(), "16")
                self.assertGreater(len(boxes), 3)
                self.assertTrue(all(one.x1 < other.x0 for one, other in zip(boxes, boxes[1:])), size)

    def test_ceilings_that_cannot_be_read_are_a_reason(self):
        self.add(RACY, 2)
        runs = self.runs()
        for damaged in ("text", [1], {"bandwidth": []}, {"bandwidth": [{"workers": 0}]}, {**MEASURED, "increments": [{"update": "atomic"}]},
                        {**MEASURED, "increments": [{**MEASURED["increments"][0], "per_second": 0}]}):
            runs[0].ceilings = damaged
            with self.assertRaises(NotDrawn):
                roofline.draw(runs, PAGE, "t", "s", [])
            self.assertNotIn("share of ceiling", combined.combined(configurations.configurations(runs), ""))

    def test_a_memory_map_has_the_best_of_each_cell(self):
        self.gpu(blocks=66, seconds_scale=2.0)
        self.gpu(blocks=132)
        self.gpu(memory="managed", seconds_scale=1.0)
        runs = self.runs()
        fastest = max(run.totals["updates_per_second"] for run in runs)
        texts = [text.get_text() for text in self.drawn(memory_map, runs).axes[1].texts]
        self.assertIn(memory_map.counted(fastest), texts)
        self.assertEqual(memory_map.shares([[1.0, 10.0, math.nan, math.inf]], True)[0][:2], [0.0, 1.0])

    def test_text_in_a_cell_can_be_read_on_its_colour(self):
        for share in np.linspace(0, 1, 11):
            fill = heat.colour(share)
            self.assertGreater(abs(luminance(fill) - luminance(heat.ink(fill))), 0.3, share)
        lightness = [luminance(heat.colour(share)) for share in np.linspace(0, 1, 11)]
        self.assertEqual(lightness, sorted(lightness, reverse=True))

    def test_runs_of_different_seeds_are_one_configuration(self):
        for seed in (1, 2):
            self.add(RACY, 2, seed)
            self.add(RACY, 4, seed)
        self.assertEqual([len(one.runs) for one in self.found()], [2, 2])


def luminance(colour):
    return float(np.dot(styling.mcolors.to_rgb(colour), (0.2126, 0.7152, 0.0722)))


if __name__ == "__main__":
    unittest.main()
