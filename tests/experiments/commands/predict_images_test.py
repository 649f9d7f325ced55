"""Laws of `hogwild predict` for networks. What it says of images is what their run said and what NumPy computes of the same file.
It says nothing where file and images do not fit."""

import json
import struct
import sys
import unittest
from pathlib import Path

from predicting import TINY, Predicting

IMAGES = "synthetic:tiny"
TESTED = IMAGES + ",held-out"
LAYERS = "conv 4 3 relu; batchnorm; maxpool 2; dropout 0.2; dense 10"


class PredictImages(Predicting):
    def train(self, *words, layers=LAYERS, data=IMAGES, save="w.safetensors"):
        done = self.call("run", "--problem", "network", "--data", data, "--network", layers, "--scheme", "serial", "--json",
                         "--save", save, *words, *TINY)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def lines(self, name):
        return (self.folder / name).read_text().splitlines()

    def scores(self, model, data):
        self.predict(model, data, "-o", "scores.txt", "--margins")
        return [[float(word) for word in line.split()] for line in self.lines("scores.txt")]

    def test_the_classes_predicted_have_the_test_error_of_the_run(self):
        run = self.train()
        said = self.predict("w.safetensors", TESTED, "-o", "classes.txt")
        self.assertEqual(said["loss"], run["test_loss"])
        self.assertAlmostEqual(1 - said["right"] / said["samples"], run["test_error"], delta=1e-12)
        self.assertLess(run["test_error"], 0.8)
        self.assertEqual(self.predict("w.safetensors", IMAGES)["loss"], run["train_loss"])
        scores = self.scores("w.safetensors", TESTED)
        self.assertEqual([int(line) for line in self.lines("classes.txt")], [row.index(max(row)) for row in scores])
        self.assertEqual((len(scores), {len(row) for row in scores}), (said["samples"], {10}))

    def test_its_text_says_accuracy_and_loss(self):
        self.train()
        said = self.predict("w.safetensors", TESTED)
        text = self.call("predict", "--model", "w.safetensors", "--data", TESTED).stdout
        self.assertIn(f"  accuracy {100 * said['accuracy']:.4g} % (", text)
        self.assertIn("  mean network loss ", text)

    def test_numpy_computes_the_same_scores_and_errors_from_the_file(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("skipped: this python3 has no numpy; to run it: apt-get install python3-numpy")
        sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "results"))
        from plot.files import networks

        random = np.random.default_rng(1)
        pixels, labels = random.integers(0, 256, (70, 9, 8), np.uint8), random.integers(0, 3, 70).astype(np.uint8)
        (self.folder / "set").mkdir()
        (self.folder / "set" / "train-images-idx3-ubyte").write_bytes(struct.pack(">4I", 0x803, *pixels.shape) + pixels.tobytes())
        (self.folder / "set" / "train-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 0x801, 70) + labels.tobytes())
        for layers in ("mlp-72-9-3", "batchnorm; conv 4 3 pad 1; batchnorm relu; meanpool 2; dropout 0.2; dense 3"):
            self.train("--test", "none", layers=layers, data="set")
            said = self.predict("w.safetensors", "set")
            network = networks.read(self.folder / "w.safetensors")
            scores = np.array([network(image / 255)[-1].ravel() for image in pixels])
            np.testing.assert_allclose(self.scores("w.safetensors", "set"), scores, atol=1e-4)
            self.assertEqual(said["right"], int((scores.argmax(axis=1) == labels).sum()))

    def changed(self, **note):
        """The file with other words in its header."""
        data = (self.folder / "w.safetensors").read_bytes()
        length, = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + length])
        header["__metadata__"].update(note)
        text = json.dumps(header).encode()
        (self.folder / "other.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length:])

    def test_a_file_that_does_not_fit_the_images_or_itself_is_refused(self):
        self.train()
        predict = ("predict", "--data", IMAGES, "--model", "other.safetensors")
        for code, note, why in ((2, {"images": "20x28x1"}, "it takes images of 20x28x1, and these are 28x28x1"),
                                (2, {"classes": "8"}, "it tells 8 classes apart, and these have 10"),
                                (2, {"network": "conv 4 3; lstm 3"}, "unknown layer 'lstm'"),
                                (1, {"classes": "0"}, "it tells 0 classes apart"),
                                (1, {"classes": "-3"}, "it tells 0 classes apart"),
                                (1, {"classes": "4000"}, "it tells 4000 classes apart"),
                                (1, {"network": "dense 10"}, "weights, and dense 10 has 7850)")):
            with self.subTest(note=note):
                self.changed(**note)
                self.refused(code, why, *predict)

    def test_a_file_that_says_no_layers_is_refused_and_what_says_them_is_named(self):
        self.train(save="w.npy")
        predict = ("predict", "--data", "synthetic:images/1000", "--no-cache", "--model")
        self.refused(2, "read them with --problem network", *predict, "w.npy")
        self.write("t10k-images-idx3-ubyte", "x")
        self.refused(2, "read them with --problem network", "predict", "--data", "t10k-images-idx3-ubyte", "--model", "w.npy")
        self.refused(2, "run --save FILE.safetensors, which does", *predict, "w.npy", "--problem", "network")
        self.train()
        self.refused(2, "w.safetensors is no model of hinge (it says that it is one of network)", *predict, "w.safetensors",
                     "--problem", "hinge")

    def test_options_of_labels_have_a_note(self):
        self.train()
        done = self.call("predict", "--model", "w.safetensors", "--data", IMAGES, "--positive-class", "3")
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: --positive-class has no effect (it is for sparse rows", done.stderr)


if __name__ == "__main__":
    unittest.main()
