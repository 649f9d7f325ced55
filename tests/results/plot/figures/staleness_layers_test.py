"""Laws of the figure of layers: means are of all steps, and only runs that counted layers have a line."""

import unittest

import fake_runs
from folder_to_draw import ATOMIC, RACY, Drawing
from plot.estimates import staleness_counts
from plot.figures import staleness_layers
from plot.files.errors import NotDrawn


class StalenessLayers(Drawing):
    def layered(self, layers, **options):
        self.add(telemetry="sampled", **options)
        fake_runs.make_layer_staleness(self.folder / self.rows[-1]["run"], layers)

    def test_the_mean_is_of_all_steps_of_all_seeds(self):
        self.layered({1: [(0, 0, 1), (4, 4, 1)], 3: [(0, 0, 2)]}, seed=1)
        self.layered({1: [(2, 2, 2)], 3: [(3, 3, 2)]}, seed=2)
        pooled = staleness_counts.pooled_layers(self.runs(), "cpu")
        self.assertEqual(pooled, {1: [(0, 0, 1), (2, 2, 2), (4, 4, 1)], 3: [(0, 0, 2), (3, 3, 2)]})
        self.assertEqual([staleness_counts.mean(buckets) for buckets in pooled.values()], [2.0, 1.5])
        self.assertEqual(staleness_counts.mean([(64, 65, 1)]), 64.5)

    def test_each_method_and_number_of_workers_has_a_line_from_the_first_layer_to_the_last(self):
        for method in (RACY, ATOMIC):
            for threads in (2, 4):
                self.layered({1: [(threads, threads, 5)], 4: [(1, 1, 5)], 10: [(0, 0, 5)]}, method=method, threads=threads)
        self.add(RACY, 8)  # nothing was counted
        axes = self.drawn(staleness_layers, self.runs()).axes[-1]
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["1", "4", "10"])
        lines = [[list(of) for of in line.get_data()] for line in axes.lines]
        self.assertEqual(sorted(lines), [[[0, 1, 2], [2, 1, 0]]] * 2 + [[[0, 1, 2], [4, 1, 0]]] * 2)

    def test_devices_that_counted_have_a_panel_each_where_there_are_several(self):
        self.layered({1: [(2, 2, 5)], 3: [(1, 1, 5)]}, method=RACY, threads=2)
        self.assertEqual([axes.get_title(loc="left") for axes in self.panels()], [""])
        self.gpu()
        fake_runs.make_layer_staleness(self.folder / self.rows[-1]["run"], {1: [(3, 3, 4)], 4: [(2, 2, 4)]}, device="gpu")
        cpu, gpu = self.panels()
        self.assertEqual([cpu.get_title(loc="left"), gpu.get_title(loc="left")], ["CPU threads", "GPU"])
        self.assertEqual([label.get_text() for label in gpu.get_xticklabels()], ["1", "4"])
        self.assertEqual([[list(of) for of in line.get_data()] for line in gpu.lines], [[[0, 1], [3, 2]]])

    def panels(self):
        return [axes for axes in self.drawn(staleness_layers, self.runs()).axes if axes.get_ylabel()]

    def test_without_counts_of_layers_there_is_no_figure(self):
        self.counted()
        with self.assertRaises(NotDrawn):
            staleness_layers.draw(self.runs(), None, "t", "s", [])


if __name__ == "__main__":
    unittest.main()
