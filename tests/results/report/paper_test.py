"""Laws of a publication's numbers in a report: ours beside it is a median of summary.csv over the runs it is about, and never more."""

import re
import statistics
import sys
import unittest
from pathlib import Path

import fake_runs
from cells import three_digits
from plot.files import naming
from plot.files.reading import read_results
from report.paper import paper
from scratch import Scratch

SERIAL, RACY, ATOMIC = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "atomic", "none")
RACY_2 = {"scheme": "hogwild", "update": "racy", "guard": "none", "threads": 2}
SPECS = Path(fake_runs.RESULTS).parent / "experiments" / "specs"


def number(**changes):
    entry = {"source": "A paper, figure 2", "hardware": "dual Xeon X650", "data": "RCV1", "what": "20 epochs", "value": 9.5, "unit": "s",
             "column": "seconds", "where": RACY_2, "note": "another machine"}
    return {key: value for key, value in (entry | changes).items() if value is not None}


class Paper(Scratch):
    def rows(self, entries, runs=None):
        """The cells of each row of the page's table."""
        if runs is not None:
            fake_runs.make_summary(self.folder, runs)
        text = paper(entries, list(naming.groups(read_results([self.folder]).runs).values()))
        return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", text.partition("<tbody>")[2])]

    def seeds(self, method, threads, name, seeds=(1, 2, 3), **options):
        return [fake_runs.make_run(self.folder, f"{name}-{seed}", method, threads, seed, **options) for seed in seeds]

    def here(self, **changes):
        """The only row's cell of ours."""
        [cells] = self.rows([number(**changes)])
        return cells[2]

    def test_ours_is_the_median_of_the_runs_that_have_all_values_of_where(self):
        own = self.seeds(RACY, 2, "a")
        [cells] = self.rows([number()], own + self.seeds(RACY, 4, "b") + self.seeds(ATOMIC, 2, "c") + self.seeds(SERIAL, 1, "d"))
        median = three_digits(statistics.median(row["seconds"] for row in own))
        self.assertIn(f"<b>{median} s</b>", cells[2])
        self.assertIn("3 seeds", cells[2])

    def test_numbers_stand_with_the_hardware_and_the_data_of_both(self):
        what, theirs, ours, compares = self.rows([number()], self.seeds(RACY, 2, "a"))[0]
        for part, cell in (("20 epochs", what), ("A paper, figure 2", what), ("threads 2", what), ("9.5 s", theirs), ("RCV1", theirs),
                           ("dual Xeon X650", theirs), ("synthetic:rcv1/20", ours), ("Platinum 8480C, 16 cores", ours), ("another machine", compares)):
            self.assertIn(part, cell)

    def test_a_number_that_no_run_is_about_says_so(self):
        fake_runs.make_summary(self.folder, self.seeds(RACY, 2, "a"))
        for where in (RACY_2 | {"threads": 10}, RACY_2 | {"epochs": 20}, {"scheme": "round-robin"}, {"no such axis": 1}):
            self.assertEqual(self.here(where=where), "<b>no run matches</b>")

    def test_what_means_nothing_for_a_run_is_none_of_it(self):
        ruled = self.seeds(RACY, 2, "a", staleness_rule="inverse")
        fake_runs.make_summary(self.folder, self.seeds(RACY, 2, "b", staleness_rule="") + ruled)
        for rule in ("none", "inverse"):
            self.assertIn("3 seeds", self.here(where={"threads": 2, "staleness-rule": rule}))
        self.assertEqual(self.here(where={"threads": 2, "staleness-rule": "drop"}), "<b>no run matches</b>")

    def test_a_memory_is_named_whole_as_of_old_or_by_its_parts(self):
        floats = self.seeds(RACY, 2, "a", numbers="float32")
        fake_runs.make_summary(self.folder, floats + self.seeds(RACY, 2, "b", numbers="int8", rounding="nearest"))
        for where in ({"memory": "host"}, {"numbers": "float32"}, {"memory": "host-int8-nearest"}, {"numbers": "int8"},
                      {"memory": "host", "numbers": "int8", "rounding": "nearest"}):
            self.assertIn("3 seeds", self.here(where=where), where)
        for where in ({"memory": "host-int8"}, {"numbers": "int8", "rounding": "unbiased"}, {"memory": "mapped", "numbers": "int8"}):
            self.assertEqual(self.here(where=where), "<b>no run matches</b>", where)

    def test_a_ratio_is_of_two_medians_and_resamples_seeds_in_pairs(self):
        many, one = self.seeds(RACY, 2, "a"), self.seeds(RACY, 1, "b")
        fake_runs.make_summary(self.folder, many + one)
        median = lambda rows: statistics.median(row["updates_per_second"] for row in rows)
        text = self.here(column="updates_per_second", unit="times", over=RACY_2 | {"threads": 1})
        self.assertIn(f"<b>{three_digits(median(many) / median(one))} times</b>", text)
        self.assertRegex(text, r"\[1\.\d+, 1\.\d+\], 3 seeds")

    def test_what_where_and_over_both_name_may_tell_two_functions_apart_and_nothing_else_may(self):
        shared, own = self.seeds(RACY, 2, "a", l2="0.1"), self.seeds(RACY, 2, "b", l2="0.2", seconds_scale=2.0)
        fake_runs.make_summary(self.folder, shared + own + self.seeds(RACY, 2, "c", l2="0.2", data="synthetic:other"))
        [cells] = self.rows([number(column="updates_per_second", where=RACY_2 | {"l2": 0.1}, over=RACY_2 | {"l2": 0.2})])
        median = lambda rows: statistics.median(row["updates_per_second"] for row in rows)
        self.assertIn(f"<b>{three_digits(median(shared) / median(own))} s</b>", cells[2])
        self.assertIn("no configurations match", self.here(where=RACY_2 | {"l2": 0.1}, over={"threads": 2, "scheme": "serial"}))
        elsewhere = {"data": "synthetic:other", "l2": 0.2}
        self.assertIn("no configurations match", self.here(where=RACY_2 | {"l2": 0.1}, over=RACY_2 | elsewhere))

    def test_of_several_configurations_each_row_names_its_own_and_none_is_divided_by_itself(self):
        where = {"scheme": "hogwild", "update": "racy"}
        fake_runs.make_summary(self.folder, self.seeds(RACY, 1, "a") + self.seeds(RACY, 2, "b") + self.seeds(RACY, 4, "c"))
        rows = self.rows([number(column="updates_per_second", where=where, over=where | {"threads": 1})])
        self.assertEqual([re.search(r"(\d+) threads?<", cells[2])[1] for cells in rows], ["2", "4"])
        self.assertNotIn("2 threads", self.here(where=RACY_2))
        self.assertIn("<b>1 times</b>", self.here(column="updates_per_second", unit="times", where=RACY_2, over=RACY_2))

    def test_there_is_no_ratio_to_nothing_to_several_configurations_or_to_zero(self):
        zero = [row | {"test_error": 0} for row in self.seeds(SERIAL, 1, "zero")]
        fake_runs.make_summary(self.folder, self.seeds(RACY, 2, "a") + self.seeds(ATOMIC, 2, "b") + zero)
        self.assertIn("no configurations match scheme round-robin", self.here(over={"scheme": "round-robin"}))
        self.assertIn("2 configurations match threads 2", self.here(over={"threads": 2}))
        self.assertIn("no ratio", self.here(column="test_error", over={"scheme": "serial"}))

    def test_a_run_that_diverged_has_no_time_of_its_epochs_and_is_counted(self):
        done, diverged = self.seeds(RACY, 2, "a", (1, 2)), self.seeds(RACY, 2, "b", (3,), status="diverged")
        fake_runs.make_summary(self.folder, done + diverged)
        median = three_digits(statistics.median(row["seconds"] for row in done))
        self.assertIn(f"<b>{median} s</b>", self.here())
        self.assertIn("2 of 3 seeds", self.here())

    def test_a_target_that_most_seeds_missed_is_missed_and_one_that_nobody_set_is_not_measured(self):
        rows = self.seeds(RACY, 2, "a")
        fake_runs.make_summary(self.folder, [row | {"seconds_to_target": ""} if row["seed"] > 1 else row for row in rows])
        self.assertIn("<b>missed</b>", self.here(column="seconds_to_target"))
        fake_runs.make_summary(self.folder, [row | {"seconds_to_target": "", "target": ""} for row in rows])
        self.assertIn("<b>nothing measured</b>", self.here(column="seconds_to_target"))

    def test_runs_on_different_data_are_never_one_median(self):
        rows = self.seeds(RACY, 2, "a") + self.seeds(RACY, 2, "b", data="synthetic:rcv1", seconds_scale=20)
        found = self.rows([number()], rows)
        self.assertEqual(len(found), 2)
        for cells, own in zip(found, (rows[:3], rows[3:])):
            self.assertIn(f"<b>{three_digits(statistics.median(row['seconds'] for row in own))} s</b>", cells[2])

    def test_numbers_are_compared_as_numbers(self):
        fake_runs.make_summary(self.folder, self.seeds(RACY, 2, "a"))
        for axes in ({"l2": 0.0001}, {"l2": "1e-4"}, {"step-size": "0.10"}, {"epochs": 5.0}):
            self.assertNotIn("no run matches", self.here(where=RACY_2 | axes))

    def test_what_hogwild_sweep_would_refuse_costs_a_sentence_and_no_report(self):
        fake_runs.make_summary(self.folder, self.seeds(RACY, 2, "a"))
        groups = list(naming.groups(read_results([self.folder]).runs).values())
        for wrong in (None, 3, "text", {}, []):
            self.assertIsNone(paper(wrong, groups))
        broken = [3, {}, number(value="9.5"), number(value=True), number(value=float("nan")), number(where=3), number(over=[]), number(note=None),
                  number(unit=3)]
        text = paper(broken + [number(value=10**400, where={"threads": [2], "epochs": 10**400})], groups)
        self.assertIn("9 [[paper]] tables of sweep.toml are incomplete", text)
        self.assertEqual(text.count("no run matches"), 1)

    @unittest.skipIf(sys.version_info < (3, 11), "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_every_number_of_the_specs_is_whole_and_of_a_column_that_there_is(self):
        import tomllib
        of_spec = {path.stem: tomllib.loads(path.read_text()).get("paper", []) for path in SPECS.glob("*.toml")}
        for name in ("recht2011-rcv1", "recht2011-delay", "recht2011-netflix-shape", "recht2011-jumbo", "recht2011-dblife-shape",
                     "recht2011-abdomen-shape", "jester", "yelp", "novels-words"):
            self.assertGreater(len(of_spec[name]), 0, name)
        entries = [entry for own in of_spec.values() for entry in own]
        text = paper(entries, [])
        self.assertNotIn("incomplete", text)
        self.assertEqual(text.count("no run matches"), len(entries))
        for entry in entries:
            self.assertIn(entry["column"], fake_runs.SUMMARY)


if __name__ == "__main__":
    unittest.main()
