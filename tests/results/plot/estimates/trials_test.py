"""Laws of folders of `hogwild tune`. What is shown are the finals, or else those who went furthest, each by its longest runs. It
is said how many others were tried."""

import json
import re
import subprocess
import sys
import unittest

import fake_runs
from folder_to_draw import ATOMIC, RACY, SERIAL, Drawing
from plot.estimates import configurations, trials

REPORT = fake_runs.RESULTS / "report" / "report.py"


class Trials(Drawing):
    def halved(self, *rungs):
        """`rungs`: (epochs, seeds, [(method, step size), ...]) of each."""
        for epochs, seeds, candidates in rungs:
            for seed in seeds:
                for method, step in candidates:
                    self.trial(method, step, seed, epochs)
        return self.runs()

    def trial(self, method, step, seed, epochs, **about):
        self.add(method, 2, seed, epochs=epochs, step_size=step)
        path = self.folder / self.rows[-1]["run"] / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"command": ["hogwild", "tune", "--problem", "hinge"]} | about))

    def tuned(self):
        """Nine candidates, of which two come to the end."""
        begin = [(method, step) for step in (0.1, 0.2, 0.4) for method in (SERIAL, RACY, ATOMIC)]
        return self.halved((1, [1], begin), (2, [2], begin[:4]), (8, [3, 4, 5], begin[:2]))

    def test_runs_of_different_lengths_are_configurations_of_their_own_whatever_their_seeds(self):
        self.halved((1, [1], [(RACY, 0.1)]), (2, [2, 3], [(RACY, 0.1)]))
        self.assertEqual({(one.key.variant, len(one.runs)) for one in self.found()}, {("epochs 1", 1), ("epochs 2", 2)})

    def test_those_that_went_furthest_are_shown_by_their_longest_runs_and_the_others_are_counted(self):
        shown, said = trials.finalists(self.tuned())
        lengths = [(one.key.method, len(one.runs), {run.axes["epochs"] for run in one.runs}) for one in configurations.configurations(shown)]
        self.assertEqual(lengths[:2], [("serial", 3, {"8"}), ("serial", 1, {"2"})])
        self.assertIn(("hogwild · racy", 3, {"8"}), lengths)
        self.assertEqual(len(lengths), trials.MOST)
        self.assertIn("These are 19 trials of hogwild tune. Shown are the 5 candidates that went furthest, by the longest runs of each (1 to 8 "
                      "epochs), since there were no finals", said)
        self.assertIn("; 4 other candidates were tried.", said)

    def test_where_there_were_finals_they_are_shown_on_the_seeds_that_all_of_them_ran(self):
        self.tuned()
        for seed, methods in ((6, (SERIAL, RACY)), (7, (RACY, SERIAL)), (8, (SERIAL,))):  # the budget cut off the last seed
            for method in methods:
                self.trial(method, 0.1, seed, 4, finals=True)
        shown, said = trials.finalists(self.runs())
        self.assertEqual([(one.key.label, len(one.runs), {run.axes["epochs"] for run in one.runs}) for one in configurations.configurations(shown)],
                         [("serial", 2, {"4"}), ("hogwild · racy", 2, {"4"})])
        self.assertEqual(said, "These are 24 trials of hogwild tune. Shown are the finals, 2 candidates on 2 seeds that no other trial had; "
                               "7 other candidates were tried.")

    def test_of_equally_many_trials_the_better_one_goes_first(self):
        runs = self.halved((8, [1, 2], [(RACY, step) for step in range(1, 8)]))
        for run in runs[:2]:
            run.row.update(seconds_to_target="", updates_to_target="")
        shown, _ = trials.finalists(runs)
        self.assertNotIn("1", {run.axes["step_size"] for run in shown})

    def test_the_best_serial_code_is_always_shown(self):
        runs = self.halved((1, [1], [(SERIAL, 1), (SERIAL, 2)] + [(RACY, step) for step in range(1, 7)]), (2, [2], [(RACY, step) for step in range(1, 7)]))
        shown, said = trials.finalists(runs)
        self.assertEqual(sum(run.axes["scheme"] == "serial" for run in shown), 1)
        self.assertIn("the 6 candidates", said)

    def test_runs_that_are_no_trials_are_all_shown(self):
        self.add(RACY, 2, 1, epochs=1)
        self.add(RACY, 2, 2, epochs=2)
        runs = self.runs()
        self.assertEqual(trials.finalists(runs), (runs, ""))

    def test_the_page_has_a_row_for_each_finalist_and_all_trials_on_demand(self):
        self.tuned()
        done = subprocess.run([sys.executable, REPORT, self.folder, "--size", "column"], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = (self.folder / "report.html").read_text()
        tables = re.findall(r"<tbody>.*?</tbody>", page, re.DOTALL)
        self.assertEqual([len(re.findall("<tr", table)) for table in tables[:2]], [trials.MOST, 19])
        self.assertIn("4 other candidates were tried", page)
        self.assertNotIn("at the edge of what was tried", page)
        self.assertTrue((self.folder / "figures" / "time-to-target.png").exists())


if __name__ == "__main__":
    unittest.main()
