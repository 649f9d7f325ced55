"""Laws of experiments/scripts/devices, with a made-up hogwild: every combination runs or has a reason, all are tuned alike, without a
GPU nothing runs."""

import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEVICES = HERE.parents[2] / "experiments" / "scripts" / "devices"
MEMORIES = ("host", "mapped", "managed", "managed-host", "managed-device", "device", "replica")
SMALL = ("--devices", "gpu,both", "--memories", "device,replica", "--batches", "64")


class Devices(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.log = self.folder / "log"
        self.program = self.folder / "hogwild"
        self.program.write_text(f"#!{sys.executable} -SE\n" + (HERE / "fake_hogwild.py").read_text())  # starts fast
        self.program.chmod(0o755)

    def call(self, *options, program="", **environment):
        command = [sys.executable, str(DEVICES), "--program", str(program or self.program), "-o", str(self.folder / "out")]
        environment = {**os.environ, "FAKE_LOG": str(self.log), **environment}
        return subprocess.run([*command, *options], capture_output=True, text=True, env=environment)

    def rows(self, *options, **environment):
        """The rows of the file that it writes."""
        tuning = ("--steps", "0.1,0.3,0.9", "--tuning-seeds", "101,102")
        done = self.call("--data", "made=made.svm", "--no-plot", *tuning, *options, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "out" / "made.csv", newline="") as file:
            return list(csv.DictReader(file))

    def calls(self):
        """[{option: value}] of all `hogwild run`."""
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return [dict(zip(line, line[1:])) for line in lines if line[0] == "run"]

    def test_without_a_gpu_nothing_runs_and_the_reason_is_hogwilds(self):
        for options in (("--data", "made=made.svm"), ("--smoke",)):
            done = self.call(*options, FAKE_GPU="none")
            self.assertEqual((done.returncode, done.stdout), (69, ""))
            self.assertEqual(done.stderr, "hogwild: --device gpu cannot run (no GPU: none here); use another\n")
        self.assertTrue(all(call["--device"] == "gpu" for call in self.calls()))
        self.assertFalse(list((self.folder / "out").glob("*.csv")))

    def test_the_real_hogwild_says_so_too(self):
        program = os.environ.get("HOGWILD_PROGRAM", "")
        if not program:
            self.skipTest("skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
        if json.loads(subprocess.run([program, "info", "--no-measure", "--json"], capture_output=True).stdout)["gpus"]:
            self.skipTest("skipped: this machine has a GPU; to run it: take one without")
        done = self.call("--smoke", program=program)
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertRegex(done.stderr, r"^hogwild: .*no GPU: .+\n$")

    def test_every_combination_runs_with_each_seed_or_has_a_reason(self):
        rows = self.rows("--seeds", "1,2")
        found = {}
        for row in rows:
            found.setdefault((row["device"], row["memory"], row["method"]), []).append(row)
        for key in itertools.product(("cpu", "gpu", "both"), MEMORIES, ("racy", "atomic")):
            of = found.pop(key)
            if of[0]["status"] == "left out":
                self.assertEqual((len(of), of[0]["reason"]), (1, f"no way from {key[0]} to {key[1]}"))
            else:
                self.assertEqual([(row["status"], row["seed"]) for row in of], [("done", "1"), ("done", "2")])
        self.assertEqual([key[:2] for key in sorted(found)], [("cpu", "host"), ("cpu", "host"), ("gpu", "device")])
        self.assertEqual(sum(row["status"] == "left out" for row in rows), 10)

    def test_a_problem_of_its_own_has_its_target_hogwild_s_lambda_and_steps_as_they_are_named(self):
        rows = self.rows("--problem", "factorization", "--target", "0.4", "--seeds", "1", *SMALL)
        runs = [call for call in self.calls() if "--problem" in call]
        self.assertEqual({(call["--problem"], call["--target"], call.get("--l2")) for call in runs}, {("factorization", "0.4", None)})
        self.assertIn("0.1,0.3,0.9", {call["--step-size"] for call in runs})
        self.assertEqual({row["problem"] for row in rows if row["status"] == "done"}, {"factorization"})

    def test_memory_of_16_bits_is_there_where_the_problem_has_it_or_it_is_named(self):
        halves = {"device-bf16", "device-fp16"}
        rows = self.rows("--problem", "factorization", "--target", "0.4", "--seeds", "1", "--devices", "gpu", "--epochs", "4",
                         "--fast-epochs", "40")
        self.assertEqual({row["memory"] for row in rows if row["status"] == "done" and row["epochs"] == "40"},
                         halves | {"device", "replica"})
        self.assertFalse(halves & {row["memory"] for row in self.rows("--seeds", "1", "--devices", "gpu")})
        self.assertEqual({row["memory"] for row in self.rows("--seeds", "1", "--devices", "gpu", "--memories", "device-bf16")
                          if row["method"] in ("racy", "atomic")}, {"device-bf16"})

    def test_each_combination_gets_the_step_and_blocks_that_were_best_on_the_tuning_seeds(self):
        rows = self.rows("--seeds", "1,2", "--blocks", "33,66,132", *SMALL)
        for row in rows:
            if row["method"] in ("racy", "atomic") and row["status"] == "done":
                self.assertEqual((row["step_size"], row["at_edge"]), {"gpu": ("0.3", "0"), "both": ("0.9", "1")}[row["device"]])
                self.assertEqual(row["blocks"], "66")
        tuning = [call for call in self.calls() if call.get("--seed") == "101,102"]
        self.assertEqual({call["--step-size"] for call in tuning}, {"0.1,0.3,0.9", "6.4,19.2,57.6"})
        self.assertEqual({call["--seed"] for call in self.calls() if "," not in call.get("--step-size", ",")}, {"1", "2"})

    def test_a_batch_whose_steps_are_all_left_out_is_not_chosen_and_one_without_another_has_its_reason(self):
        for batches, found in (("64,256", {("minibatch 64", "done", "")}),
                               ("256", {("minibatch", "left out", "the batch is too large")}),
                               ("256,256", {("minibatch", "left out", "the batch is too large")})):
            rows = self.rows("--seeds", "1", "--devices", "gpu", "--memories", "device", "--batches", batches, FAKE_LARGE="256")
            self.assertEqual({(row["method"], row["status"], row["reason"]) for row in rows if row["scheme"] == "minibatch"}, found)

    def test_within_a_seed_combinations_run_in_an_order_of_its_own(self):
        orders = {}
        for row in self.rows("--seeds", "1,2", *SMALL):
            if row["status"] == "done":
                orders.setdefault(row["seed"], []).append((row["device"], row["memory"], row["method"]))
        self.assertEqual(sorted(orders["1"]), sorted(orders["2"]))
        self.assertNotEqual(orders["1"], orders["2"])
        self.assertEqual(len(set(orders["1"])), len(orders["1"]))

    def test_a_failed_combination_is_written_down_and_the_others_go_on(self):
        rows = self.rows("--seeds", "1", *SMALL, FAKE_FAILS="both replica racy")
        failed = [row for row in rows if row["status"] == "failed"]
        self.assertEqual([(row["device"], row["memory"], row["method"], row["reason"]) for row in failed],
                         [("both", "replica", "racy", "planted")])
        self.assertEqual(sum(row["status"] == "done" for row in rows), 7)

    def test_a_combination_that_takes_too_long_is_stopped_and_the_others_go_on(self):
        rows = self.rows("--seeds", "1", "--limit", "3", *SMALL, FAKE_HANGS="gpu replica atomic")
        slow = [row for row in rows if row["status"] == "interrupted"]
        self.assertEqual([(row["device"], row["memory"], row["method"], row["reason"]) for row in slow],
                         [("gpu", "replica", "atomic", "took longer than 3 s")])
        self.assertGreater(float(slow[0]["updates"]), 0)  # as far as it came
        self.assertEqual({row["data"] for row in rows}, {"made"})
        self.assertEqual(sum(row["status"] == "done" for row in rows), 7)

    def test_across_the_link_other_epochs_and_seeds_are_given(self):
        rows = self.rows("--seeds", "1,2", "--epochs", "4",
                         "--slow-seeds", "2", "--slow-epochs", "2", "--slow-tuning-seeds", "101")
        fewer = {(row["device"], row["memory"]) for row in rows if row["epochs"] == "2"}
        self.assertEqual({row["seed"] for row in rows if row["epochs"] == "2"}, {"2"})
        self.assertEqual(fewer, {("gpu", "mapped"), ("gpu", "managed-host"), *(("both", memory) for memory in MEMORIES[1:5])})
        tuned = {(call["--device"], call["--memory"]) for call in self.calls() if call.get("--seed") == "101"}
        self.assertLessEqual(fewer, tuned)  # besides them, what cannot run
        self.assertFalse(tuned & {("gpu", "device"), ("both", "replica"), ("cpu", "mapped")})

    def test_on_the_gpu_s_own_memory_final_runs_may_take_more_epochs(self):
        rows = self.rows("--seeds", "1", "--epochs", "4", "--fast-epochs", "40", *SMALL)
        more = {(row["device"], row["memory"], row["method"]) for row in rows if row["epochs"] == "40"}
        self.assertEqual(more, {("gpu", "device", "minibatch 64"), *(("both", "replica", update) for update in ("racy", "atomic")),
                                *(("gpu", memory, update) for memory in ("device", "replica") for update in ("racy", "atomic"))})
        self.assertEqual({call["--epochs"] for call in self.calls() if "," in call.get("--step-size", "")}, {"4"})

    def test_staleness_is_sampled_apart(self):
        rows = [row for row in self.rows("--seeds", "1", "--staleness", *SMALL) if row["status"] == "done"]
        sampled = [row for row in rows if row["telemetry"] == "sampled"]
        self.assertEqual(len(sampled), 6)
        self.assertFalse([row for row in sampled if row["scheme"] != "hogwild"])
        self.assertEqual(len(rows) - len(sampled), 8)

    def test_what_was_there_stays_until_all_is_measured(self):
        out = self.folder / "out"
        out.mkdir()
        kept = {"scratch": "mine", "samples.svm": "mine", "synthetic-rcv1-400.csv": "earlier"}
        for name, text in kept.items():
            (out / name).write_text(text)
        done = self.call("--data", "synthetic:rcv1/400", "--no-plot", "--seeds", "1", "--steps", "0.1", *SMALL, FAKE_STOPS="minibatch")
        self.assertNotEqual(done.returncode, 0)
        for name, text in kept.items():
            self.assertEqual((out / name).read_text(), text)
        self.assertFalse(list(out.glob(".*")))
        planted = out / "synthetic-rcv1-400.csv.part"
        planted.unlink(missing_ok=True)
        planted.symlink_to(self.folder / "elsewhere")
        self.assertEqual(self.call("--smoke", "--no-plot", *SMALL).returncode, 0)
        self.assertFalse((self.folder / "elsewhere").exists())
        self.assertIn("method,", (out / "synthetic-rcv1-400.csv").read_text())
        self.assertEqual((out / "samples.svm").read_text(), "mine")

    def test_what_cannot_be_written_costs_nothing_that_was_there(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "synthetic-rcv1-400.csv").write_text("earlier")
        (out / "synthetic-rcv1-400.csv.part").mkdir()  # where nothing can be written
        done = self.call("--smoke", "--no-plot", *SMALL)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("devices: cannot write", done.stderr)
        self.assertEqual((out / "synthetic-rcv1-400.csv").read_text(), "earlier")

    def test_it_ends_with_the_table_and_the_figure(self):
        done = self.call("--smoke", *SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| both | replica | atomic", done.stdout)
        self.assertIn("synthetic:rcv1/400: hinge, ", done.stdout)
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, ["memory-kinds.png", "memory-kinds.svg", "synthetic-rcv1-400.csv", "synthetic-rcv1-400.json"])

    def test_what_is_not_there_is_refused(self):
        data = ("--data", "made=made.svm")
        for code, options in ((2, (*data, "--memories", "hots")), (2, (*data, "--problem", "factorization")), (2, (*data, "--threads", "9")),
                              (2, ()), (69, (*data, "--program", "no-such"))):
            done = self.call(*options)
            self.assertEqual((done.returncode, done.stdout), (code, ""))
            self.assertRegex(done.stderr, r"^devices: .+ \(.+\); .+\n$")


if __name__ == "__main__":
    unittest.main()
