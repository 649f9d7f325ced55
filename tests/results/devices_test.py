"""Laws of the table of devices.py: what is compared with what, what a miss and a failure count as, what is refused."""

import contextlib
import io
import json
import math
import subprocess
import sys
import unittest

import fake_devices
import fake_runs
import devices
from fake_devices import make_row, without_run
from plot.files.combinations import Combinations, median
from scratch import Scratch


def cells_of(text):
    """{(device, memory, method): {title: cell}} of a printed table."""
    lines = [[cell.strip() for cell in line.strip("|\n").split(" | ")] for line in text.splitlines() if line.startswith("| ")]
    return {tuple(line[:3]): dict(zip(lines[0], line)) for line in lines[1:]}


class Devices(Scratch):
    def write(self, rows, name="made-up.csv"):
        return fake_devices.write(self.folder / name, rows)

    def printed(self, *paths):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            devices.main([str(path) for path in paths])
        return out.getvalue()

    def table(self, rows):
        return cells_of(self.printed(self.write(rows)))

    def refused(self, path, status=1):
        done = subprocess.run([sys.executable, str(fake_runs.RESULTS / "devices.py"), str(path)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (status, ""))
        self.assertRegex(done.stderr, r"^.+ \(.+\); .+\n$")
        return done.stderr

    def test_a_device_is_compared_with_itself_alone_on_its_memory_under_its_policy(self):
        rows = [make_row("cpu", "host", "atomic", 2e6, 0), make_row("cpu", "host", "racy", 9e6, 0),
                make_row("cpu", "mapped", "atomic", 7e6, 0), make_row("gpu", "replica", "atomic", 0, 50e6),
                make_row("gpu", "device", "atomic", 0, 99e6), make_row("gpu", "replica", "racy", 0, 77e6),
                make_row("both", "replica", "atomic", 1.9e6, 40e6)]
        row = self.table(rows)["both", "replica", "atomic"]
        self.assertEqual((row["CPU"], row["GPU"], row["updates/s"]), ("1.9 M", "40 M", "41.9 M"))
        self.assertEqual((row["CPU keeps"], row["GPU keeps"]), ("95 %", "80 %"))

    def test_a_problem_without_a_regulariser_has_no_lambda(self):
        row = make_row("cpu", "host", "serial", 1e6, 0)
        self.assertIn("hinge, lambda 1e-04, target 0.58494; ", self.printed(self.write([row])))
        self.assertIn(": cut, target 0.58494; ", self.printed(self.write([{**row, "problem": "cut", "l2": ""}])))

    def test_shares_are_of_medians_over_seeds(self):
        rows = [make_row("cpu", "host", "atomic", speed, 0, seed) for seed, speed in enumerate((1e6, 2e6, 9e6))]
        rows += [make_row("gpu", "managed", "atomic", 0, 5e6, 1)]
        rows += [make_row("both", "managed", "atomic", speed, 1e6, seed) for seed, speed in enumerate((1e6, 1.5e6, 1.6e6))]
        self.assertEqual(self.table(rows)["both", "managed", "atomic"]["CPU keeps"], "75 %")

    def test_what_did_not_run_alone_has_no_share(self):
        row = self.table([make_row("both", "managed", "atomic", 1e6, 1e6)])["both", "managed", "atomic"]
        self.assertEqual((row["CPU keeps"], row["GPU keeps"], row["over better device"]), ("-", "-", "-"))

    def test_both_are_measured_against_the_better_device(self):
        rows = [make_row("cpu", "host", "atomic", 4e6, 0), make_row("gpu", "managed", "atomic", 0, 1e6),
                make_row("both", "managed", "atomic", 1e6, 1e6)]
        row = self.table(rows)["both", "managed", "atomic"]
        self.assertEqual(row["over better device"], "0.5")
        rows[1] = make_row("gpu", "managed", "atomic", 0, 16e6)
        self.assertEqual(self.table(rows)["both", "managed", "atomic"]["over better device"], "0.125")

    def test_speed_up_is_over_serial(self):
        rows = [make_row("cpu", "host", "serial", 10e6, 0), make_row("gpu", "device", "racy", 0, 20e6, epochs_to_target=3.4)]
        self.assertEqual(self.table(rows)["gpu", "device", "racy"]["speed-up over best serial"], "1")

    def test_a_miss_takes_forever_and_the_share_of_seeds_is_said(self):
        hits = (1.7, 1.8, None)
        rows = [make_row("gpu", "device", "racy", 0, 1e3, seed, epochs_to_target=hit) for seed, hit in enumerate(hits)]
        row = self.table(rows)["gpu", "device", "racy"]
        self.assertEqual((row["time to target"], row["epochs to target"]), ("1.8 s (2/3)", "1.80 of 4"))
        rows[1] = make_row("gpu", "device", "racy", 0, 1e3, 1, epochs_to_target=None)
        row = self.table(rows)["gpu", "device", "racy"]
        self.assertEqual((row["time to target"], row["epochs to target"]), ("- (1/3)", "- of 4"))

    def test_a_failed_seed_is_a_miss_and_its_reason_stands_below(self):
        rows = [make_row("gpu", "device", "racy", 0, 1e3, 1),
                *[make_row("gpu", "device", "racy", 0, 1e3, seed, epochs_to_target=None, status="failed", reason="fell over",
                           seconds=0, updates=0) for seed in (2, 3)]]
        text = self.printed(self.write(rows))
        self.assertEqual(cells_of(text)["gpu", "device", "racy"]["time to target"], "- (1/3)")
        self.assertEqual(cells_of(text)["gpu", "device", "racy"]["updates/s"], "1 k")
        self.assertIn("- failed: gpu on device, 2 of 3 runs (fell over)\n", text)

    def test_what_cannot_run_is_said_once_for_its_reason(self):
        text = self.printed(self.write(fake_devices.make_rows(seeds=(1,))))
        self.assertIn("- left out: gpu, both on host (a GPU cannot reach host memory)\n", text)
        self.assertEqual(text.count("a GPU cannot reach host memory"), 1)
        self.assertNotIn(("gpu", "host", "racy"), cells_of(text))

    def test_one_policy_of_two_is_named(self):
        rows = [make_row("gpu", "mapped", "atomic", 0, 1e6),
                without_run("gpu", "mapped", "racy", "interrupted", "took longer than 5 s")]
        self.assertIn("- interrupted: gpu on mapped, racy (took longer than 5 s)\n", self.printed(self.write(rows)))

    def test_memory_is_marked_where_increments_of_both_sides_are_not_atomic(self):
        table = self.table(fake_devices.make_rows(seeds=(1,)))
        self.assertIn(("both", "mapped (not atomic)", "atomic"), table)
        self.assertIn(("both", "managed", "atomic"), table)
        self.assertIn(("gpu", "mapped", "atomic"), table)

    def test_runs_that_sampled_staleness_are_not_timed(self):
        rows = [make_row("gpu", "device", "atomic", 0, 10e6),
                make_row("gpu", "device", "atomic", 0, 1e6, telemetry="sampled", gpu_staleness_mean=812.5,
                         gpu_staleness_p99=2048)]
        row = self.table(rows)["gpu", "device", "atomic"]
        self.assertEqual((row["updates/s"], row["CPU staleness"], row["GPU staleness"]), ("10 M", "-", "812 / 2,050"))
        self.assertNotIn("GPU staleness", self.table(rows[:1])["gpu", "device", "atomic"])

    def test_a_choice_at_the_edge_of_its_grid_is_marked(self):
        table = self.table([make_row("gpu", "device", "atomic", 0, 10e6, at_edge=1), make_row("gpu", "device", "racy", 0, 10e6)])
        self.assertEqual(sorted(table), [("gpu", "device", "atomic\\*"), ("gpu", "device", "racy")])

    def test_files_about_the_same_samples_make_one_table(self):
        rows = fake_devices.make_rows()
        half = len(rows) // 2
        parts = [self.write(rows[:half], "a.csv"), self.write(rows[half:], "b.csv")]
        self.assertEqual(cells_of(self.printed(*parts)), self.table(rows))

    def test_the_command_and_the_machine_are_those_of_the_file_beside(self):
        path = self.write(fake_devices.make_rows(seeds=(1,)))
        manifest = {"command": ["experiments/scripts/devices", "--seeds", "1"], "machine": {"cpu": "Xeon", "cores": 16},
                    "gpus": [{"name": "H200"}]}
        path.with_suffix(".json").write_text(json.dumps(manifest))
        text = self.printed(path)
        self.assertIn("; Xeon, 16 cores, H200\n", text)
        self.assertIn("- measured: experiments/scripts/devices --seeds 1\n", text)

    def test_a_torn_last_line_is_left_out(self):
        path = self.write([make_row("gpu", "device", "racy", 0, 1e6), make_row("gpu", "device", "atomic", 0, 1e6)])
        path.write_text(path.read_text()[:-20])
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(list(cells_of(self.printed(path))), [("gpu", "device", "racy")])
        self.assertIn("torn last line", said.getvalue())

    def test_damaged_files_are_refused(self):
        self.assertIn("no-such.csv", self.refused(self.folder / "no-such.csv", 69))
        self.assertIn("has no rows", self.refused(self.write([])))
        summary = self.folder / "summary.csv"
        fake_runs.make_summary(self.folder, [fake_runs.make_run(self.folder, "001", ("hogwild", "racy", "none"), 2)])
        self.assertIn("'method' is missing", self.refused(summary))
        path = self.write(fake_devices.make_rows(seeds=(1,)))
        path.with_suffix(".json").write_text("{")
        self.assertIn("made-up.json", self.refused(path))

    def test_half_of_the_seeds_missing_is_never(self):
        self.assertEqual(median([1.0, math.inf]), math.inf)
        self.assertTrue(math.isnan(median([])))

    def test_the_order_is_yardsticks_then_memory_by_memory(self):
        ordered = Combinations(fake_devices.make_rows(seeds=(1,))[::-1])
        self.assertEqual([one.policy for one in ordered][:3], ["serial", "minibatch", "minibatch"])
        kinds = [one.memory for one in ordered[3:]]
        self.assertEqual(list(dict.fromkeys(kinds)),
                         ["host", "mapped", "managed", "managed-host", "managed-device", "device", "replica"])
        self.assertEqual(kinds, sorted(kinds, key=list(dict.fromkeys(kinds)).index))


if __name__ == "__main__":
    unittest.main()
