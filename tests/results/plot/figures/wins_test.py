"""Laws of the figure of who wins: every number of speedup.csv stands where it says, in a panel of its data and problem."""

import unittest
from dataclasses import replace

from folder_to_draw import PAGE
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from plot.figures import wins
from plot.files.errors import NotDrawn, ResultsError
from plot.style import styling
from report import figures
from scratch import Scratch

ROWS = """imdb,hinge,hogwild,async,1,0.9,0.8,1
imdb,hinge,hogwild,async,2,0.5,0.25,0.75
imdb,hinge,local-sgd,sync,1,1,0.9,1.1
imdb,hinge,local-sgd,sync,2,1.5,1.25,2
imdb,hinge,minibatch,sync,2,1.25,1,1.5
imdb,logistic,hogwild,async,1,1,0.9,1.1
imdb,logistic,hogwild,async,2,0,0,0.125
"""


class Wins(Scratch):
    def points(self, rows=ROWS, header=",".join(wins.HEADER)):
        path = self.folder / "speedup.csv"
        path.write_text(f"{header}\n{rows}")
        return wins.read(path)

    def drawn(self, points, size=PAGE):
        figure = wins.draw(points, size, "title", "subtitle", ["note"])
        FigureCanvasAgg(figure).draw()
        return [axes for axes in figure.axes if axes.get_title(loc="left")]

    @staticmethod
    def lines(axes, colour):
        return [list(map(tuple, line.get_xydata())) for line in axes.lines if line.get_color() == colour and len(line.get_xydata())]

    def test_a_panel_for_every_data_set_and_problem_with_the_values_of_the_file(self):
        hinge, logistic = self.drawn(self.points())
        self.assertEqual((hinge.get_title(loc="left"), logistic.get_title(loc="left")), ("imdb, hinge", "imdb, logistic"))
        looks = wins.looks_of(self.points(), PAGE)
        self.assertEqual(self.lines(hinge, looks["hogwild"]["color"]), [[(1, 0.9), (2, 0.5)]])
        self.assertEqual(self.lines(hinge, looks["local-sgd"]["color"]), [[(1, 1.0), (2, 1.5)]])
        bands = [band for band in hinge.collections if isinstance(band, PolyCollection)]
        corners = {tuple(corner) for band in bands for corner in band.get_paths()[0].vertices}
        self.assertLessEqual({(1, 0.8), (2, 0.25), (2, 0.75), (2, 2.0)}, corners)

    def test_the_best_synchronous_line_is_the_best_at_each_number_of_workers(self):
        self.assertEqual(wins.best_synchronous(self.points()[:5]), [(1, 1.0), (2, 1.5)])
        self.assertEqual(wins.best_synchronous(self.points("d,hinge,svrg,sync,2,0,0,0.1\n")), [(2, 0.0)])
        hinge, logistic = self.drawn(self.points())
        self.assertEqual(self.lines(hinge, styling.OTHER), [[(1, 1.0), (2, 1.5)]])
        self.assertEqual(self.lines(logistic, styling.OTHER), [])

    def test_serial_is_at_one_and_ideal_scaling_at_the_number_of_workers(self):
        for axes in self.drawn(self.points()):
            self.assertIn([1, 1], [list(line.get_ydata()) for line in axes.lines if line.get_color() == styling.BLACK])
            self.assertEqual(self.lines(axes, styling.QUIET), [[(1, 1), (2, 2)]])

    def test_who_never_got_there_stands_below_all_values(self):
        _, logistic = self.drawn(self.points())
        colour = wins.looks_of(self.points(), PAGE)["hogwild"]["color"]
        reached, missed = self.lines(logistic, colour)
        self.assertEqual(reached, [(1, 1.0)])
        self.assertEqual(missed[0][0], 2)
        self.assertLess(missed[0][1], 0.125)

    def test_neither_line_nor_band_goes_through_a_miss(self):
        line = ((1, 1), (2, 2), (4, 0), (8, 3), (16, 4), (32, 0), (64, 5))
        rows = "".join(f"d,hinge,{scheme},{workers},{value},{value},{value}\n" for scheme in ("hogwild,async", "svrg,sync")
                       for workers, value in line)
        axes, = self.drawn(self.points(rows))
        for scheme in ("hogwild", "svrg"):
            look = wins.looks_of(self.points(rows), PAGE)[scheme]
            own = [line for line in axes.lines if line.get_color() == look["color"] and line.get_marker() == "o"]
            self.assertEqual([list(line.get_xdata()) for line in own], [[1, 2], [8, 16], [64]])
        self.assertEqual([[round(workers) for workers, _ in line] for line in self.lines(axes, styling.OTHER)], [[1, 2], [8, 16], [60, 68]])
        bands = [band.get_paths()[0].vertices[:, 0] for band in axes.collections if isinstance(band, PolyCollection)]
        self.assertEqual(sorted((min(band), max(band)) for band in bands), [(1, 2), (1, 2), (8, 16), (8, 16)])

    def test_schemes_that_no_figure_knows_have_dashes_of_their_own(self):
        rows = "".join(f"d,hinge,scheme-{i},async,{workers},1,1,1\n" for i in range(6) for workers in (1, 2))
        looks = wins.looks_of(self.points(ROWS + rows), PAGE)
        self.assertEqual(len({(look["color"], look["linestyle"]) for look in looks.values()}), len(looks))

    def test_eight_panels_fit_every_size_in_print(self):
        rows = "".join(f"data-{data},{problem},hogwild,async,{workers},{workers},1,16\n"
                       for data in range(4) for problem in ("hinge", "logistic") for workers in (1, 2, 4, 8, 16))
        for size in styling.SIZES.values():
            panels = self.drawn(self.points(rows), replace(size, dpi=40))
            self.assertEqual(len(panels), 8)
            boxes = [axes.get_tightbbox() for axes in panels]
            for i, one in enumerate(boxes):
                self.assertGreater(one.height, 0)
                for other in boxes[i + 1:]:
                    self.assertFalse(one.overlaps(other))

    def test_one_number_of_workers_is_no_curve_and_a_row_without_a_value_no_point(self):
        with self.assertRaises(NotDrawn):
            wins.draw(self.points("imdb,hinge,hogwild,async,2,1,1,1\n"), PAGE, "", "", [])
        self.assertEqual(self.points("imdb,hinge,hogwild,async,2,,,\n"), [])
        drawn, = figures.draw_wins([], PAGE, self.folder, "title", "", [])
        self.assertEqual(drawn.paths, {})

    def test_what_has_no_panel_since_serial_code_missed_the_target_is_named(self):
        self.points(ROWS)
        path = self.folder / "speedup.csv"
        self.assertEqual(wins.left_out(path), [])
        self.points(ROWS + "d/novels,hinge,hogwild,async,2,,,\nd/novels,hinge,svrg,sync,2,,,\nimdb,logistic,svrg,sync,2,,,\n")
        self.assertEqual(wins.left_out(path), ["Left out, since serial code missed the target: d/novels, hinge."])

    def test_what_is_no_such_file_is_refused_with_its_place(self):
        with self.assertRaisesRegex(ResultsError, r"speedup.csv: no column kind \(it is no speedup.csv\); run"):
            self.points("1,2\n", "data,problem,scheme,sort,workers,speedup,low,high")
        with self.assertRaisesRegex(ResultsError, r"speedup.csv:2: a number is none \("):
            self.points("imdb,hinge,hogwild,async,two,1,1,1\n")


if __name__ == "__main__":
    unittest.main()
