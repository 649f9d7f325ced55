"""Laws of the cautions about others on the processors. What was measured decides, over all runs together. Where it was
measured what came of a load, that is said."""

import json
import unittest

import fake_runs
from plot.files.reading import read_results
from report import cautions, foreign_load
from scratch import Scratch

RACY = ("hogwild", "racy", "none")
CORES = 16  # of fake_runs


class Others(Scratch):
    def setUp(self):
        super().setUp()
        self.rows = []

    def add(self, seconds, other="", stolen="", **machine):
        name = f"run-{len(self.rows)}"
        self.rows.append(fake_runs.make_run(self.folder, name, RACY, 2, len(self.rows))
                         | {"seconds": seconds, "other_cpu_seconds": other, "stolen_cpu_seconds": stolen})
        path = self.folder / name / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["machine"].update(machine)
        path.write_text(json.dumps(manifest))

    def runs(self):
        fake_runs.make_summary(self.folder, self.rows)
        return read_results([self.folder]).runs

    def said(self):
        return "\n".join(cautions.cautions(read_results([self.folder]), [])) if self.runs() else ""

    def test_the_average_is_over_the_time_of_all_runs_and_short_ones_below_none_count(self):
        self.add(0.01, -0.005)
        self.add(2.0, 1.5)
        self.add(1.0, 0.015, cores=4)
        self.add(7.0)  # measured nothing
        lost, there = foreign_load.taken(self.runs(), foreign_load.OTHER)
        self.assertAlmostEqual(lost, (1.5 - 0.005 + 0.015) / 3.01, places=12)
        self.assertAlmostEqual(there, (16 * 2.01 + 4) / 3.01, places=12)

    def test_five_percent_of_the_cores_on_average_is_a_caution_with_both_numbers(self):
        self.assertEqual(foreign_load.AVERAGE, 0.05)
        self.add(0.5, 0.049 * CORES * 0.5, 0.0)
        self.assertNotIn("took", self.said())
        self.add(0.5, 0.0, 0.25 * CORES * 0.5)
        self.add(0.5, 0.15 * CORES * 0.5, 0.0)
        text = self.said()
        self.assertIn("Other programs took 1.06 of 16 cores on average while the runs trained (6.63 %)", text)
        self.assertIn("The host of the virtual machine took 1.33 of 16 cores on average while the runs trained (8.33 %)", text)

    def test_a_run_of_a_second_is_named_from_ten_percent_on_and_a_short_one_is_not(self):
        self.add(1.0, 0.101 * CORES)
        self.add(0.99, 0.5 * CORES)
        self.add(20.0, 0.099 * CORES * 20, 0.11 * CORES * 20)
        text = self.said()
        self.assertIn("Other programs took more than 10 % of the cores' time during 1 of 3 runs (run-0).", text)
        self.assertIn("The host of the virtual machine took more than 10 % of the cores' time during 1 of 3 runs (run-2).", text)

    def test_a_quarter_of_the_cores_is_a_load_only_for_runs_that_did_not_measure_others(self):
        self.add(1.0, 0.0, load_average=0.49 * CORES)
        self.assertNotIn("load", self.said())
        self.add(1.0, "", load_average=0.49 * CORES)
        self.assertIn("1 of 2 runs (run-1) started on a machine with a load above a quarter of its cores", self.said())
        self.assertEqual(self.said().count("load"), 1)

    def test_a_load_of_half_the_cores_is_said_with_what_others_then_took_but_for_loads_that_runs_made_themselves(self):
        self.assertEqual(foreign_load.LOADED, 0.5)  # of Announce::busy, too
        self.add(1.0, 0.01 * CORES, load_average=15.0)
        self.add(3.0, 0.01 * CORES * 3, load_average=0.0)
        self.assertNotIn("load", self.started("2026-01-02T03:05:00Z", "2026-01-02T03:04:00Z"))
        self.assertIn("The load of the last minute was 15 on 16 cores when the first run's program started; other programs took 0.16 of "
                      "16 cores on average while the runs trained.", self.started("2026-01-02T03:04:00Z", "2026-01-02T03:05:00Z"))
        self.add(4.0, 0.2 * CORES * 4, load_average=0.0)
        self.assertNotIn("load", self.said())  # what others took on average is a caution of its own
        self.assertIn("Other programs took", self.said())

    def started(self, *moments):
        """The cautions where runs started then."""
        for row, moment in zip(self.rows, moments):
            path = self.folder / row["run"] / "manifest.json"
            path.write_text(json.dumps(json.loads(path.read_text()) | {"started": moment}))
        return self.said()

    def test_of_a_virtual_machine_is_said_what_was_measured(self):
        self.add(1.0, 0.0, "", virtual_machine=True)
        self.assertIn("A virtual machine: neighbours on its host are not visible from inside.", self.said())
        self.add(1.0, 0.0, 0.24, virtual_machine=True)
        self.assertIn("A virtual machine: its host ran something else on 0.24 of 16 cores on average during the 1 of 2 runs that measured it;", self.said())
        self.rows[0]["stolen_cpu_seconds"] = self.rows[1]["stolen_cpu_seconds"] = 0
        self.assertIn("A virtual machine: its host ran something else on none of 16 cores on average; ", self.said())
        self.assertNotIn("not visible from inside.\nA virtual", self.said())

    def test_a_manifest_without_cores_says_nothing_of_shares(self):
        for cores in (None, 0, "many", True):
            self.add(1.0, 30.0, cores=cores)
        self.assertNotIn("took", self.said())
        self.add(1.0, 0.5)
        self.assertEqual(foreign_load.taken(self.runs(), foreign_load.OTHER), (0.5, 16.0))


if __name__ == "__main__":
    unittest.main()
