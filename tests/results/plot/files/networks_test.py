"""Laws of saved networks. What a layer makes is what plain loops make, the file's weights land where the engine has them, and what is
no network is refused."""

import io
import json
import re
import struct
import subprocess
import sys
import unittest
from contextlib import redirect_stderr, redirect_stdout

import fake_runs
import numpy as np
from plot import sees
from plot.files import networks
from plot.files.errors import ResultsError
from scratch import Scratch


def convolved(seen, layer, pad=0, stride=1):
    """By loops."""
    side, _, channels, filters = layer.weights.shape
    bordered = np.zeros((seen.shape[0] + 2 * pad, seen.shape[1] + 2 * pad, channels))
    bordered[pad:pad + seen.shape[0], pad:pad + seen.shape[1]] = seen
    places = [(size - side) // stride + 1 for size in bordered.shape[:2]]
    made = np.zeros((*places, filters))
    for y in range(places[0]):
        for x in range(places[1]):
            for n in range(filters):
                window = bordered[y * stride:y * stride + side, x * stride:x * stride + side]
                made[y, x, n] = layer.biases[n] + (window * layer.weights[:, :, :, n]).sum()
    return made


class Networks(Scratch):
    def file(self, text, weights, images="8x7x2", classes=3, name="m.safetensors"):
        header = json.dumps({"__metadata__": {"problem": "network", "network": text, "images": images, "classes": str(classes)},
                             "weights": {"dtype": "F32", "shape": [len(weights)], "data_offsets": [0, 4 * len(weights)]}}).encode()
        path = self.folder / name
        path.write_bytes(struct.pack("<Q", len(header)) + header + np.asarray(weights, "<f4").tobytes())
        return path

    def idx(self, images):
        path = self.folder / "images.idx"
        path.write_bytes(struct.pack(">4I", 0x803, *images.shape) + images.astype(np.uint8).tobytes())
        return path

    def test_layers_make_what_loops_make(self):
        random = np.random.default_rng(1)
        for options, pad, stride in (("", 0, 1), ("pad 1", 1, 1), ("stride 2", 0, 2), ("stride 3 pad 2", 2, 3)):
            layer, = networks.parse(f"conv 4 3 {options} tanh", 3)
            layer.weights, layer.biases = random.normal(size=(3, 3, 2, 4)), random.normal(size=4)
            seen = random.normal(size=(8, 7, 2))
            np.testing.assert_allclose(layer(seen), np.tanh(convolved(seen, layer, pad, stride)), atol=1e-12)
        seen = random.normal(size=(5, 6, 3))
        most, mean = networks.parse("maxpool 2; meanpool 3 stride 1", 3)
        self.assertEqual(most(seen).shape, (2, 3, 3))
        self.assertEqual(most(seen)[1, 2, 0], seen[2:4, 4:6, 0].max())
        self.assertEqual(mean(seen).shape, (3, 4, 3))
        self.assertAlmostEqual(mean(seen)[2, 1, 2], seen[2:5, 1:4, 2].mean())

    def test_weights_land_where_the_engine_has_them(self):
        weights = np.arange((2 * 2 * 2 + 1) * 3 + (7 * 6 * 3 + 1) * 3, dtype=float)
        network = networks.read(self.file("conv 3 2 relu; dropout 0.5; dense 3", weights))
        convolution, _, dense = network.layers
        self.assertEqual(convolution.weights[1, 0, 1, 2], (1 * 2 * 2 + 0 * 2 + 1) * 3 + 2)  # row (ky, kx, channel), then the filter
        self.assertEqual(list(convolution.biases), [24, 25, 26])
        self.assertEqual(dense.weights[10, 1], 27 + 10 * 3 + 1)
        self.assertEqual(dense.biases[2], weights[-1])
        self.assertEqual([made.shape for made in network(np.ones((8, 7, 2)))], [(7, 6, 3), (7, 6, 3), (1, 1, 3)])

    def test_batches_are_normalised_by_running_statistics(self):
        random = np.random.default_rng(2)
        rows = np.array([[2, 1, 0.5], [0.1, 0, -1], [0.2, -3, 0], [4, -1e-9, 0.25]])  # a variance that races left below 0
        block = [1.0] * ((1 + 1) * 3)
        network = networks.read(self.file("conv 3 1; batchnorm relu; dense 2", [*block, *rows.reshape(-1), *[0.5] * ((4 * 3 + 1) * 2)],
                                          images="2x2x1", classes=2))
        seen = random.normal(size=(2, 2, 3))
        expected = rows[0] * (seen - rows[2]) / np.sqrt(np.array([4, 0, 0.25]) + 1e-5) + rows[1]
        np.testing.assert_allclose(network.layers[1](seen), np.maximum(expected, 0), rtol=1e-6)
        self.assertEqual(list(network.layers[2].weights[0]), [0.5, 0.5])

    def test_names_stand_for_layers(self):
        self.assertEqual([layer.text for layer in networks.parse("mlp-784-128-10", 10)], ["dense 128 relu", "dense 10"])
        self.assertEqual([layer.kind for layer in networks.parse("lenet", 10)],
                         ["conv", "maxpool", "conv", "maxpool", "dense", "dense", "dense"])
        self.assertEqual(networks.parse("cnn-32-64", 7)[-1].numbers, [7])

    def test_what_is_no_network_is_refused(self):
        (self.folder / "short").write_bytes(b"abc")
        for path, what in ((self.folder / "none", "cannot be read"), (self.folder / "short", "no network"),
                           (self.file("conv 3 2; dense 3", [1.0] * 5), "no network"),
                           (self.file("dense 3", [1.0] * (8 * 7 * 2 * 3 + 4)), "340 weights, its layers have 339")):
            with self.assertRaisesRegex(ResultsError, what):
                networks.read(path)

    def sees(self, *arguments):
        """(exit status, what it said)."""
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            try:
                sees.main([*map(str, arguments)])
            except ResultsError as error:
                return error.exit_status, str(error)
        return 0, said.getvalue()

    def test_it_draws_stages_and_refuses_what_does_not_fit(self):
        size = (2 * 2 + 1) * 3 + (7 * 7 * 3 + 1) * 3
        models = [self.file("conv 3 2 relu; dense 3", np.linspace(-1, 1, size) * k, "8x8x1", name=f"{k}.safetensors") for k in (1, 2)]
        images = self.idx(np.arange(3 * 64).reshape(3, 8, 8) % 256)
        output = self.folder / "sees.png"
        self.assertEqual(self.sees(*models, "--images", images, "--image", 2, "-o", output)[0], 0)
        self.assertTrue(output.read_bytes().startswith(b"\x89PNG"))
        said = " ".join(re.findall(r"<!-- (.*?) -->", output.with_suffix(".svg").read_text())).replace("- -", "--")
        for words in ("What a network sees", f"Image 2 of {images.name} through 2 saved models", "3 filters", "3 maps", "red adds",
                      f"drawn: python3 results/plot/sees.py {models[0]} {models[1]} --images"):
            self.assertIn(words, said)
        self.assertEqual(sees.heading("conv 16 5 relu", 16), "conv 16 5 relu\n6 of 16 maps")
        self.assertEqual((sees.heading("filters", 32), sees.heading("image", 1)), ("6 of 32 filters", "image"))
        np.testing.assert_allclose(sees.image(images, 1)[0, 5], (64 + 5) / 255)
        with self.assertRaisesRegex(ResultsError, "has 3 images"):
            sees.image(images, 3)
        with self.assertRaisesRegex(ResultsError, "no whole file of images"):
            sees.image(models[0], 0)
        other = self.file("conv 3 2 relu; maxpool 7; dense 3", np.ones(15 + 12), "8x8x1", name="other.safetensors")
        status, said = self.sees(models[0], other, "--images", images, "-o", output)
        self.assertEqual((status, "of other layers (its are conv 3 2 relu; maxpool 7; dense 3, " in said), (1, True))
        wide = self.file("dense 3", np.ones(3 * (9 * 8 + 1)), "9x8x1", name="wide.safetensors")
        status, said = self.sees(wide, "--images", images, "-o", output)
        self.assertEqual((status, "of other images" in said), (1, True))

    def test_units_of_a_perceptron_are_images_and_maps_end_where_a_dense_layer_begins(self):
        units = np.arange(5 * 4 * 3 * 2, dtype=float).reshape(5, 4, 3, 2)  # line, column, channel, unit
        dense = [*units.reshape(-1), 0, 0]
        rows = [1.0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1]  # of three channels: what batch normalisation leaves as it is
        for text, weights, maps in (("dense 2", dense, []), ("batchnorm; dropout 0.5; dense 2", rows + dense, ["batchnorm"])):
            network = networks.read(self.file(text, weights, "5x4x3", 2))
            columns, shares = sees.panels(network, np.ones((5, 4, 3)))
            self.assertEqual([title for title, _, _ in columns], ["image", "units", *maps])
            np.testing.assert_array_equal(columns[1][1], np.moveaxis(units.mean(axis=2), 2, 0))
            self.assertAlmostEqual(shares.sum(), 1)
        columns, _ = sees.panels(networks.read(self.file("conv 3 1; batchnorm relu; dense 2", [1.0] * (4 * 3 + 12 + 2 * (5 * 4 * 3 + 1)), "5x4x3", 2)),
                                 np.ones((5, 4, 3)))
        self.assertEqual([title for title, _, _ in columns], ["image", "filters", "conv 3 1", "batchnorm relu"])

    def test_perceptrons_of_other_sizes_are_not_set_below_each_other(self):
        models = [self.file(f"dense {units} relu; dense 3", np.ones(65 * units + 3 * units + 3), "8x8x1", name=f"{units}.safetensors") for units in (4, 5)]
        images = self.idx(np.ones((1, 8, 8)))
        status, said = self.sees(models[0], "--images", images, "-o", self.folder / "sees.png")
        self.assertEqual(status, 0, said)
        status, said = self.sees(*models, "--images", images, "-o", self.folder / "both.png")
        self.assertEqual((status, "5.safetensors: of other layers" in said, (self.folder / "both.png").exists()), (1, True, False))

    def test_what_is_wrong_with_a_model_is_said_in_words(self):
        linear = self.file("dense 3", [1.0])
        linear.write_bytes(linear.read_bytes().replace(b'"problem": "network"', b'"problem": "hinge"  '))
        cut = self.folder / "cut"
        cut.write_bytes(self.file("dense 3", [1.0] * 339, name="whole").read_bytes()[:-4])
        np.save(self.folder / "weights.npy", np.ones(3 * 65, "<f4"))
        images = self.idx(np.ones((1, 8, 8)))
        for path, why in ((linear, "it is a model of hinge"), (cut, "it ends before its weights do"), (self.folder, "Is a directory"),
                          (self.folder / "weights.npy", "a .npy file holds weights, and not which layers they are of"),
                          (images, "it does not begin as a .safetensors file of hogwild does")):
            with self.assertRaisesRegex(ResultsError, re.escape(f"no network ({why}); write one by hogwild run")):
                networks.read(path)
        images = self.folder / "images.gz"
        images.write_bytes(b"\x1f\x8b\x08" + bytes(7) + b"\xff" * 50)
        for path in (images, self.folder):
            with self.assertRaisesRegex(ResultsError, r"no images \((?!\[Errno)"):
                sees.image(path, 0)

    def test_a_part_of_the_package_that_is_started_says_that_it_is_no_program(self):
        for folder, name in (("files", "networks"), ("style", "styling"), ("estimates", "costs"), ("figures", "bands")):
            started = subprocess.run([sys.executable, fake_runs.RESULTS / "plot" / folder / f"{name}.py"], capture_output=True, text=True)
            self.assertEqual((started.returncode, started.stdout), (2, ""))
            self.assertRegex(started.stderr, rf"^{name}\.py is no program \(it is a part of those that are\); try: python3 \S+plot\.py DIR, or of saved networks \S+sees\.py\n$")


if __name__ == "__main__":
    unittest.main()
