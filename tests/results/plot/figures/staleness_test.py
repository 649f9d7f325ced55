"""Laws of the staleness figure: shares are of all steps whatever the width of a bucket, and runs without counts show their quantiles."""

import unittest

import fake_runs
from folder_to_draw import ATOMIC, RACY, STALE, Drawing
from plot.estimates import staleness_counts
from plot.figures import staleness


class Staleness(Drawing):
    def test_a_histogram_shows_shares_for_one_value_and_its_area_is_1(self):
        buckets = [(0, 0, 50), (1, 1, 20), (16, 16, 10), (19, 19, 10), (96, 97, 5), (1024, 1055, 5)]
        bins = staleness_counts.histogram(buckets)
        self.assertEqual(bins, [(0, 1, 0.5), (1, 1, 0.2), (16, 4, 0.05), (96, 16, 0.05 / 16), (1024, 256, 0.05 / 256)])
        for value in (0, 1, 15, 16, 17, 63, 64, 100, 1 << 40, (1 << 63) + 5):
            first, width = staleness_counts.bin_of(value)
            self.assertTrue(first <= value < first + width, value)
            self.assertEqual(staleness_counts.bin_of(first + width)[0], first + width)  # no gap
        x, y = staleness.outline(bins, 1e-9)
        area = sum((right - left) * height for left, right, height in zip(x, x[1:], y) if height > 1e-9)
        self.assertAlmostEqual(area, 1.0, places=12)

    def test_the_tail_is_the_share_of_the_steps_that_were_at_least_so_stale(self):
        self.assertEqual(staleness_counts.tail([(0, 0, 60), (1, 1, 30), (64, 65, 10)]), [(0, 1.0), (1, 0.4), (64, 0.1)])
        self.assertEqual(staleness_counts.tail([(3, 3, 7)]), [(0, 1.0), (3, 1.0)])

    def test_the_steps_of_all_seeds_are_one_histogram(self):
        self.counted(seed=1, buckets=((0, 0, 1), (2, 2, 3)))
        self.counted(seed=2, buckets=((0, 0, 5), (1, 1, 1)))
        self.assertEqual(staleness_counts.pooled(self.runs(), "cpu"), [(0, 0, 6), (1, 1, 1), (2, 2, 3)])
        self.assertEqual(staleness_counts.pooled(self.runs(), "gpu"), [])

    def test_staleness_has_a_panel_for_each_method_and_a_line_for_each_number_of_workers(self):
        for method in (RACY, ATOMIC):
            for threads in (2, 4):
                self.counted(method=method, threads=threads)
        self.add(RACY, 8)  # nothing was counted
        axes = self.drawn(staleness, self.runs()).axes[1:]
        self.assertEqual([panel.get_title(loc="left") for panel in axes[::2]], ["hogwild · racy", "hogwild · atomic"])
        self.assertEqual([len(panel.lines) for panel in axes], [2, 2, 2, 2])
        for panel in axes[1::2]:
            x, y = panel.lines[0].get_data()
            self.assertEqual((list(x), [round(share, 12) for share in y]), ([0, 1, 64, 66], [1.0, 0.4, 0.1, 0.02]))
        self.assertEqual(len({panel.get_xlim() for panel in axes}), 1)

    def test_a_faster_run_whose_steps_were_not_counted_takes_no_place(self):
        self.counted(telemetry="sampled", seconds_scale=2.0)
        self.add(telemetry="off", seconds_scale=1.0)
        rows, left_out = staleness.choose(self.found())
        self.assertEqual(([[one.runs[0].name for one, _ in lines] for lines in rows.values()], left_out), ([["000"]], 0))

    def test_steps_of_a_gpu_and_of_threads_have_panels_of_their_own(self):
        self.gpu(device="both")
        fake_runs.make_staleness(self.folder / self.rows[-1]["run"], {"cpu": [(0, 0, 1)], "gpu": [(5, 5, 1)]})
        axes = self.drawn(staleness, self.runs()).axes[1:]
        self.assertEqual([panel.get_title(loc="left") for panel in axes[::2]], ["hogwild · atomic (CPU threads)", "hogwild · atomic (GPU)"])

    def test_staleness_bars_end_at_the_quantiles_of_the_files(self):
        self.add(RACY, 2, **STALE)
        axes = self.drawn(staleness, self.runs()).axes[1]
        self.assertEqual([(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches],
                         [(0.0, 1.0), (1.0, 3.0), (3.0, 9.0), (9.0, 40.0)])

    def test_a_row_of_a_gpu_has_the_quantiles_that_there_are(self):
        self.gpu(gpu_staleness_p50=5, gpu_staleness_p99=50, gpu_staleness_max=90)
        axes = self.drawn(staleness, self.runs()).axes[1]
        self.assertEqual([bar.get_x() + bar.get_width() for bar in axes.patches], [5.0, 50.0])


if __name__ == "__main__":
    unittest.main()
