"""Laws of the caution on pairs: verdicts whose runs of one seed were measured in different places are counted, and no others."""

import json
import unittest

import fake_runs
from plot.files.reading import read_results
from report import pairs
from scratch import Scratch

RACY = ("hogwild", "racy", "none")


class Pairs(Scratch):
    def made(self, name, seed, **machine):
        row = fake_runs.make_run(self.folder, name, RACY, 2, seed)
        path = self.folder / name / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["machine"].update(machine)
        path.write_text(json.dumps(manifest))
        return row

    def said(self, *verdicts):
        columns = ("metric", "runs_a", "runs_b")
        fake_runs.write_table(self.folder / "verdicts.csv", columns, [dict(zip(columns, ("time-to-target", *runs))) for runs in verdicts])
        return pairs.cautions(self.folder, read_results([self.folder]).runs)

    def test_verdicts_of_which_a_pair_is_of_two_boots_or_processors_are_counted(self):
        fake_runs.make_summary(self.folder, [self.made("a1", 1, boot="11"), self.made("a2", 2, boot="22"), self.made("b1", 1, boot="11"),
                                             self.made("b2", 2, boot="22"), self.made("c1", 1, boot="11"), self.made("c2", 2, boot="33"),
                                             self.made("d1", 1, boot="11", cpu="old"), self.made("d2", 2, boot="22")])
        self.assertEqual(self.said(("a1 a2", "b1 b2")), [])
        for other in ("c1 c2", "d1 d2"):
            found, = self.said(("a1 a2", "b1 b2"), ("a1 a2", other))
            self.assertIn("1 of 2 verdicts compare runs of one seed that were measured on different machines", found)

    def test_nothing_is_said_without_verdicts_or_of_runs_of_another_folder(self):
        fake_runs.make_summary(self.folder, [self.made("a1", 1)])
        self.assertEqual(pairs.cautions(self.folder, read_results([self.folder]).runs), [])
        self.assertEqual(self.said(("a1", "elsewhere")), [])


if __name__ == "__main__":
    unittest.main()
