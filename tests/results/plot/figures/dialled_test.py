"""Laws of the figure of what was dialled: each set of runs is judged by its own serial code, and stands where its value says."""

import math
import unittest
from dataclasses import replace

import fake_runs
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.figures import dialled
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.files.reading import read_results
from plot.style import looks, styling
from report import report
from scratch import Scratch

SERIAL, RACY, ATOMIC = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "atomic", "none")
PAGE = replace(styling.SIZES["page"], dpi=40)
ZIPF = "synthetic:rows=1000,features=2000,nonzeros=40,zipf={}"


class Dialled(Scratch):
    def setUp(self):
        super().setUp()
        self.rows = []

    def add(self, method, threads=2, seeds=(1, 2, 3), **options):
        for seed in seeds:
            self.rows.append(fake_runs.make_run(self.folder, f"{len(self.rows):03}", method, threads, seed, **options))
        return self.rows[-len(seeds):]

    def sets(self):
        fake_runs.make_summary(self.folder, self.rows)
        return list(naming.groups(read_results([self.folder]).runs).values())

    def drawn(self, size=PAGE):
        figure = dialled.draw(self.sets(), size, "title", "subtitle", ["note"])
        FigureCanvasAgg(figure).draw()
        return [axes for axes in figure.axes if axes.get_title(loc="left")]

    def labels(self):
        return [label.get_text() for label in self.drawn()[0].get_xticklabels()]

    def dots(self, axes, colour=looks.LOOKS["hogwild · racy"].colour):
        """{place: height} of a method."""
        return {line.get_xdata()[0]: line.get_ydata()[0] for line in axes.lines if line.get_marker() == "o" and line.get_color() == colour}

    def reason(self):
        with self.assertRaises(NotDrawn) as caught:
            self.drawn()
        return str(caught.exception)

    def test_a_point_is_the_ratio_of_expected_costs_to_serial_code_of_the_same_set(self):
        ratios = []
        for data, slower in (("a", 1.0), ("b", 5.0)):
            own = self.add(SERIAL, 1, data=data, seconds_scale=slower)
            ratios.append([own, self.add(RACY, 2, data=data, seconds_scale=2.0)])
        rate, time = self.drawn()
        total = lambda rows, column: sum(row[column] for row in rows)
        rate_of = lambda rows: total(rows, "updates") / total(rows, "seconds")
        for place, (serial, racy) in zip((1, 2), ratios):
            self.assertAlmostEqual(self.dots(rate)[place], rate_of(racy) / rate_of(serial), places=12)
            self.assertAlmostEqual(self.dots(time)[place], total(serial, "seconds_to_target") / total(racy, "seconds_to_target"), places=12)

    def test_sets_stand_by_rising_numbers_whatever_the_order_of_the_runs(self):
        for zipf in ("1.5", "0", "10", "0.5"):
            self.add(SERIAL, 1, data=ZIPF.format(zipf))
            self.add(RACY, 2, data=ZIPF.format(zipf))
        self.assertEqual(self.labels(), ["0", "0.5", "1.5", "10"])

    def test_a_label_has_what_the_other_names_do_not_have(self):
        self.assertEqual(dialled.data_labels(["synthetic:features=400,nonzeros=4,zipf=0", "synthetic:features=2000,nonzeros=4,zipf=1"]),
                         ("data: features, zipf", ["400\n0", "2000\n1"]))
        self.assertEqual(dialled.data_labels(["synthetic:rcv1/4", "synthetic:rcv1/20"]), ("data", ["rcv1/4", "rcv1/20"]))
        self.assertEqual(dialled.data_labels(["synthetic:rcv1/4", "synthetic:rows=9,zipf=1", "imdb"]),
                         ("data", ["synthetic\nrcv1/4", "synthetic\nrows=9\nzipf=1", "imdb"]))

    def test_a_long_name_is_cut_to_the_room_of_its_set(self):
        for data in ("a" * 200, "b" * 200):
            self.add(SERIAL, 1, (1,), data=data)
            self.add(RACY, 2, (1,), data=data)
        axes = self.drawn()[0]
        left, right = (label.get_window_extent() for label in axes.get_xticklabels())
        self.assertLess(left.x1, right.x0)
        self.assertTrue(all(label.endswith("…") for label in self.labels()))

    def test_the_most_workers_of_each_method_stand_there(self):
        for data in ("a", "b"):
            serial = self.add(SERIAL, 1, data=data)
            self.add(RACY, 1, data=data)
            most = self.add(RACY, 8, data=data)
            self.add(ATOMIC, 4, data=data)
        rate, _ = self.drawn()
        rate_of = lambda rows: sum(row["updates"] for row in rows) / sum(row["seconds"] for row in rows)
        self.assertEqual(set(self.dots(rate)), {1, 2})
        self.assertAlmostEqual(self.dots(rate)[2], rate_of(most) / rate_of(serial), places=12)
        self.assertEqual(set(self.dots(rate, looks.LOOKS["hogwild · atomic"].colour)), {1, 2})

    def test_a_target_that_was_missed_is_a_hollow_mark_below_all_values(self):
        for data, status in (("a", "done"), ("b", "interrupted")):
            self.add(SERIAL, 1, data=data)
            self.add(RACY, 2, data=data, status=status)
        _, time = self.drawn()
        marks = [line for line in time.lines if line.get_marker() == "^"]
        self.assertEqual([line.get_xdata()[0] for line in marks], [2])
        self.assertLess(marks[0].get_ydata()[0], min(self.dots(time).values()))
        self.assertEqual(set(self.dots(time)), {1})

    def test_sets_without_a_target_have_updates_per_second_alone(self):
        for l2 in (0.1, 1e-5):
            for method in (SERIAL, RACY):
                for row in self.add(method, 2, l2=l2):
                    row.update(target="", seconds_to_target="", updates_to_target="")
        self.assertEqual([axes.get_title(loc="left") for axes in self.drawn()], ["updates per second, times serial's"])

    def test_reasons_say_why_nothing_is_drawn(self):
        self.add(RACY, 2, data="a")
        self.assertIn("nothing was dialled", self.reason())
        self.add(RACY, 2, data="b")
        self.assertIn("serial code", self.reason())
        self.add(RACY, 2, data="b", delay=1e-5)
        self.assertIn("data and delay of each gradient differ at once", self.reason())

    def test_panels_keep_within_the_sheet_in_every_size(self):
        for zipf in range(7):
            for method in (SERIAL, RACY, ATOMIC):
                self.add(method, 2, (1,), data=ZIPF.format(zipf))
        for name, size in styling.SIZES.items():
            for axes in self.drawn(replace(size, dpi=40)):
                place = axes.get_position()
                self.assertTrue(0 <= place.x0 < place.x1 <= 1 and 0 <= place.y0 < place.y1 <= 1, name)

    def test_a_report_has_it_where_there_are_several_sets(self):
        for data in ("a", "b"):
            for method in (SERIAL, RACY):
                self.add(method, 2, (1,), data=data)
        fake_runs.make_summary(self.folder, self.rows)
        groups = naming.groups(read_results([self.folder]).runs)
        section, = report.set_sections(groups, "title", PAGE, self.folder, "hogwild report DIR")
        self.assertIn("figures/dialled.png", section.content)
        self.assertTrue((self.folder / "figures" / "dialled.pdf").is_file())
        one, = {key: runs for key, runs in groups.items() if key[1] == "a"}.items()
        delays = {one[0][:-1] + (delay,): one[1] for delay in ("0", "1e-5")}
        self.assertEqual(report.set_sections(delays, "title", PAGE, self.folder, "hogwild report DIR"), [])

    def test_what_is_drawn_at_once_keeps_its_order(self):
        self.assertEqual(report.at_once(pow, [(2, power) for power in range(20)]), [2**power for power in range(20)])
        self.assertEqual(report.at_once(pow, []), [])


if __name__ == "__main__":
    unittest.main()
