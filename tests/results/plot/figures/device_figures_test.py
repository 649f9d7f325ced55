"""Laws of figures with GPU runs: a line is one configuration, a device has one form, no GPU stands at a number of threads."""

import math
import unittest

import fake_runs
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.estimates import choosing, curves
from plot.figures import convergence, efficiency
from plot.files import naming
from plot.files.manifests import axes_of
from plot.files.reading import read_results
from plot.style import looks, scales, styling
from scratch import Scratch

ATOMIC, RACY, SERIAL, MINIBATCH = ("hogwild", "atomic", "none"), ("hogwild", "racy", "none"), ("serial", "", ""), ("minibatch", "", "")
PAGE = styling.SIZES["page"]


class DeviceFigures(Scratch):
    def setUp(self):
        super().setUp()
        self.rows = []

    def cpu(self, method=ATOMIC, threads=4, **axes):
        self.rows.append(fake_runs.make_run(self.folder, f"{len(self.rows)}", method, threads, **axes))

    def gpu(self, method=ATOMIC, **axes):
        self.rows.append(fake_runs.make_gpu_run(self.folder, f"{len(self.rows)}", method, **axes))

    def runs(self):
        fake_runs.make_summary(self.folder, self.rows)
        return read_results([self.folder]).runs

    def keys(self):
        return list(naming.keys(self.runs()).values())

    def every_device(self):
        self.cpu(SERIAL)
        for threads in (1, 2, 4):
            self.cpu(threads=threads)
        self.gpu()
        self.gpu(streams=1)
        self.gpu(MINIBATCH)
        for threads in (1, 4):
            self.gpu(device="both", threads=threads)
        return self.runs()

    def efficiency(self, runs, size="page"):
        figure = efficiency.draw(runs, styling.SIZES[size], "t", "s", ["n"])
        FigureCanvasAgg(figure).draw()
        return figure

    def test_every_configuration_is_a_line_and_seeds_share_one(self):
        for seed in (1, 2):
            self.cpu(seed=seed)
            for axes in (dict(), dict(streams=3), dict(blocks=66), dict(memory="managed"), dict(hot=0), dict(hot_rule=0.5),
                         dict(placement="hottest")):
                self.gpu(seed=seed, **axes)
            for axes in (dict(), dict(streams=3), dict(bridge_rule=0.5), dict(bridge_pause=0.002)):
                self.gpu(device="both", seed=seed, **axes)
        keys = self.keys()
        self.assertEqual(len(set(keys)), 12)
        self.assertEqual(keys[:12], keys[12:])

    def test_configurations_of_different_folders_are_lines_of_their_own(self):
        keys = set()
        for memory in ("device", "mapped"):
            folder = self.folder / memory
            folder.mkdir()
            fake_runs.make_summary(folder, [fake_runs.make_gpu_run(folder, "001", memory=memory)])
        keys = naming.keys(read_results([self.folder / "device", self.folder / "mapped"]).runs).values()
        self.assertEqual({key.variant for key in keys}, {"device", "mapped"})

    def test_an_axis_is_named_only_where_it_was_varied(self):
        self.cpu()
        self.gpu()
        self.gpu(RACY, hot=0)
        self.gpu(MINIBATCH)
        self.gpu(device="both")
        self.assertEqual({key.variant for key in self.keys()}, {""})
        self.gpu(memory="managed", hot=0)
        self.assertEqual([key.variant for key in self.keys()], ["", "device, hot 64", "", "", "", "managed, hot 0"])

    def test_streams_and_blocks_are_workers_of_a_gpu_alone_and_a_variant_beside_threads(self):
        self.gpu()
        self.gpu(streams=1)
        self.gpu(device="both")
        self.gpu(device="both", streams=1)
        self.gpu(gpu_steps="graphs", blocks="")
        self.assertEqual([(key.threads, key.grid, key.variant) for key in self.keys()],
                         [(0, "2 × 132", ""), (0, "1 × 132", ""), (4, "", "2 × 132"), (4, "", "1 × 132"), (0, "2 × graphs", "")])
        self.assertEqual(naming.in_flight("2 × graphs")[0], 2)

    def test_increments_that_are_not_atomic_are_named_in_both_figures_and_explained(self):
        for threads in (1, 2):
            self.gpu(device="both", memory="mapped", threads=threads)
        for row in self.rows:
            row["cpu_gpu_increments"] = "atomic"
        self.assertFalse(any(naming.NOT_ATOMIC in key.label for key in self.keys()))
        for row in self.rows:
            row["cpu_gpu_increments"] = "not atomic"
        runs = self.runs()
        for figure in (convergence.draw(curves.gather(runs), PAGE, "t", "s", []), self.efficiency(runs)):
            said = [text.get_text() for text in figure.axes[0].texts]
            self.assertIn("hogwild · atomic, mapped (not atomic)", said)
            self.assertIn("can overwrite each other", " ".join(said))

    def test_a_device_has_one_form_and_a_heading_of_its_own(self):
        runs = self.every_device()
        keys = set(naming.keys(runs).values())
        strokes = styling.Strokes(keys, keys, PAGE)
        forms = {}
        for key in keys:
            look = strokes.line(key)
            effects = look.get("path_effects", [None])[0]
            forms.setdefault(key.device, set()).add(effects and (effects._hollow, effects._inner))
            if key.threads or key.grid:
                filled = look["markerfacecolor"] != "white", look.get("markerfacecoloralt") == "white"
                self.assertEqual(filled, {"cpu": (True, False), "gpu": (False, False), "both": (True, True)}[key.device])
            self.assertEqual(strokes.colour(key), looks.LOOKS[key.method].colour)
        self.assertEqual([len(found) for found in forms.values()], [1, 1, 1])
        self.assertEqual(len(set.union(*forms.values())), 3)
        for figure in (convergence.draw(curves.gather(runs), PAGE, "t", "s", []), self.efficiency(runs)):
            said = [text.get_text() for text in figure.axes[0].texts]
            for heading in naming.DEVICES.values():
                self.assertIn(heading, said)

    def test_figures_without_a_gpu_name_no_device(self):
        for threads in (1, 2):
            self.cpu(threads=threads)
        for figure in (convergence.draw(curves.gather(self.runs()), PAGE, "t", "s", []), self.efficiency(self.runs())):
            self.assertFalse({text.get_text() for text in figure.axes[0].texts} & set(naming.DEVICES.values()))

    def test_lines_of_one_device_differ(self):
        for streams in (1, 2, 3):
            for blocks in (66, 132):
                self.gpu(streams=streams, blocks=blocks)
        keys = self.keys()
        self.assertTrue(choosing.readable(keys))
        strokes = styling.Strokes(keys, keys, PAGE)
        self.assertEqual(len({strokes.line(key)["marker"] for key in keys}), 6)
        products = [naming.in_flight(grid)[0] for grid in strokes.grids]
        self.assertEqual(products, sorted(products))

    def test_the_best_is_chosen_on_each_device(self):
        for epochs in range(5, 12):
            self.cpu(epochs=epochs)
            self.gpu(epochs=epochs)
        runs = self.runs()
        self.assertEqual({key.device for key in choosing.best_keys(runs, naming.keys(runs))}, {"cpu", "gpu"})

    def test_a_gpu_alone_stands_beside_all_thread_counts_in_every_panel(self):
        runs = self.every_device()
        for size in styling.SIZES:
            for panel in self.efficiency(runs, size).axes[1:]:
                beside = [line for line in panel.lines if 4 < min(line.get_xdata()) and (
                    len(line.get_xdata()) == 3 or line.get_marker() == "^")]
                self.assertEqual(len(beside), 3)
                for line in panel.lines:
                    self.assertGreaterEqual(min(line.get_xdata()), 0 if line.get_transform() != panel.transData else 1)
                    self.assertLessEqual(max(line.get_xdata()), panel.get_xlim()[1])
                names = [label.get_text() for label in panel.get_xticklabels()]
                self.assertEqual(names, ["1", "2", "4", "GPU"])

    def test_a_gpu_that_missed_its_target_stands_in_its_own_room(self):
        self.every_device()
        self.rows[4].update(seconds_to_target="", updates_to_target="")
        panel = self.efficiency(self.runs()).axes[-1]
        missed = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "^" and line.get_linestyle() == "None"]
        self.assertEqual(len(missed), 2)  # and minibatch, which is too slow
        self.assertTrue(all(x > 4 for x in missed), missed)

    def test_gpus_are_no_yardstick_of_one_thread(self):
        self.gpu()
        self.gpu(device="both", threads=1)
        points = efficiency.gather(self.runs(), efficiency.PANELS[0])
        self.assertTrue(math.isnan(efficiency.yardstick(efficiency.PANELS[0], points)[0]))

    def test_grids_alone_are_a_figure_and_one_line_of_a_gpu_is_none(self):
        self.gpu()
        self.assertFalse(efficiency.worth_drawing(self.runs()))
        self.gpu(blocks=66)
        runs = self.runs()
        self.assertTrue(efficiency.worth_drawing(runs))
        self.assertEqual(self.efficiency(runs).axes[-1].get_xlabel(), "GPU, by streams × blocks")

    def test_a_run_without_a_row_has_the_axes_that_its_row_would_have(self):
        self.cpu()
        self.gpu()
        self.gpu(RACY, hot=0)
        self.gpu(device="both")
        self.gpu(MINIBATCH)
        for run in self.runs():
            self.assertEqual(axes_of(run.manifest), run.axes, run.name)

    def test_the_gpu_stands_beside_the_machine(self):
        self.gpu()
        run = self.runs()[0]
        run.manifest["gpus"] = [{"name": "NVIDIA H200"}]
        self.assertEqual(naming.machine_name([run, run]), "Intel Xeon Platinum 8480C, 16 cores, NVIDIA H200")

    def test_times_from_a_millisecond_to_minutes_share_an_axis(self):
        self.cpu(seconds_scale=40000)
        self.gpu(seconds_scale=0.3)
        content = curves.gather(self.runs())
        for size in styling.SIZES.values():
            figure = convergence.draw(content, size, "t", "s", [])
            FigureCanvasAgg(figure).draw()
            panel = figure.axes[1]
            labels = [label.get_text() for label in panel.get_xticklabels()]
            self.assertEqual(panel.get_xlabel(), "time, log scale")
            self.assertTrue(labels[0].endswith(("µs", "ms")) and labels[-1].endswith(" s"), labels)
            boxes = [label.get_window_extent() for label in panel.get_xticklabels()]
            self.assertTrue(all(one.x1 < other.x0 for one, other in zip(boxes, boxes[1:])), labels)

    def test_times_that_are_near_have_one_unit(self):
        self.assertEqual(scales.time_form([0.02, 0.5])[:2], (1e3, "ms"))
        self.assertEqual(scales.time_form([0.02, 12.0])[:2], (1.0, "s"))
        self.assertEqual(scales.time_form([0.001, 120.0]), (1.0, "", scales.duration))
        self.assertEqual([scales.duration(value) for value in (2e-5, 5e-3, 1.0, 300.0)], ["20 µs", "5 ms", "1 s", "300 s"])


if __name__ == "__main__":
    unittest.main()
