"""Laws of a folder with several networks: every table, caution and figure that has more than one of them says which is meant."""

import unittest

import fake_runs
from fake_runs import ROWS
from folder_to_draw import RACY, SERIAL, Drawing
from plot import plot
from plot.estimates import configurations
from plot.figures import dialled
from plot.files import naming, network_names
from plot.files.reading import read_results
from report import cautions, environment, every_run, report, tuned

DEEP = "conv 4 5 relu; maxpool 2; batchnorm; dense 32 relu; dropout 0.2; dense {} relu; dense 10"


class Objectives(Drawing):
    def networks(self, *names, targets=("", "")):
        for number, name in enumerate(names):
            for method in (SERIAL, RACY):
                self.add(method, 2, problem="network", network=name, l2="0")
                if targets[number]:
                    self.rows[-1].update(target=targets[number], target_of="test_error")
        return self.runs()

    def test_names_of_files_hold_those_of_data_sets_but_for_their_folders(self):
        keys = [("hinge", data, *[""] * (len(naming.OBJECTIVE) - 2)) for data in ("synthetic:rcv1/40", "../data/imdb.svm.xz", "../more/imdb.svm.xz")]
        self.assertEqual(plot.suffixes(keys), ["-hinge-synthetic-rcv1-40", "-hinge-imdb-svm-xz", "-hinge-imdb-svm-xz-2"])

    def test_terms_are_what_not_all_have(self):
        rows = [dict(problem="network", network="lenet", data="a", l2="1e-4"), dict(problem="network", network="mlp", data="b", l2="1e-4"), {}]
        self.assertEqual(naming.terms(rows[:2], but=("data",)), ["network lenet", "network mlp"])
        self.assertEqual(naming.terms(rows[:1]), [""])
        self.assertEqual(naming.terms(rows)[1:], ["problem network, data b, L2 0.0001, network mlp", ""])

    def test_whole_numbers_keep_their_last_digit(self):
        rows = [dict(rank=rank) for rank in ("1024", "16384", "16385")]
        self.assertEqual(naming.terms(rows), ["rank 1024", "rank 16384", "rank 16385"])
        self.assertEqual([naming.short(text, 3) for text in ("4096", "0.0055555", "1e-05", "1e300", "inf", "racy")],
                         ["4096", "0.00556", "1e-05", "1e+300", "inf", "racy"])

    def test_layers_of_a_name_are_called_by_it_unless_it_is_beside_them(self):
        lenet = "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense "
        for text, name in ((lenet + "10", "lenet"), (lenet.replace("; ", ";\n ") + "3;\n", "lenet"), ("lenet", "lenet"), (lenet + "10 relu",) * 2,
                           ("dense 10",) * 2, ("conv {x} 5; dense 10",) * 2, ("mlp-784-128-10",) * 2,
                           ("dense 2048 sigmoid; dense 4096 sigmoid; dense 1024 sigmoid; dense 10", "fcn-r")):
            self.assertEqual(network_names.short_text(text), name)
        subtitle = plot.subtitle_of(self.networks(lenet + "10"))
        self.assertTrue("network lenet" in subtitle and "conv" not in subtitle, subtitle)
        rows = [dict(network=lenet + "10"), dict(network="lenet"), dict(network=lenet + "7")]
        self.assertEqual(naming.terms(rows[::2]), [f"network {lenet}10", f"network {lenet}7"])
        self.assertEqual(naming.terms(rows[:2]), [f"network {lenet}10", "network lenet"])

    def test_the_table_of_every_run_has_the_network_where_there_are_several(self):
        table = lambda runs: every_run.every_run(runs, naming.keys(runs))
        runs = self.networks("lenet", "mlp-784-32-10")
        for name in ("lenet", "mlp-784-32-10"):
            self.assertEqual(table(runs).count(f"<td>network {name}</td>"), 2)
        self.assertNotIn("objective", table([run for run in runs if run.axes["network"] == "lenet"]))
        self.assertIn((2, "networks"), report.facts_of(runs))
        self.assertIn((1, "data set"), report.facts_of(runs))

    def test_data_of_networks_are_images_and_weights_and_those_of_others_rows_and_columns(self):
        runs = self.networks("lenet")
        text = environment.environment(runs)
        self.assertIn(f">images</th><td>{ROWS}</td>", text)
        self.assertIn(">weights of the network</th><td>47236</td>", text)
        self.assertNotIn("nonzeros", text)
        for run in runs:
            run.axes["problem"] = "hinge"
        for name in ("rows", "columns", "nonzeros"):
            self.assertIn(f">{name}</th>", environment.environment(runs))

    def test_cautions_of_a_set_name_its_network(self):
        self.networks("lenet", "mlp-784-32-10")
        results = read_results([self.folder])
        said = cautions.cautions(results, [configurations.configurations(runs) for runs in naming.groups(results.runs).values()])
        few = [sentence for sentence in said if "1 seed of some" in sentence]
        self.assertEqual([sentence.partition(": ")[0] for sentence in few],
                         [f"Network on synthetic:rcv1/20, network {name}" for name in ("lenet", "mlp-784-32-10")])

    def test_tuned_combinations_name_their_network(self):
        choices = [dict(scheme="hogwild", update="racy", threads="2", network=name, at_edge="1", tried="step-scale=2") for name in ("lenet", "mlp")]
        for sentence in tuned.chosen_at_edges(choices):
            self.assertIn("hogwild racy, 2 threads, network lenet (step-scale=2); hogwild racy, 2 threads, network mlp (step-scale=2).", sentence)
        self.assertIn("hogwild racy, 2 threads (step-scale=2).", tuned.chosen_at_edges(choices[:1])[0])

    def dialled(self):
        """(labels along the axis, its name, all words of the sheet)."""
        sheet, axes, *_ = self.drawn(dialled, list(naming.groups(self.runs()).values())).axes
        return [label.get_text() for label in axes.get_xticklabels()], axes.get_xlabel(), [text.get_text() for text in sheet.texts]

    def test_networks_whose_texts_end_differently_have_different_names_along_the_axis(self):
        self.networks(DEEP.format(16), DEEP.format(24))
        self.assertEqual(self.dialled()[:2], (["dense 16 relu", "dense 24 relu"], "network: layers that not all have"))

    def test_names_of_networks_are_whole_where_layers_of_their_own_do_not_tell_them_apart(self):
        labels = dialled.network_labels
        self.assertEqual(labels(["lenet", "mlp-784-32-10"]), ("network", ["lenet", "mlp-784-32-10"]))
        self.assertEqual(labels(["dense 16 relu;  dense 10", "dense 10;"]), ("network", ["dense 16 relu\ndense 10", "dense 10"]))
        self.assertEqual(labels(["dense 4; dropout 0.1; dense 3", "dropout 0.1; dense 4; dense 3"])[1],
                         ["dense 4\ndropout 0.1\ndense 3", "dropout 0.1\ndense 4\ndense 3"])

    def test_targets_that_differ_from_network_to_network_are_said(self):
        self.networks("lenet", "mlp-784-32-10", targets=(0.015, 0.03))
        self.assertIn("Targets: lenet: test error 0.015; mlp-784-32-10: test error 0.03.", self.dialled()[2])
        for row in self.rows:
            row.update(target=0.03)
        self.assertFalse([text for text in self.dialled()[2] if text.startswith("Targets")])


if __name__ == "__main__":
    unittest.main()
