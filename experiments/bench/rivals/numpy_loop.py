#!/usr/bin/python3
"""The zeroth stage of speeding up a convolution with subsampling: loops of Python around products of NumPy's arrays.

    experiments/bench/rivals/numpy_loop.py IMAGESxHEIGHTxWIDTHxCHANNELS:FILTERSxKERNELxPADDINGxPOOL[:slopes] STEPS

One loop goes over images and places of the map, another over images and windows; what happens at each is NumPy's. The step is that of
kernels/network/stages/conv_pool.h, on random bytes. It prints the seconds that all steps took and images per second: a rival of stages_bench.
Exit status 0; 2 for a wrong command line; 69 without numpy.
"""

import re
import sys
import time
from dataclasses import dataclass

try:
    import numpy as np
except ImportError as missing:
    print(f"the zeroth stage needs numpy ({missing}); try: sudo apt-get install python3-numpy", file=sys.stderr)
    sys.exit(69)


@dataclass
class Shape:
    images: int
    height: int
    width: int
    channels: int
    filters: int
    kernel: int
    padding: int
    pool: int
    slopes: bool

    @classmethod
    def parse(cls, text):
        """None where the text is no shape, or no window fits."""
        found = re.fullmatch(r"(\d+)x(\d+)x(\d+)x(\d+):(\d+)x(\d+)x(\d+)x(\d+)(:slopes)?", text)
        if not found:
            return None
        shape = cls(*map(int, found.groups()[:8]), found.group(9) is not None)
        fits = min(shape.images, shape.channels, shape.filters, shape.kernel, shape.pool) > 0 and min(shape.pooled) > 0
        return shape if fits else None

    @property
    def map(self):
        return tuple(side + 2 * self.padding - self.kernel + 1 for side in (self.height, self.width))

    @property
    def pooled(self):
        return tuple(side // self.pool for side in self.map)

    @property
    def depth(self):
        return self.kernel * self.kernel * self.channels


def step(shape, pixels, weights, pooled_slopes, step_size):
    """(pooled maps, slopes along the images or None); weights, depth + 1 rows, are updated. Pixels are bytes."""
    k, p, border = shape.kernel, shape.pool, shape.padding
    images = pixels.astype(np.float32) * np.float32(1 / 255)
    images = np.pad(images, ((0, 0), (border, border), (border, border), (0, 0)))
    pooled = np.empty((shape.images, *shape.pooled, shape.filters), np.float32)
    gradient = np.zeros_like(weights)
    input_slopes = np.zeros_like(images)
    maps = np.empty((*shape.map, shape.filters), np.float32)
    places = np.arange(shape.filters)
    for image, slopes, of_image, along in zip(images, pooled_slopes, pooled, input_slopes):
        for y in range(shape.map[0]):
            for x in range(shape.map[1]):
                window = image[y:y + k, x:x + k].reshape(-1)
                maps[y, x] = np.maximum(window @ weights[:-1] + weights[-1], 0)
        map_slopes = np.zeros_like(maps)
        for y in range(shape.pooled[0]):
            for x in range(shape.pooled[1]):
                window = maps[y * p:(y + 1) * p, x * p:(x + 1) * p].reshape(p * p, -1)
                winner = window.argmax(axis=0)  # the first of equal ones
                of_image[y, x] = window[winner, places]
                map_slopes[y * p + winner // p, x * p + winner % p, places] = np.where(of_image[y, x] > 0, slopes[y, x], 0)
        for y in range(shape.map[0]):
            for x in range(shape.map[1]):
                slope = map_slopes[y, x]
                gradient[:-1] += np.outer(image[y:y + k, x:x + k].reshape(-1), slope)
                gradient[-1] += slope
                if shape.slopes:
                    along[y:y + k, x:x + k] += (weights[:-1] @ slope).reshape(k, k, -1)
    weights -= np.float32(step_size) * gradient
    inside = slice(border, border + shape.height), slice(border, border + shape.width)
    return pooled, input_slopes[:, inside[0], inside[1]] if shape.slopes else None


def draw(shape, random):
    """Random (pixels, weights, slopes along the pooled maps)."""
    pixels = random.integers(0, 256, (shape.images, shape.height, shape.width, shape.channels), np.uint8)
    weights = (random.uniform(-1, 1, (shape.depth + 1, shape.filters)) / shape.depth ** 0.5).astype(np.float32)
    slopes = random.uniform(-0.01, 0.01, (shape.images, *shape.pooled, shape.filters)).astype(np.float32)
    return pixels, weights, slopes


def main(arguments):
    shape = Shape.parse(arguments[0]) if len(arguments) == 2 else None
    if shape is None or not arguments[1].isdigit() or int(arguments[1]) == 0:
        print("the command line is wrong (it has no shape and number of steps); try: numpy_loop.py 64x28x28x1:6x5x0x2 1", file=sys.stderr)
        return 2
    pixels, weights, slopes = draw(shape, np.random.default_rng(1))
    steps = int(arguments[1])
    start = time.perf_counter()
    for _ in range(steps):
        step(shape, pixels, weights, slopes, 1e-4)
    seconds = time.perf_counter() - start
    print(f"{seconds:.6g} {steps * shape.images / seconds:.6g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
