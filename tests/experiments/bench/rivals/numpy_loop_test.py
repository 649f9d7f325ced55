"""Laws of the zeroth stage: its numbers are the formula's, by sums over single numbers; a wrong command line is refused."""

import contextlib
import io
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "experiments" / "bench" / "rivals"))
import numpy_loop  # noqa: E402


def formula(shape, pixels, weights, slopes, step_size):
    """A step by single numbers, in double."""
    k, p, border = shape.kernel, shape.pool, shape.padding
    padded = np.zeros((shape.images, shape.height + 2 * border, shape.width + 2 * border, shape.channels))
    padded[:, border:border + shape.height, border:border + shape.width] = pixels / 255
    pooled, along, gradient = np.zeros(slopes.shape), np.zeros(padded.shape), np.zeros(weights.shape)
    window = [(ky, kx, c) for ky in range(k) for kx in range(k) for c in range(shape.channels)]
    for i, y, x, f in np.ndindex(slopes.shape):
        best, where = -np.inf, None
        for at in [(y * p + dy, x * p + dx) for dy in range(p) for dx in range(p)]:
            value = float(weights[-1, f])
            for row, (ky, kx, c) in enumerate(window):
                value += padded[i, at[0] + ky, at[1] + kx, c] * float(weights[row, f])
            if value > best:
                best, where = value, at
        if best <= 0:
            continue
        pooled[i, y, x, f] = best
        slope = float(slopes[i, y, x, f])
        gradient[-1, f] += slope
        for row, (ky, kx, c) in enumerate(window):
            gradient[row, f] += slope * padded[i, where[0] + ky, where[1] + kx, c]
            along[i, where[0] + ky, where[1] + kx, c] += slope * float(weights[row, f])
    return pooled, along[:, border:border + shape.height, border:border + shape.width], weights - step_size * gradient


class NumpyLoop(unittest.TestCase):
    def test_a_step_is_the_formulas(self):
        for text in ("2x6x7x3:4x3x1x2:slopes", "2x8x8x1:3x5x0x2", "1x7x8x2:5x2x0x3:slopes"):
            shape = numpy_loop.Shape.parse(text)
            pixels, weights, slopes = numpy_loop.draw(shape, np.random.default_rng(7))
            pixels[0, :3] = 0  # equal entries
            expected = formula(shape, pixels, weights, slopes, 0.5)
            pooled, along = numpy_loop.step(shape, pixels, weights, slopes, 0.5)  # changes the weights
            np.testing.assert_allclose(pooled, expected[0], atol=1e-5)
            np.testing.assert_allclose(weights, expected[2], atol=1e-5)
            if shape.slopes:
                np.testing.assert_allclose(along, expected[1], atol=1e-5)
            else:
                self.assertIsNone(along)

    def test_it_prints_seconds_and_a_rate_that_fit(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(numpy_loop.main(["3x6x6x1:2x3x0x2:slopes", "2"]), 0)
        seconds, rate = map(float, said.getvalue().split())
        self.assertAlmostEqual(seconds * rate, 3 * 2, places=3)

    def test_what_is_no_shape_is_refused(self):
        for arguments in ([], ["3x6x6x1:2x3x0x2"], ["3x6x6x1", "1"], ["3x6x6x1:2x9x0x2", "1"], ["3x6x6x1:2x3x0x2", "0"]):
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(numpy_loop.main(arguments), 2)
            self.assertIn("; try: ", said.getvalue())


if __name__ == "__main__":
    unittest.main()
