"""Laws of what stands behind a point of speedup.csv: the fastest of the scheme's configurations; what a line does otherwise is hollow."""

import unittest

from folder_to_draw import ATOMIC, PAGE, RACY, SERIAL, Drawing
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.figures import wins, wins_choices

DATA = "synthetic:rcv1/20"
POINTS = [wins.Point(DATA, "hinge", "hogwild", "async", workers, 1.0 * workers, 1.0, 2.0 * workers) for workers in (1, 2, 4)]


class Choices(Drawing):
    def points(self):
        for seed in (1, 2):
            self.add(SERIAL, 1, seed)
            self.add(RACY, 1, seed, update="racy+replicated")
            self.add(ATOMIC, 2, seed, update="atomic+replicated")
            self.add(RACY, 2, seed, seconds_scale=1e3)
            self.add(RACY, 4, seed)
            self.add(RACY, 4, seed, update="racy+replicated", status="diverged")
            self.add(RACY, 4, seed, problem="logistic", update="racy+delayed", seconds_scale=1e-3)
        return wins_choices.with_methods(POINTS, self.runs())

    def test_the_fastest_of_the_same_data_problem_and_workers_stands_there(self):
        self.assertEqual([point.method for point in self.points()], ["hogwild · racy+replicated", "hogwild · atomic+replicated", "hogwild · racy"])

    def test_what_no_run_tells_is_not_said(self):
        self.assertEqual(wins_choices.with_methods(POINTS, []), POINTS)
        self.assertEqual((wins_choices.usual(POINTS), wins_choices.policies(POINTS)), ({}, []))

    def test_points_that_do_otherwise_than_most_of_their_line_are_hollow_in_panel_and_legend(self):
        points = self.points()
        self.assertEqual(wins_choices.usual(points), {"hogwild": "replicated"})
        self.assertEqual(wins_choices.policies(points), ["hogwild: atomic or racy"])
        figure = wins.draw(points, PAGE, "title", "subtitle", [])
        FigureCanvasAgg(figure).draw()
        panel = next(axes for axes in figure.axes if axes.get_title(loc="left"))
        hollow = [list(line.get_xdata()) for line in panel.lines if line.get_marker() == "o" and line.get_markerfacecolor() == "white"]
        self.assertEqual(hollow, [[4]])
        texts = [text.get_text() for text in figure.axes[0].texts]
        self.assertIn("hot updates direct", texts)

    def test_a_line_that_does_the_same_everywhere_has_no_hollow_mark(self):
        same = self.points()[:2]
        self.assertEqual(wins_choices.usual(same), {})
        self.assertFalse(any(wins_choices.unusual(point, {}) for point in same))


if __name__ == "__main__":
    unittest.main()
