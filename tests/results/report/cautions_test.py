"""Laws of cautions: what disturbs a comparison is named, with the runs that it hit, and nothing else is."""

import json
import unittest

import fake_runs
from plot.estimates import configurations
from plot.files.reading import read_results
from report import cautions
from scratch import Scratch

SERIAL, RACY, ATOMIC = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "atomic", "none")


class Cautions(Scratch):
    def found(self):
        return configurations.configurations(read_results([self.folder]).runs)

    def cautions(self):
        results = read_results([self.folder])
        return "\n".join(cautions.cautions(results, [configurations.configurations(results.runs)]))

    def test_a_caution_that_several_delays_give_is_said_once(self):
        rows = [fake_runs.make_run(self.folder, f"{wait}", SERIAL, 1, delay=wait) for wait in (0, 1e-6, 1e-5)]
        fake_runs.make_summary(self.folder, rows)
        results = read_results([self.folder])
        found = cautions.cautions(results, [configurations.configurations([run]) for run in results.runs])
        self.assertEqual(sum("1 seed of some configurations" in sentence for sentence in found), 1)

    def test_cautions_name_what_disturbs_a_comparison(self):
        self.assertEqual(cautions.SHORT, 0.010)
        rows = [fake_runs.make_run(self.folder, "wide", RACY, 32), fake_runs.make_run(self.folder, "lost", RACY, 2, status="diverged"),
                fake_runs.make_run(self.folder, "waited", ATOMIC, 2) | {"core_wait_seconds": 1.0, "seconds": 2.0},
                fake_runs.make_run(self.folder, "idle", ATOMIC, 8) | {"least_share": 0.4},
                fake_runs.make_run(self.folder, "short", ATOMIC, 4) | {"seconds": 0.001},
                fake_runs.make_run(self.folder, "met", ATOMIC, 4, seed=2) | {"seconds_to_target": 0, "updates_to_target": 0}]
        fake_runs.make_summary(self.folder, rows)
        path = self.folder / "lost" / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["machine"].update(load_average=9.0, cpu="another")
        manifest["later_parts"] = [{"updates": 10, "seconds": 0.5, "unsure_samples": 3}]
        path.write_text(json.dumps(manifest))
        found = self.cautions()
        for part in (r"\(wide\) had more workers", r"\(lost\) diverged: diverged, as planned", r"waited.*\) waited for cores",
                     r"short.* less than 10 ms", r"\(met\) met the target with the first weights", r"In 1 of 6 runs \(idle\) one CPU thread stepped through less than half", r"\(lost\) started on a machine with a load", r"\(lost\) went on from a checkpoint", "No run of serial code", "1 seed of", "2 machines"):
            self.assertRegex(found, part)

    def test_a_run_that_went_on_on_another_machine_or_with_another_build_is_named_and_no_other(self):
        here = {"cpu": "ours", "cores": 4, "commit": "c1"}
        moved = {"same": here, "machine": here | {"cpu": "other"}, "cores": here | {"cores": 8}, "build": here | {"commit": "c2"}}
        fake_runs.make_summary(self.folder, [fake_runs.make_run(self.folder, name, RACY, 2, seed=seed) for seed, name in enumerate(moved)])
        for name, before in moved.items():
            path = self.folder / name / "manifest.json"
            manifest = json.loads(path.read_text())
            manifest["machine"].update(cpu="ours", cores=4)
            manifest["build"]["commit"] = "c1"
            manifest["later_parts"] = [{"updates": 10, "seconds": 0.5, "unsure_samples": 0, "before": here},
                                       {"updates": 20, "seconds": 0.6, "unsure_samples": 0, "before": before}]
            path.write_text(json.dumps(manifest))
        found = [sentence for sentence in self.cautions().splitlines() if "another machine or with another build" in sentence]
        self.assertEqual(len(found), 1)
        self.assertIn("3 of 4 runs (machine, cores, build)", found[0])

    def test_a_best_step_at_the_edge_of_its_grid_is_named_and_one_inside_is_not(self):
        rows = []
        for place, (step, scale) in enumerate(((0.1, 3.0), (0.2, 1.0), (0.4, 2.0))):
            rows.append(fake_runs.make_run(self.folder, f"inside-{place}", RACY, 2, seconds_scale=scale, step_size=step))
            rows.append(fake_runs.make_run(self.folder, f"edge-{place}", ATOMIC, 2, seconds_scale=3.0 - place, step_size=step))
        fake_runs.make_summary(self.folder, rows)
        edges = cautions.at_edges(self.found())
        self.assertEqual(edges, ["hogwild · atomic, 2 threads (0.4)"])


if __name__ == "__main__":
    unittest.main()
