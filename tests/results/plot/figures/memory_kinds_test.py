"""Laws of the figure of memory kinds: a mark for every combination that ran, none for the others, nothing covers anything."""

import itertools
import math
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import fake_devices
import fake_runs
import numpy as np
from eyes import DEUTERANOPIA, PROTANOPIA, seen
from fake_devices import make_row
from matplotlib import colors as mcolors
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.figures import memory_kinds
from plot.files.combinations import Combinations
from plot.style import styling

PAGE = styling.SIZES["page"]
DEVICE_OF = {mcolors.to_hex(colour): device for device, colour in styling.DEVICES.items()}


def drawn(rows, size=PAGE, name="made up", machine="machine", notes=()):
    texts = [{column: str(value) for column, value in row.items()} for row in rows]  # as a file holds them
    figure, _ = memory_kinds.draw(Combinations(texts), size, name, machine, list(notes))
    FigureCanvasAgg(figure).draw()
    return figure


def marks(panel):
    """[(kind of memory, device, marker, y, whether it is hollow)]"""
    kinds = [label.get_text().replace("\n", "").rstrip("†") for label in panel.get_xticklabels()]
    return [(kinds[round(float(line.get_xdata()[0]))], DEVICE_OF[mcolors.to_hex(line.get_color())], line.get_marker(),
             float(line.get_ydata()[0]), mcolors.to_hex(line.get_markerfacecolor()) == "#ffffff")
            for line in panel.lines if line.get_marker() in memory_kinds.POLICIES.values()]


def texts(figure):
    return " ".join(text.get_text() for text in figure.axes[0].texts)


