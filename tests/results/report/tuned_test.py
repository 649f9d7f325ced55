"""Laws of the cautions about tuning and claims: unequal trials, trials of another build, and verdicts of few seeds are named, and nothing else."""

import json
import unittest

import fake_runs
from plot.files.reading import read_results
from report import tuned
from scratch import Scratch

SERIAL, RACY = ("serial", "", ""), ("hogwild", "racy", "none")


class Tuned(Scratch):
    def setUp(self):
        super().setUp()
        fake_runs.make_summary(self.folder, [self.made(f"{seed}", seed) for seed in (1, 2)])

    def made(self, name, seed, build=(), machine=(), started="2026-01-02T03:04:05Z", ended="c1"):
        row = fake_runs.make_run(self.folder, name, RACY, 2, seed)
        path = self.folder / name / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["build"].update({"commit": "c1", **dict(build)})
        manifest["machine"].update(dict(machine))
        path.write_text(json.dumps(manifest | {"started": started, "ended": {"run": name, "status": "done", "build": ended, "wall_seconds": 1, "to_target": None, "loss": 0.5}}))
        return row

    def trial(self, name, **facts):
        self.made(f"tuning/{name}", 101, **facts)

    def said(self):
        return tuned.cautions(self.folder, read_results([self.folder]).runs)

    def choices(self, *rows):
        head = ("problem", "data", "l2", "delay", "scheme", "update", "guard", "threads", "tried", "at_edge", "trials", "reached")
        fake_runs.write_table(self.folder / "choices.csv", head, [dict.fromkeys(head, "") | row for row in rows])
        return self.said()

    def test_nothing_is_said_of_a_folder_without_tuning_or_of_an_equal_one(self):
        self.assertEqual(self.said(), [])
        self.trial("a")
        self.assertEqual(self.choices({"scheme": "serial", "trials": 15}, {"scheme": "minibatch", "trials": 15}), [])

    def test_data_that_were_not_there_are_named(self):
        (self.folder / "sweep.toml").write_text('[axes]\ndata = ["a", "b"]\n# of no data left out\n\n# left out: a\n')
        self.assertEqual(self.said(), ["Left out, because it was not there: a. Nothing here is about it."])
        (self.folder / "sweep.toml").write_text("# left out: a\n\n# left out: b\n")
        self.assertEqual(self.said(), ["Left out, because they were not there: a; b. Nothing here is about them."])

    def test_who_had_how_many_trials_is_named_where_they_are_compared(self):
        found = self.choices({"scheme": "serial", "trials": 15}, {"scheme": "hogwild", "update": "racy", "threads": 2, "trials": 15},
                             {"scheme": "minibatch", "threads": 1, "trials": 20}, {"scheme": "serial", "data": "other", "trials": 3})
        self.assertEqual(len(found), 1)
        self.assertIn("Tuning was not equal: 15 trials for serial; hogwild racy, 2 threads, but 20 trials for minibatch, 1 thread.", found[0])

    def test_combinations_whose_trials_all_missed_the_target_are_named_where_there_is_one(self):
        rows = {"scheme": "serial", "trials": 9, "reached": 3}, {"scheme": "hogwild", "update": "racy", "threads": 8, "trials": 9, "reached": 0}
        self.assertEqual(sum("no trial reached the target" in sentence for sentence in self.choices(*rows)), 1)
        self.assertIn("Of 1 of 2 tuned combinations no trial reached the target with the step that was chosen, which is the one that ended best: "
                      "hogwild racy, 8 threads.", self.said())
        fake_runs.make_summary(self.folder, [self.made(f"n{seed}", seed) | {"target": ""} for seed in (1, 2)])
        self.assertFalse(any("no trial" in sentence for sentence in self.said()))

    def test_trials_of_another_build_or_machine_are_counted(self):
        self.trial("same")
        for name, facts, words in (("commit", dict(build={"commit": "c2"}), "other commits than the final runs: c2 instead of c1"),
                                   ("flags", dict(build={"flags": "-O0"}), "other compile flags"), ("cpu", dict(machine={"cpu": "old"}), "other machines"),
                                   ("boot", dict(machine={"boot": "0badcafe"}), "other machines"),
                                   ("hash", dict(ended="c1.77"), "other builds than the final runs: c1.77 instead of c1")):
            self.trial(name, **facts)
            hit = [sentence for sentence in self.said() if words in sentence]
            self.assertEqual(len(hit), 1, (name, self.said()))
            self.assertIn("1 of the tuning's 2 trials", hit[0])
            for file in (self.folder / "tuning" / name).iterdir():
                file.unlink()
        self.assertEqual(self.said(), [])

    def test_a_day_is_named_where_all_trials_are_of_another(self):
        self.trial("before", started="2026-01-01T23:59:59Z")
        self.assertIn("other days than the final runs: 2026-01-01 instead of 2026-01-02", self.said()[0])
        self.trial("after")
        self.assertEqual(self.said(), [])

    def test_a_verdict_of_five_to_nine_seeds_is_no_claim_yet(self):
        def verdicts(*rows):
            fake_runs.write_table(self.folder / "verdicts.csv", ("verdict", "seeds"), [dict(zip(("verdict", "seeds"), row)) for row in rows])
            return self.said()
        found = verdicts(("FASTER", 5), ("SLOWER", 9), ("SLOWER", 10), ("UNDECIDED", 5), ("FASTER", 4))
        self.assertEqual(found, ["2 verdicts of FASTER or SLOWER rest on 5 to 9 seeds: enough to look, but a claim wants ten."])
        self.assertEqual(verdicts(("FASTER", 10), ("SAME", 5), ("UNDECIDED", 5), ("FASTER", 3)), [])

    def test_damage_costs_a_sentence_and_no_report(self):
        self.trial("torn")
        (self.folder / "tuning" / "torn" / "manifest.json").write_text("{")
        for name in ("choices.csv", "verdicts.csv"):
            (self.folder / name).write_text("")
        self.assertEqual(self.said(), [])


if __name__ == "__main__":
    unittest.main()
