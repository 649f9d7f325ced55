"""Laws of the figure against delays: a speed-up is over serial code with the same delay, and runs that differ otherwise never share one."""

import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import fake_runs
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.figures import delay
from plot.files import naming
from plot.files.axes import OBJECTIVE
from plot.files.errors import NotDrawn, ResultsError
from plot.files.reading import read_results
from plot.style import styling
from report import figures
from report import report as program
from scratch import Scratch

SERIAL, RACY, LOCKED, TURNS = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "", "locked"), ("round-robin", "", "")
DELAYS = (0, 1e-6, 1e-4)
PAGE = replace(styling.SIZES["page"], dpi=40)


class Delay(Scratch):
    def setUp(self):
        super().setUp()
        self.rows = []

    def add(self, method, threads=2, seed=1, **options):
        self.rows.append(fake_runs.make_run(self.folder, f"{len(self.rows):03}", method, threads, seed, **options))

    def add_sweep(self, methods=(SERIAL, RACY, TURNS), delays=DELAYS, threads=(1, 2), seeds=(1, 2, 3), **options):
        """Serial runs take longer by the square of what their delay adds, so that each ratio is that of its own delay alone."""
        for wait in delays:
            for method in methods:
                for count in (1,) if method == SERIAL else threads:
                    for seed in seeds:
                        longer = (1 + 1e6 * wait) ** (2 if method == SERIAL else 1)
                        self.add(method, count, seed, delay=wait, **{"seconds_scale": longer, **options})

    def runs(self):
        fake_runs.make_summary(self.folder, self.rows)
        return read_results([self.folder]).runs

    def drawn(self, size=PAGE):
        return delay.draw(self.runs(), size, "title", "subtitle", ["note"])

    def points(self, of=delay.speedup.by_time):
        cells = delay.cells_of(self.runs())
        return delay.panel_of(cells, delay.largest(cells), delay.Along(cells), of).points

    def test_a_speed_up_is_the_ratio_of_expected_costs_over_serial_code_with_the_same_delay(self):
        self.add_sweep()
        along = delay.Along(DELAYS)
        of = lambda column, method, threads, wait: sum(
            row[column] for row in self.rows if (row["scheme"], row["delay"], row["threads"] or 1) == (method[0], wait, threads))
        for column, kind in (("seconds", delay.speedup.by_rate), ("seconds_to_target", delay.speedup.by_time)):  # all do the same updates
            found = {(point.key.method, point.x): point for point in self.points(kind)}
            self.assertEqual(len(found), 2 * len(DELAYS))
            for method, name in ((RACY, "hogwild · racy"), (TURNS, "round-robin")):
                for wait in DELAYS:
                    low, value, high = found[name, along.place(wait)].values
                    self.assertAlmostEqual(value, of(column, SERIAL, 1, wait) / of(column, method, 2, wait), places=9)
                    self.assertTrue(low <= value <= high)

    def test_each_method_is_one_line_at_its_largest_number_of_threads(self):
        self.add_sweep(threads=(1, 2))
        self.add_sweep(methods=(LOCKED,), threads=(4,))
        self.add(RACY, 8, delay=1e-6)  # with one delay alone
        self.assertEqual({(point.key.method, point.key.threads) for point in self.points()},
                         {("hogwild · racy", 2), ("round-robin", 2), ("hogwild · locked", 4)})
        figure = self.drawn()
        for panel in figure.axes[1:]:
            self.assertEqual(sum(len(line.get_xdata()) == len(DELAYS) for line in panel.lines), 3)
            levels = [line.get_ydata() for line in panel.lines if len(line.get_xdata()) == 2 and line.get_color() == styling.QUIET]
            self.assertEqual([tuple(ends) for ends in levels if ends[0] == ends[1]], [(2, 2), (4, 4)])
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertIn("hogwild · locked, 4 threads", texts)
        self.assertIn("ideal, 2 or 4 threads", texts)

    def test_a_method_that_ran_with_one_delay_alone_is_named(self):
        self.add_sweep()
        self.add(LOCKED, 2, delay=0)
        self.assertNotIn("hogwild · locked", {point.key.method for point in self.points()})
        self.assertTrue(any("one delay alone: hogwild · locked." in text.get_text() for text in self.drawn().axes[0].texts))

    def test_what_missed_its_target_stands_in_the_strip_at_its_delay(self):
        self.add_sweep(methods=(SERIAL, RACY))
        for wait, status in zip(DELAYS, ("done", "diverged", "interrupted")):
            self.add(TURNS, 2, delay=wait, status=status)
        axes = self.drawn().axes[2]
        along = delay.Along(DELAYS)
        lowest = min(value for point in self.points() for value in point.values)
        for marker, wait in (("x", 1e-6), ("^", 1e-4)):
            mark, = [line for line in axes.lines if line.get_marker() == marker]
            self.assertEqual(mark.get_xdata()[0], along.place(wait))
            self.assertTrue(axes.get_ylim()[0] < mark.get_ydata()[0] < lowest)

    def test_without_a_target_there_are_updates_per_second_alone(self):
        self.add_sweep(seconds_to_target="", updates_to_target="", target="")
        for row in self.rows:
            row.update(seconds_to_target="", target="")
        self.assertEqual(len(self.drawn().axes), 2)

    def test_no_delay_has_a_room_of_its_own_left_of_all_others(self):
        self.add_sweep()
        figure = self.drawn()
        FigureCanvasAgg(figure).draw()
        for panel in figure.axes[1:]:
            first, *others = [(tick.get_loc(), tick.label1.get_text()) for tick in panel.xaxis.get_major_ticks()]
            wall, = [line.get_xdata()[0] for line in panel.lines if list(line.get_ydata()) == [0, 1]]
            self.assertEqual(first[1], "0")
            self.assertTrue(panel.get_xlim()[0] < first[0] < wall < DELAYS[1])
            self.assertEqual([text for _, text in others], [delay.scales.duration(place) for place, _ in others])
            for place in [place for place, _ in others] + list(panel.xaxis.get_ticklocs(minor=True)):
                self.assertGreater(place, wall)

    def test_every_panel_and_text_lies_on_the_sheet_in_every_size(self):
        self.add_sweep(methods=(SERIAL, RACY, LOCKED, TURNS), delays=(1e-7, 3e-7, 1e-6, 1e-5, 1e-4), threads=(2,), seeds=(1,))
        for size in styling.SIZES.values():
            figure = self.drawn(replace(size, dpi=40))
            renderer = FigureCanvasAgg(figure).get_renderer()
            for axes in figure.axes[1:]:
                box = axes.get_tightbbox(renderer)
                self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, size)

    def test_reasons_say_what_is_missing(self):
        def reason():
            with self.assertRaises(NotDrawn) as caught:
                self.drawn()
            return str(caught.exception)

        self.add_sweep(methods=(RACY,))
        self.assertIn("beside serial code", reason())
        self.add_sweep(methods=(SERIAL,), delays=(1e-6,))
        self.assertIn("two delays", reason())

    def test_runs_that_differ_in_more_than_their_delay_never_share_it(self):
        self.add_sweep(seeds=(1,))
        self.add_sweep(seeds=(1,), l2=0.1)
        self.add_sweep(seeds=(1,), data="other", delays=(0,))
        across = naming.across_delays(naming.groups(self.runs()))
        self.assertEqual(list(across), [("hinge", "synthetic:rcv1/20", l2, *[""] * (len(OBJECTIVE) - 3)) for l2 in ("0.0001", "0.1")])
        for key, runs in across.items():
            self.assertEqual({naming.delay(run) for run in runs}, set(DELAYS))
            self.assertEqual({run.axes["l2"] for run in runs}, {key[2]})

    def test_a_report_has_it_where_there_are_two_delays(self):
        """Drawn in every form, one for each problem, data and L2."""
        def sections():
            groups = naming.groups(self.runs())
            with mock.patch.object(figures, "KINDS", ()):
                return program.delay_sections(groups, PAGE, self.folder, "command")

        self.add_sweep(delays=(1e-6,), seeds=(1,))
        self.assertEqual(sections(), [])
        self.add_sweep(delays=(1e-5,), seeds=(1,))
        self.add_sweep(delays=(1e-6, 1e-5), seeds=(1,), data="other")
        found = sections()
        self.assertEqual([section.title for section in found],
                         [f"Hinge loss on {data}: gradients that take longer" for data in ("synthetic:rcv1/20", "other")])
        self.assertEqual(len({section.anchor for section in found}), 2)
        for section in found:
            self.assertEqual(section.content.count("<img"), 1)
        drawn = sorted(path.name for path in (self.folder / "figures").iterdir())
        self.assertEqual(len(drawn), 6)
        self.assertEqual({Path(name).suffix for name in drawn}, {".png", ".svg", ".pdf"})

    def test_a_delay_that_is_no_number_is_refused_by_line(self):
        self.add_sweep()
        self.add(RACY, 2, delay="soon")
        with self.assertRaisesRegex(ResultsError, r"summary\.csv:\d+: delay: 'soon' is not a number"):
            self.runs()


if __name__ == "__main__":
    unittest.main()
