"""A saved network (`hogwild run --problem network --save FILE.safetensors`) and what it makes of an image, layer by layer.

Maps are (height, width, channels). A dense layer looks at all of the map, line by line. The text of layers is that of `--network`
(engine/network/network.h). Dropout and batch normalisation do what they do outside of training: all goes through, by running statistics.
"""

import re
import struct
from dataclasses import dataclass

import numpy as np

from plot.files import documents, limits, regular_file
from plot.files.axes import is_network
from plot.files.errors import Missing, ResultsError
from plot.files.network_names import NAMES

ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x))}

NPY = b"\x93NUMPY"  # what NumPy's files begin with
EPSILON = 1e-5  # kernels/network/layers/batch_norm.h


@dataclass
class Layer:
    text: str
    kind: str
    numbers: list
    options: dict
    activation: str = ""
    weights: np.ndarray = None  # (side, side, channels, filters), (inputs, units), or rows gamma, beta, running mean and variance
    biases: np.ndarray = None

    def __call__(self, seen):
        made = getattr(self, f"_{self.kind}")(seen)
        return ACTIVATIONS[self.activation](made) if self.activation else made

    def _conv(self, seen):
        seen = np.pad(seen, [(self.options.get("pad", 0),) * 2] * 2 + [(0, 0)])
        side, stride = self.numbers[1], self.options.get("stride", 1)
        windows = np.lib.stride_tricks.sliding_window_view(seen, (side, side), axis=(0, 1))[::stride, ::stride]
        return np.einsum("yxcij,ijcn->yxn", windows, self.weights) + self.biases

    def _dense(self, seen):
        return (seen.reshape(-1) @ self.weights + self.biases).reshape(1, 1, -1)

    def _pooled(self, seen, of):
        side = self.numbers[0]
        stride = self.options.get("stride", side)
        windows = np.lib.stride_tricks.sliding_window_view(seen, (side, side), axis=(0, 1))[::stride, ::stride]
        return of(windows, axis=(-2, -1))

    def _maxpool(self, seen):
        return self._pooled(seen, np.max)

    def _meanpool(self, seen):
        return self._pooled(seen, np.mean)

    def _dropout(self, seen):
        return seen

    def _batchnorm(self, seen):
        gamma, beta, mean, variance = self.weights
        return gamma * (seen - mean) / np.sqrt(np.maximum(variance, 0) + EPSILON) + beta


@dataclass
class Network:
    layers: list
    shape: tuple  # of an image

    @property
    def text(self):
        return "; ".join(layer.text for layer in self.layers)

    def __call__(self, image):
        """What each layer makes of an image of numbers from 0 to 1: a map for each layer."""
        maps = []
        seen = np.asarray(image, np.float64).reshape(self.shape)
        for layer in self.layers:
            seen = layer(seen)
            maps.append(seen)
        return maps


def parse(text, classes):
    """The layers of a text or of a name, without weights."""
    text = NAMES.get(text, text).format(classes=classes)
    if text.startswith("mlp-"):
        sizes = text.split("-")[2:]
        text = "; ".join([f"dense {size} relu" for size in sizes[:-1]] + [f"dense {sizes[-1]}"])
    layers = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        words = part.split()
        options = {name: int(value) for name, value in re.findall(r"(pad|stride) (\d+)", part)}
        numbers = [int(word) for word in re.sub(r"(pad|stride) \d+", "", part).split()[1:] if word.isdigit()]
        layers.append(Layer(part, words[0], numbers, options, words[-1] if words[-1] in ACTIVATIONS else ""))
    return layers


def read(path):
    """The network of a file. Raises ResultsError for a file that is none."""
    refused = lambda why: ResultsError(f"{path}: no network", why,
                                       "write one by hogwild run --problem network --save FILE.safetensors")
    try:
        data = regular_file.read(path)
        length, = struct.unpack("<Q", data[:8])
        header = documents.of_json(data[8:8 + length])
        note = header["__metadata__"]
    except FileNotFoundError as error:
        raise Missing(f"{path}: cannot be read", error.strerror, "name a file that is there") from None
    except OSError as error:
        raise refused(limits.reason_of(error)) from None
    except (struct.error, KeyError, TypeError, ValueError):
        if data.startswith(NPY):
            raise refused("a .npy file holds weights, and not which layers they are of") from None
        raise refused("it does not begin as a .safetensors file of hogwild does") from None
    if not is_network(note.get("problem")):
        raise refused(f"it is a model of {note.get('problem', 'a problem that it does not name')}")
    try:
        begin, end = header["weights"]["data_offsets"]
        weights = np.frombuffer(data[8 + length:][begin:end], "<f4").astype(np.float64)
        if 4 * weights.size < end - begin:
            raise refused("it ends before its weights do")
        shape = tuple(int(size) for size in note["images"].split("x"))
        return filled(Network(parse(note["network"], note["classes"]), shape), weights)
    except KeyError as missing:
        raise refused(f"its header has no {missing}") from None
    except (TypeError, ValueError) as error:
        raise refused(str(error)) from None


def filled(network, weights):
    """With the weights of the one array, as the parameter buffer holds them: rows by input, then biases, layer by layer."""
    seen, at = np.zeros(network.shape), 0
    for layer in network.layers:
        if layer.kind in ("conv", "dense"):
            out = layer.numbers[0]
            rows = layer.numbers[1] ** 2 * seen.shape[2] if layer.kind == "conv" else seen.size
            block = weights[at:at + (rows + 1) * out].reshape(rows + 1, out)
            at += block.size
            side = layer.numbers[1] if layer.kind == "conv" else 0
            layer.weights = block[:-1].reshape(side, side, seen.shape[2], out) if side else block[:-1]
            layer.biases = block[-1]
        elif layer.kind == "batchnorm":
            layer.weights = weights[at:at + 4 * seen.shape[2]].reshape(4, -1)
            at += layer.weights.size
        seen = layer(seen)
    if at != weights.size:
        raise ValueError(f"{weights.size} weights, its layers have {at}")
    return network
