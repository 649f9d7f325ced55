"""Laws of variants. What was varied is drawn, as long as a reader tells the lines apart, and what is not drawn is counted. Speed-ups
say which batches they compare."""

import unittest

import fake_runs
from folder_to_draw import ATOMIC, RACY, SERIAL, Drawing
from plot.estimates import configurations
from plot.figures import captions, delay, dialled, efficiency, speedup, staleness, staleness_layers
from plot.files import naming

RULES = ("none", "inverse", "delay-adaptive", "drop")


class Variants(Drawing):
    def counted_layers(self, **options):
        self.counted(**options)
        fake_runs.make_layer_staleness(self.folder / self.rows[-1]["run"], {1: [(2, 2, 5)], 3: [(1, 1, 5)]})

    def said(self, module, runs):
        """All words of the sheet in one line: title, legend, footnotes."""
        return " ".join(text.get_text() for text in self.drawn(module, runs).axes[0].texts)

    def test_each_variant_has_a_line_in_the_figures_of_staleness(self):
        for rule in RULES:
            self.counted_layers(staleness_rule=rule)
        for module, panels in ((staleness, 2), (staleness_layers, 1)):
            figure, said = self.drawn(module, self.runs()), self.said(module, self.runs())
            for axes in figure.axes[1:]:
                self.assertEqual(len(axes.lines), len(RULES))
            self.assertEqual(len(figure.axes[1:]), panels)
            for rule in RULES:
                self.assertIn(f"staleness rule {rule}", said)
            self.assertNotIn("best variant", said)
            self.assertNotIn("not shown", said)

    def test_of_more_variants_than_a_reader_tells_apart_the_best_is_drawn_and_the_others_are_counted(self):
        for step in range(1, 8):  # more than there are dashes
            self.counted_layers(step_size=step)
        for module in (staleness, staleness_layers):
            self.assertEqual(len(self.drawn(module, self.runs()).axes[-1].lines), 1)
            self.assertIn("6 more configurations are not shown: of each method and number of workers the best variant is; the report's table has all.",
                          self.said(module, self.runs()))

    def test_one_more_is_one_configuration(self):
        self.assertEqual(captions.left_out(0), [])
        self.assertEqual(captions.left_out(1), ["1 more configuration is not shown; the report's table has all."])
        self.assertEqual(captions.left_out(2, captions.BEST)[0].split(":")[0], "2 more configurations are not shown")

    def batches(self, missing=64):
        """Runs of two batches, the larger with more updates per second, one of which misses its target."""
        for seed in (1, 2, 3):
            for batch, scale in ((1, 2.0), (64, 1.0)):
                for method, threads in ((SERIAL, 1), (RACY, 1), (RACY, 4)):
                    self.add(method, threads, seed, batch=batch, seconds_scale=scale)
                    if batch == missing:
                        self.rows[-1].update(seconds_to_target="", updates_to_target="")
        return self.runs()

    def test_a_speed_up_says_which_batch_each_line_and_serial_code_have(self):
        runs = self.batches()
        rate, useful = self.drawn(speedup, runs).axes[1:3]
        dots = lambda axes: sum(line.get_marker() == "o" for line in axes.lines)
        self.assertEqual((dots(rate), dots(useful), sum(line.get_marker() == "^" for line in useful.lines)), (4, 2, 2))
        said = self.said(speedup, runs)
        for words in ("hogwild · racy, batch 1 ", "hogwild · racy, batch 64 ", "best serial, batch 1 ", "Batches: serial 1; hogwild · racy 1, 64."):
            self.assertIn(words, said)

    def test_of_the_best_variants_too_batches_are_said(self):
        for batch in range(1, 9):
            self.add(RACY, 2, batch=batch, seconds_scale=1 + abs(batch - 5))
        self.add(SERIAL, 1, batch=3)
        said = self.said(speedup, self.runs())
        self.assertIn("the variant with the least time to its target, else the lowest loss; the report's table has all. "
                      "Batches: serial 3; hogwild · racy 5.", said)
        self.assertIn(" hogwild · racy ", said)

    def test_equal_batches_need_no_words(self):
        for batch in ("", "16"):
            found = [configurations.Configuration(naming.Key(method, "", 1), []) for method in ("serial", "hogwild · racy")]
            self.add(SERIAL, 1, batch=batch)
            for one in found:
                one.runs = self.runs()[-1:]
            self.assertEqual(speedup.batches(found), "")

    def test_what_was_dialled_and_delays_say_their_batches(self):
        for data in ("a", "b"):
            self.add(SERIAL, 1, data=data, batch=1)
            self.add(RACY, 2, data=data, batch=64)
        sets = list(naming.groups(self.runs()).values())
        self.assertIn("Batches: serial 1; hogwild · racy 64.", self.said(dialled, sets))
        self.folder, self.rows = self.folder / "delays", []
        self.folder.mkdir()
        for late in (0, 1e-5):
            for method, batch in ((SERIAL, 1), (ATOMIC, 64)):
                self.rows.append(fake_runs.make_run(self.folder, f"late-{late}-{batch}", method, 2, delay=late, batch=batch))
        self.assertIn("Batches: serial 1; hogwild · atomic 64.", self.said(delay, self.runs()))

    def test_the_yardstick_of_each_panel_is_said_where_serial_code_was_varied(self):
        self.assertIn("Black: in each panel the best serial code (batch 64; batch 1; batch 1).", self.said(efficiency, self.batches()))

    def test_a_yardstick_that_is_one_in_all_panels_is_said_once(self):
        self.assertIn("Black: in each panel the best serial code (batch 64).", self.said(efficiency, self.batches(missing=1)))


if __name__ == "__main__":
    unittest.main()
