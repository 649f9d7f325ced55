"""Laws of the figure of batches: a step of each line where a batch changed, and what the GPU's share was."""

import unittest

import fake_runs
from folder_to_draw import Drawing
from plot.estimates import configurations
from plot.figures import batches
from plot.files.errors import NotDrawn


class Batches(Drawing):
    def mixed(self, changes, rule="adaptive", **options):
        self.gpu(device="both", batch=16, gpu_batch=0, batch_rule=rule, **options)
        self.rows[-1].update(gpu_updates=3 * self.rows[-1]["updates"] // 4, cpu_step_count=100, gpu_step_count=300)
        fake_runs.make_batches(self.folder / self.rows[-1]["run"], changes)

    def test_each_device_of_each_seed_has_a_line_to_the_end_of_its_run(self):
        for seed in (1, 2):
            self.mixed({"cpu": [(0, 16, 0)], "gpu": [(0, 16, 0), (0.00001, 32, 9), (0.00002, 64, 20)]}, seed=seed)
        axes = self.drawn(batches, self.runs()).axes[-1]
        self.assertEqual(len(axes.lines), 4)
        ends = [line.get_xdata()[-1] for line in axes.lines]
        self.assertEqual(ends, [float(row["seconds"]) for row in self.rows for _ in range(2)])
        self.assertEqual([list(line.get_ydata()) for line in axes.lines], [[16, 16], [16, 32, 64, 64]] * 2)
        self.assertTrue(all(line.get_drawstyle() == "steps-post" for line in axes.lines))

    def test_shares_are_of_samples_and_of_steps(self):
        self.mixed({"cpu": [(0, 16, 0)], "gpu": [(0, 16, 0), (0.001, 32, 9)]})
        one, = configurations.configurations(self.runs())
        self.assertEqual(batches.shares(one), "GPU: 75 % of the samples, 75 % of the steps")

    def test_without_a_change_there_is_no_figure(self):
        self.mixed({"cpu": [(0, 16, 0)], "gpu": [(0, 64, 0)]}, rule="fixed")
        self.add()
        with self.assertRaises(NotDrawn):
            batches.draw(self.runs(), None, "t", "s", [])


if __name__ == "__main__":
    unittest.main()
