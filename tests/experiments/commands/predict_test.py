"""Laws of `hogwild run --save` and `hogwild predict`. What was trained is what predicts, in every format and for every reader of
it. Labels and columns mean what they meant in training."""

import json
import math
import random
import shutil
import subprocess
import unittest

from predicting import TINY, Predicting

ENDINGS = ("npy", "safetensors", "model")


def samples(rows=300, columns=20, labels=("+1", "-1"), seed=1):
    """LIBSVM text: the sign of a planted sum, with noise."""
    drawn = random.Random(seed)
    lines = []
    for _ in range(rows):
        row = {j: round(drawn.uniform(-1, 1), 3) for j in drawn.sample(range(1, columns + 1), 6)}
        margin = sum(value * (1 if j % 3 else -2) for j, value in row.items()) + drawn.gauss(0, 0.3)
        lines.append(f"{labels[0 if margin > 0 else 1]} " + " ".join(f"{j}:{row[j]}" for j in sorted(row)))
    return "\n".join(lines) + "\n"


class Predict(Predicting):
    def setUp(self):
        super().setUp()
        self.write("train.svm", samples())
        self.write("test.svm", samples(seed=2))

    def train(self, *words, data="train.svm", save="w.npy", code=0):
        done = self.call("run", "--data", data, "--save", save, *(words or ("--scheme", "serial")), *TINY)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def last_observation(self, *words):
        """What the run itself says of its final weights."""
        runs = self.call("run", "--data", "train.svm", "--test", "test.svm", "--json", *words, *TINY, "--l2", "0", "--save", "w.safetensors")
        self.assertEqual(runs.returncode, 0, runs.stderr)
        return json.loads(runs.stdout)

    def test_a_saved_model_has_the_losses_of_its_run(self):
        ways = [("--scheme", scheme) for scheme in ("serial", "minibatch", "local-sgd")]
        ways += [("--scheme", "hogwild", "--threads", "1", "--placement", where) for where in ("stored", "scattered", "hottest")]
        for way in ways:
            with self.subTest(way=way):
                run = self.last_observation(*way)
                for data, loss, error in (("train.svm", "train_loss", None), ("test.svm", "test_loss", "test_error")):
                    said = self.predict("w.safetensors", data)
                    self.assertAlmostEqual(said["loss"], run[loss], delta=1e-12 * said["loss"])
                    if error:
                        self.assertAlmostEqual(1 - said["accuracy"], run[error], delta=1e-12)

    def test_every_format_predicts_alike(self):
        said = []
        for ending in ENDINGS:
            self.train(save=f"w.{ending}")
            said.append(self.predict(f"w.{ending}", "test.svm", "-o", f"{ending}.txt", "--margins", "--problem", "hinge"))
            said[-1].pop("model")
        self.assertEqual(said, [said[0]] * len(ENDINGS))
        self.assertEqual(len({(self.folder / f"{ending}.txt").read_text() for ending in ENDINGS}), 1)

    def test_numpy_reads_what_was_saved(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("skipped: this python3 has no numpy; to run it: apt-get install python3-numpy")
        self.train()
        weights = numpy.load(self.folder / "w.npy", allow_pickle=False)
        self.assertEqual((weights.dtype, weights.shape), (numpy.float32, (20,)))
        self.predict("w.npy", "test.svm", "-o", "margins.txt", "--margins")
        said = [float(line) for line in (self.folder / "margins.txt").read_text().splitlines()]
        lines = (self.folder / "test.svm").read_text().splitlines()
        self.assertEqual(len(said), len(lines))
        for margin, line in zip(said, lines):
            pairs = [pair.split(":") for pair in line.split()[1:]]
            terms = [float(numpy.float32(value)) * float(weights[int(j) - 1]) for j, value in pairs]  # exact in doubles
            # n numbers that are added in any order are off by at most n / 2^53 of the sum of their sizes (Higham 2002, 4.2).
            self.assertLessEqual(abs(margin - math.fsum(terms)), len(terms) * 2**-53 * math.fsum(map(abs, terms)))
        numpy.save(self.folder / "again.npy", weights)
        self.assertEqual((self.folder / "again.npy").read_bytes(), (self.folder / "w.npy").read_bytes())

    def test_what_a_model_that_is_not_for_predict_is_told_reads_its_weights(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("skipped: this python3 has no numpy; to run it: apt-get install python3-numpy")
        read = []
        for ending in ("npy", "safetensors"):
            file = str(self.folder / f"w.{ending}")
            self.train(save=f"w.{ending}")
            done = self.call("predict", "--no-cache", "--data", "test.svm", "--model", file, "--problem", "factorization")
            recipe = done.stderr.strip().partition("; read the weights with ")[2]
            self.assertTrue(recipe.startswith("numpy."), done.stderr)
            read.append(eval(recipe, {"numpy": numpy, "file": file}))
        self.assertEqual([(weights.dtype, weights.shape) for weights in read], [(numpy.float32, (20,))] * 2)
        self.assertTrue((read[0] == read[1]).all())

    def liblinear(self, program, *words):
        if not shutil.which(program):
            self.skipTest(f"skipped: no {program} on the PATH; to run it: apt-get install liblinear-tools")
        subprocess.run([program, *words], capture_output=True, check=True, cwd=self.folder)

    def test_liblinear_predicts_the_same_labels(self):
        for labels in (("+1", "-1"), ("1", "0"), ("2", "1"), ("-3", "7")):
            for problem in ("hinge", "logistic", "squared"):
                with self.subTest(labels=labels, problem=problem):
                    self.write("train.svm", samples(labels=labels))
                    self.write("test.svm", samples(labels=labels, seed=2))
                    self.train("--scheme", "serial", "--problem", problem, save="w.model")
                    self.liblinear("liblinear-predict", "test.svm", "w.model", "theirs.txt")
                    said = self.predict("w.model", "test.svm", "-o", "ours.txt")
                    ours = (self.folder / "ours.txt").read_text()
                    self.assertEqual(ours, (self.folder / "theirs.txt").read_text())
                    truth = [line.split()[0] for line in (self.folder / "test.svm").read_text().splitlines()]
                    self.assertEqual(said["right"], sum(float(a) == float(b) for a, b in zip(truth, ours.split())))
                    self.assertGreater(said["accuracy"], 0.8)

    def test_a_model_of_liblinear_predicts_the_same_labels_here(self):
        for labels in (("+1", "-1"), ("2", "1")):
            for first in (0, 1):  # liblinear's first label is that of the first sample
                with self.subTest(labels=labels, first=first):
                    lines = sorted(samples(labels=labels).splitlines(), key=lambda line: line.split()[0] != labels[first])
                    self.write("train.svm", "\n".join(lines) + "\n")
                    self.write("test.svm", samples(labels=labels, seed=2))
                    self.liblinear("liblinear-train", "-q", "-B", "-1", "train.svm", "theirs.model")
                    self.liblinear("liblinear-predict", "test.svm", "theirs.model", "theirs.txt")
                    self.predict("theirs.model", "test.svm", "-o", "ours.txt")
                    self.assertEqual((self.folder / "ours.txt").read_text(), (self.folder / "theirs.txt").read_text())

    def test_real_labels_are_predicted_by_the_margin(self):
        self.write("train.svm", "".join(f"{3 * i - 2 * (i % 5)} 1:{i} 2:{i % 5}\n" for i in range(1, 60)))
        self.train("--scheme", "serial", "--problem", "squared", "--real-labels", "--l2", "0", save="w.model")
        said = self.predict("w.model", "train.svm", "-o", "ours.txt")
        self.assertNotIn("accuracy", said)
        self.assertEqual(said["problem"], "squared")
        self.liblinear("liblinear-predict", "train.svm", "w.model", "theirs.txt")
        for ours, theirs in zip((self.folder / "ours.txt").read_text().split(), (self.folder / "theirs.txt").read_text().split()):
            self.assertAlmostEqual(float(ours), float(theirs), delta=1e-5 * abs(float(theirs)))  # it prints six digits

    def test_features_that_the_model_lacks_weigh_nothing_and_it_is_said(self):
        self.train()
        self.write("few.svm", "+1 1:1\n-1 2:1\n")
        self.assertEqual(self.predict("w.npy", "few.svm")["columns"], 2)
        few = ("predict", "--data", "few.svm", "--no-cache", "--model")
        self.assertIn("the model has 20 weights, the data 2 columns", self.call(*few, "w.npy").stderr)
        self.train(save="w.safetensors")  # which says whose they are
        self.assertEqual(self.call(*few, "w.safetensors").stderr, "")
        self.write("more.svm", "".join(f"{line} 99:1e6\n" for line in samples(seed=2).splitlines()))
        done = self.call("predict", "--model", "w.npy", "--data", "more.svm", "--no-cache", "--json")
        self.assertIn("the data have 99 columns, the model 20", done.stderr)
        self.assertEqual(json.loads(done.stdout)["right"], self.predict()["right"])

    def test_samples_of_one_class_can_be_predicted(self):
        for labels in (("+1", "-1"), ("2", "1")):
            self.write("train.svm", samples(labels=labels))
            self.train(save="w.safetensors")
            for label in labels:
                only = [line for line in samples(labels=labels, seed=2).splitlines() if line.startswith(f"{label} ")]
                self.write("only.svm", "\n".join(only) + "\n")
                self.assertGreater(self.predict("w.safetensors", "only.svm")["accuracy"], 0.7)

    def of_class(self, label, **options):
        """Samples of one of two classes, as a file."""
        lines = samples(**options).splitlines()
        return "".join(f"{line}\n" for line in lines if line.split()[0] == label)

    def agreement(self, model, data, *words):
        """What predict says and writes, held against the labels that stand in the file; None where it refuses."""
        (self.folder / "lines.txt").unlink(missing_ok=True)
        done = self.call("predict", "--model", model, "--data", data, "--no-cache", "--json", "-o", "lines.txt", *words)
        if done.returncode != 0:
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("--positive-class", done.stderr)
            self.assertFalse((self.folder / "lines.txt").exists())
            return None
        said = json.loads(done.stdout)
        truth = [line.split()[0] for line in (self.folder / data).read_text().splitlines()]
        lines = (self.folder / "lines.txt").read_text().split()
        self.assertEqual(len(lines), len(truth))
        right = sum(float(line) == float(label) for line, label in zip(lines, truth))
        self.assertEqual(said["right"], right, (model, data, words))
        self.assertAlmostEqual(said["accuracy"], right / len(truth), delta=1e-12)
        return said["accuracy"]

    def test_the_accuracy_is_the_agreement_of_the_lines_with_the_files_labels(self):
        pairs = (("+1", "-1"), ("1", "0"), ("2", "1"), ("0.7", "0.1"))
        for trained in pairs:
            self.write("train.svm", samples(rows=150, labels=trained))
            for ending in ENDINGS:
                if trained == ("0.7", "0.1") and ending == "model":
                    continue  # liblinear's labels are whole
                self.train(save=f"w.{ending}")
                for tested in (*pairs, ("20", "10")):
                    self.write("test.svm", samples(rows=60, labels=tested, seed=2))
                    with self.subTest(trained=trained, tested=tested, ending=ending):
                        known = {float(label) for label in trained}
                        usual = [{-1.0, 1.0}, {0.0, 1.0}]
                        means = ending == "npy" or {float(label) for label in tested} == known
                        means = means or (known in usual and {float(label) for label in tested} in usual)
                        found = self.agreement(f"w.{ending}", "test.svm")
                        if means:
                            self.assertGreater(found, 0.7)
                        else:
                            self.assertIsNone(found)
                        self.assertGreater(self.agreement(f"w.{ending}", "test.svm", "--positive-class", tested[0].lstrip("+")), 0.7)

    def test_a_model_without_labels_says_which_class_is_positive_or_asks(self):
        self.write("train.svm", samples(labels=("2", "1")))
        self.assertIn("w.npy does not hold that 2 is the positive class and 1 the other",
                      self.call("run", "--data", "train.svm", "--save", "w.npy", "--scheme", "serial", *TINY[:-1]).stderr)
        self.write("test.svm", samples(labels=("2", "1"), seed=2))
        said = self.call("predict", "--model", "w.npy", "--data", "test.svm", "--no-cache").stderr
        self.assertIn("w.npy does not say its classes: 2 is taken for its positive one, 1 for the other", said)
        self.write("only.svm", self.of_class("1", labels=("2", "1"), seed=2))
        self.refused(1, "w.npy does not say whether that is the positive one", "predict", "--model", "w.npy", "--data", "only.svm",
                     "--no-cache")
        self.assertGreater(self.agreement("w.npy", "only.svm", "--positive-class", "2"), 0.7)
        self.assertLess(self.agreement("w.npy", "only.svm", "--positive-class", "1"), 0.3)

    def test_a_label_that_the_model_does_not_know_is_refused_as_that_of_a_test_is(self):
        self.write("train.svm", samples(labels=("2", "1")))
        self.write("test.svm", samples(seed=2))
        self.refused(1, "test.svm has a class -1 that the training set lacks", "run", "--data", "train.svm", "--test", "test.svm", *TINY)
        for ending in ENDINGS[1:]:
            self.train(save=f"w.{ending}")
            self.refused(1, f"test.svm has a class -1 that w.{ending} does not know (its classes are 2 and 1)", "predict", "--model",
                         f"w.{ending}", "--data", "test.svm", "--no-cache", "-o", "lines.txt")
            self.assertFalse((self.folder / "lines.txt").exists())
            done = self.call("predict", "--model", f"w.{ending}", "--data", "test.svm", "--no-cache", "--positive-class", "1")
            self.assertIn(f"note: 1 is what w.{ending} calls 2, -1 what it calls 1", done.stderr)

    def test_a_lone_class_is_asked_about_where_the_file_does_not_say_what_it_means(self):
        for labels in (("0", "-1"), ("1", "0"), ("+1", "-1"), ("-1", "-2")):
            self.write("train.svm", samples(labels=labels))
            self.train()
            for place, label in enumerate(labels):
                if label == "-2":
                    continue  # is refused as a class of which no file tells the sign
                with self.subTest(labels=labels, label=label):
                    self.write("only.svm", self.of_class(label, labels=labels, seed=2))
                    self.refused(1, f"only.svm is of one class, {int(label)} (w.npy does not say whether that is the positive one",
                                 "predict", "--model", "w.npy", "--data", "only.svm", "--no-cache")
                    self.assertGreater(self.agreement("w.npy", "only.svm", "--positive-class", labels[0].lstrip("+")), 0.7, place)

    def test_a_model_of_one_class_against_several_predicts_its_own_samples_or_says_how(self):
        several = samples(labels=("3", "1")) + samples(rows=50, labels=("3", "2"), seed=5)
        self.write("train.svm", several)
        for positive in ("3", "2", "1"):
            train = ("run", "--data", "train.svm", "--scheme", "serial", "--positive-class", positive, *TINY[:-1])
            truth = [line.split()[0] for line in several.splitlines()]
            for ending in ENDINGS:
                with self.subTest(positive=positive, ending=ending):
                    lost = f"w.{ending} does not hold that {positive} is the positive class and every other label the other"
                    self.assertEqual(lost in self.call(*train, "--save", f"w.{ending}").stderr, ending != "safetensors")
                    predict = ("predict", "--model", f"w.{ending}", "--data", "train.svm", "--no-cache", "--json", "-o", "o")
                    if ending == "model":
                        self.refused(1, f"with --positive-class {positive}\n", *predict)
                    words = () if ending == "safetensors" else ("--positive-class", positive)
                    done = self.call(*predict, *words)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(f"{positive} is one class, every other label the other, written as -1", done.stderr)
                    lines = (self.folder / "o").read_text().split()
                    self.assertEqual(set(lines) | {positive, "-1"}, {positive, "-1"})
                    right = sum((line == positive) == (label == positive) for line, label in zip(lines, truth))
                    self.assertEqual(json.loads(done.stdout)["right"], right)
        self.train("--scheme", "serial", "--positive-class", "3", save="w.safetensors")
        for label in ("1", "2", "9"):  # each alone is not the positive one, 3
            self.write("only.svm", "".join(f"{label}{line[1:]}\n" for line in several.splitlines() if line.startswith("1 ")))
            self.assertGreater(self.agreement("w.safetensors", "only.svm"), 0.5)

    def test_a_format_that_cannot_hold_the_labels_is_refused_before_anything_runs(self):
        self.write("train.svm", samples(labels=("0.7", "0.1")))
        self.refused(2, "liblinear's are whole numbers, and these are 0.1 and 0.7", "run", "--data", "train.svm", "--scheme", "serial",
                     "--save", "w.model", *TINY)
        self.train("--scheme", "serial", "--positive-class", "0.7", save="w.safetensors")
        self.assertGreater(self.agreement("w.safetensors", "train.svm"), 0.7)

    def test_a_run_says_what_its_labels_became_where_they_were_not_minus_one_and_one(self):
        def labels_of(*words):
            done = self.call("run", "--scheme", "serial", "-o", "R", *TINY[:-1], *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            shutil.rmtree(self.folder / "R")
            return [line for line in done.stderr.splitlines() if line.startswith("labels")]

        self.assertEqual(labels_of("--data", "train.svm"), [])
        self.write("tens.svm", samples(labels=("20", "10")))
        self.write("zero.svm", samples(labels=("1", "0")))
        self.assertEqual(labels_of("--data", "tens.svm"), ["labels: 10 and 20 are -1 and +1"])
        self.assertEqual(labels_of("--data", "tens.svm", "--positive-class", "10"), ["labels: 10 and 20 are +1 and -1"])
        self.assertEqual(labels_of("--data", "train.svm", "--test", "zero.svm"), ["labels of the test: 0 and 1 are -1 and +1"])
        self.assertEqual(labels_of("--data", "tens.svm", "--quiet"), [])

    def test_one_file_keeps_the_weights_of_one_run(self):
        for axes in (("--scheme", "serial,minibatch"), ("--scheme", "serial", "--seed", "1,2")):
            self.refused(2, "there are 2 runs, and one file", "run", "--data", "train.svm", "--save", "w.npy", *axes, *TINY)
        self.refused(2, "its ending says none", "run", "--data", "absent.svm", "--save", "w.dat", *TINY)
        self.refused(74, "no folder", "run", "--data", "absent.svm", "--save", "absent/w.npy", *TINY)
        self.assertFalse((self.folder / "w.npy").exists())

    def test_what_is_no_linear_model_is_not_saved_as_one_nor_predicts_as_one_where_the_file_says_so(self):
        self.write("ratings.txt", "".join(f"{u} {i} {(u * i) % 5}\n" for u in range(1, 9) for i in range(1, 9)))
        factors = ("--problem", "factorization", "--scheme", "serial", "--rank", "2")
        for name in ("w.model", "w.liblinear"):
            self.refused(2, "liblinear's text holds linear models, and factorization is none", "run", "--data", "ratings.txt",
                         "--save", name, *factors, *TINY)
            self.assertFalse((self.folder / name).exists())
        self.train(*factors, data="ratings.txt", save="w.safetensors")
        self.refused(2, "a model of factorization is not for hogwild predict", "predict", "--no-cache", "--data", "test.svm",
                     "--model", "w.safetensors")

    def test_a_run_that_diverged_saves_nothing_and_says_so(self):
        self.write("w.npy", "what was there")
        done = self.train("--scheme", "serial", "--problem", "squared", "--step-size", "1e9", "--l2", "0", code=3)
        self.assertIn("not written (the run diverged", done.stderr)
        self.assertEqual((self.folder / "w.npy").read_text(), "what was there")

    def test_a_disk_that_is_full_is_exit_code_74_and_leaves_no_half_model(self):
        import resource

        self.write("train.svm", samples(columns=20_000))
        limit = 40_000
        done = self.call("run", "--data", "train.svm", "--scheme", "serial", "--save", "w.npy", *TINY,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertFalse([path for path in self.folder.iterdir() if path.name.startswith("w.npy")])

    def test_bad_input_of_predict_is_said(self):
        self.train()
        predict = ("predict", "--no-cache", "--data", "test.svm", "--model")
        self.refused(69, "absent.npy", *predict, "absent.npy")
        self.refused(2, "a model of factorization is not for hogwild predict", *predict, "w.npy", "--problem", "factorization")
        self.refused(2, "unknown problem 'hinges' (known: hinge", *predict, "w.npy", "--problem", "hinges")
        self.write("cut.npy", "")
        self.refused(1, "does not begin as a .npy file", *predict, "cut.npy")
        self.refused(74, "cannot write", *predict, "w.npy", "-o", "absent/predictions")


if __name__ == "__main__":
    unittest.main()