class MemoryKinds(unittest.TestCase):
    def test_every_combination_has_its_mark_in_both_panels(self):
        rows = fake_devices.make_rows()
        wanted = {(row["memory"], row["device"], memory_kinds.POLICIES[row["method"].split()[0]])
                  for row in rows if row["status"] == "done" and row["method"] != "serial"}
        for panel in drawn(rows).axes[1:]:
            self.assertEqual(sorted(mark[:3] for mark in marks(panel)), sorted(wanted))

    def test_marks_stand_apart_and_at_their_medians(self):
        figure = drawn(fake_devices.make_rows(), styling.SIZES["column"])
        for panel in figure.axes[1:]:
            points = [panel.transData.transform((line.get_xdata()[0], line.get_ydata()[0])) for line in panel.lines
                      if line.get_marker() in memory_kinds.POLICIES.values()]
            apart = min(math.dist(*pair) for pair in itertools.combinations(points, 2)) / figure.dpi * 72
            self.assertGreater(apart, styling.SIZES["column"].marker)
        rate = next(mark[3] for mark in marks(figure.axes[1]) if mark[:3] == ("replica", "gpu", "s"))
        self.assertAlmostEqual(rate / 144e6, 1)

    def test_a_missed_target_is_hollow_above_all_times(self):
        figure = drawn(fake_devices.make_rows())
        rates, times = (marks(panel) for panel in figure.axes[1:])
        self.assertFalse(any(mark[4] for mark in rates))
        missed = [mark for mark in times if mark[4]]
        self.assertEqual({mark[1:3] for mark in missed}, {("gpu", "o"), ("both", "o")})
        self.assertGreater(min(mark[3] for mark in missed), max(mark[3] for mark in times if not mark[4]))
        self.assertLess(max(mark[3] for mark in missed), figure.axes[2].get_ylim()[1])

    def test_what_each_device_does_of_both_are_bars_in_its_colour(self):
        rows = [make_row("cpu", "host", "serial", 10e6, 0), make_row("both", "replica", "atomic", 2e6, 50e6)]
        bars = {DEVICE_OF[mcolors.to_hex(line.get_color())]: float(line.get_ydata()[0]) for line in drawn(rows).axes[1].lines
                if line.get_marker() == "_"}
        self.assertEqual({device: round(value) for device, value in bars.items()}, {"cpu": 2_000_000, "gpu": 50_000_000})

    def test_serial_is_a_line_across(self):
        rows = [make_row("cpu", "host", "serial", 10e6, 0, seed) for seed in (1, 2, 3)]
        rows.append(make_row("gpu", "device", "racy", 0, 1e6))

        def heights(panel):
            return [round(line.get_ydata()[0]) for line in panel.lines if mcolors.to_hex(line.get_color()) == styling.BLACK]

        self.assertEqual(heights(drawn(rows).axes[1]), [10_000_000])
        for row in rows[:2]:  # of three
            row["seconds_to_target"] = ""
        self.assertEqual(heights(drawn(rows).axes[2]), [])

    def test_what_has_no_mark_is_named(self):
        rows = [row for row in fake_devices.make_rows(seeds=(1,))
                if (row["device"], row["memory"], row["method"]) != ("both", "mapped", "racy")]
        rows.append(fake_devices.without_run("both", "mapped", "racy", "failed", "fell over"))
        said = texts(drawn(rows))
        self.assertIn("Cannot run: gpu, both on host; cpu, both on device; cpu on replica.", said)
        self.assertIn("No result: both on mapped, racy (fell over).", said)
        self.assertIn("†", said)

    def test_fewer_epochs_are_said(self):
        rows = [make_row("gpu", memory, update, 0, 1e6, epochs=2 if memory == "mapped" else 4)
                for memory in ("mapped", "managed", "device") for update in ("racy", "atomic")]
        self.assertIn("2 epochs at most, not 4: gpu on mapped.", texts(drawn(rows)))

    def test_seeds_are_those_of_runs_that_ended(self):
        rows = fake_devices.make_rows(seeds=(1, 2))
        stopped = {**make_row("both", "managed", "atomic", 0, 1e6), "seed": 101, "status": "interrupted", "reason": "too long"}
        said = texts(drawn([*rows, stopped]))
        self.assertIn("2 seeds", said)
        self.assertIn("Interrupted: both on managed, atomic, 1 of 3 runs (too long).", said)

    def test_without_any_time_there_are_rates(self):
        rows = [make_row("gpu", "device", "racy", 0, 1e6, epochs_to_target=None)]
        self.assertEqual(len(drawn(rows).axes), 2)

    def test_no_text_leaves_the_sheet_or_covers_another(self):
        long = "two words and one that is longer than any sheet: " + "W" * 300
        for size in styling.SIZES.values():
            figure = drawn(fake_devices.make_rows(seeds=(1, 2)), size, long, long, [long])
            renderer = FigureCanvasAgg(figure).get_renderer()
            sheet, panels = figure.axes[0], figure.axes[1:]
            labels = [label for panel in panels for axis in (panel.xaxis, panel.yaxis) for label in axis.get_ticklabels()]
            shown = [text for text in [*sheet.texts, *labels, *(panel.title for panel in panels)] if text.get_text()]
            boxes = [text.get_window_extent(renderer) for text in shown]
            for box in boxes:
                self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 + 1, size)
                self.assertTrue(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, size)
                self.assertFalse(any(box.overlaps(panel.bbox) for panel in panels), size)
            for one, other in itertools.combinations(boxes, 2):
                self.assertFalse(one.overlaps(other) and one.width * other.width > 0, size)

    def test_colours_of_devices_stay_apart_for_every_eye(self):
        palette = [*styling.DEVICES.values(), styling.BLACK, "#ffffff"]
        for eye in (np.eye(3), PROTANOPIA, DEUTERANOPIA):
            for one, other in itertools.combinations(palette, 2):
                self.assertGreater(np.linalg.norm(seen(one, eye) - seen(other, eye)), 0.2, (one, other))

    def test_the_command_draws_the_same_bytes_whatever_the_name_is(self):
        with tempfile.TemporaryDirectory() as holder:
            rows = [{**row, "data": "synthetic:<$x_1^$> & \"b\""} for row in fake_devices.make_rows(seeds=(1,))]
            path, contents = fake_devices.write(Path(holder) / "a.csv", rows), []
            for _ in range(2):
                command = [sys.executable, str(fake_runs.RESULTS / "devices.py"), str(path), "--draw"]
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                files = [Path(line) for line in done.stdout.splitlines()[-2:]]
                self.assertEqual([file.name for file in files], ["memory-kinds.png", "memory-kinds.svg"])
                xml.parse(files[1])
                contents.append([file.read_bytes() for file in files])
            self.assertEqual(*contents)


if __name__ == "__main__":
    unittest.main()
