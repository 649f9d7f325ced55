"""Laws of figures of speed-ups: ratios of expected times, their intervals, and the strip of what missed."""

import math
import unittest

from folder_to_draw import ATOMIC, RACY, SERIAL, Drawing
from plot.estimates import configurations
from plot.figures import dialled, efficiency, speedup
from plot.files import naming


class SpeedupFigures(Drawing):
    def whiskers(self, axes):
        """{(low, high)} of upright lines."""
        return {tuple(line.get_ydata()) for line in axes.lines if len(line.get_xdata()) == 2 and len(set(line.get_xdata())) == 1}

    def test_speed_up_is_the_ratio_of_expected_times_and_one_that_missed_stands_in_the_strip(self):
        for seed in (1, 2, 3):
            self.add(SERIAL, 1, seed)
            self.add(RACY, 4, seed)
            self.add(ATOMIC, 4, seed, status="diverged")
        found = self.found()
        serial = configurations.best_serial(found)
        panel = speedup.by_time([one for one in found if not one.key.serial], serial)
        racy, atomic = panel.points
        low, value, high = racy.values
        spent = {one.key.method: sum(one.times()) for one in found}
        self.assertAlmostEqual(value, spent["serial"] / spent["hogwild · racy"], places=12)
        self.assertTrue(low <= value <= high)
        self.assertEqual((atomic.median, atomic.diverged), (math.inf, True))
        axes = self.drawn(speedup, self.runs()).axes[2]
        strip = axes.get_ylim()[0]
        crosses = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "x"]
        self.assertEqual(len(crosses), 1)
        self.assertLess(crosses[0], low)
        self.assertGreater(crosses[0], strip)

    def test_an_interval_that_reaches_0_and_a_seed_that_missed_end_in_the_strip(self):
        for seed in range(1, 6):
            self.add(SERIAL, 1, seed)
            self.add(RACY, 2, seed)
            self.add(RACY, 4, seed)
            if seed < 3:
                self.rows[-1].update(seconds_to_target="", updates_to_target="")
        rate, useful = self.drawn(speedup, self.runs()).axes[1:3]
        low = useful.get_ylim()[0]
        ends = [bottom for bottom, _ in self.whiskers(useful)]
        self.assertEqual((len(ends), ends.count(low)), (2, 1))
        strip, = [patch for patch in useful.patches]
        self.assertEqual(strip.get_extents().y0, useful.transData.transform((1, low))[1])
        self.assertFalse(rate.patches)
        time = self.drawn(efficiency, self.runs()).axes[3]
        high = time.get_ylim()[1]
        self.assertEqual([top for _, top in self.whiskers(time)].count(high), 1)
        self.assertEqual(len(time.patches), 1)

    def test_the_words_below_speak_of_whiskers_and_of_the_strip_where_they_are_drawn(self):
        for seeds, missed, whiskers, strip in ((1, 0, False, False), (2, 0, False, False), (3, 0, True, False), (5, 3, True, True)):
            self.rows = []
            self.folder = self.folder / "next"
            for data in ("a", "b"):
                for seed in range(1, seeds + 1):
                    self.add(SERIAL, 1, seed, data=data)
                    self.add(RACY, 2, seed, data=data)
                    if seed <= missed:
                        self.rows[-1].update(seconds_to_target="", updates_to_target="")
            sets = list(naming.groups(self.runs()).values())
            for module, runs in ((speedup, sets[0]), (dialled, sets)):
                figure = self.drawn(module, runs)
                said = " ".join(text.get_text() for text in figure.axes[0].texts)
                self.assertEqual(("whiskers: their 95 %" in said, "fewer than three seeds" in said, "grey strip" in said),
                                 (whiskers, not whiskers, strip), (module.__name__, seeds))
                self.assertEqual(any(low < high for axes in figure.axes[1:] for low, high in self.whiskers(axes)), whiskers)
                self.assertEqual(any(axes.patches for axes in figure.axes[1:]), strip)

    def test_the_best_serial_code_is_the_first_at_its_target(self):
        self.add(SERIAL, 1, step_size=0.1, seconds_scale=2.0)
        self.add(SERIAL, 1, step_size=0.2, seconds_scale=1.0)
        self.assertIn("0.2", configurations.best_serial(self.found()).key.variant)


if __name__ == "__main__":
    unittest.main()
