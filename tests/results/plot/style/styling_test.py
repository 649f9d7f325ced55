"""Laws of looks: colour is the method, lines of one figure differ, colours stay apart for every eye, axes have numbers."""

import itertools
import unittest
from types import SimpleNamespace

import fake_runs  # noqa: F401, for the import path
import numpy as np
from eyes import DEUTERANOPIA, PROTANOPIA, seen
from plot.estimates import choosing
from plot.files.naming import Key
from plot.style import looks, scales, styling

PAGE = styling.SIZES["page"]


def look(strokes, key):
    line = strokes.line(key)
    return line["color"], str(line["linestyle"]), line.get("marker")


class Styling(unittest.TestCase):
    def test_colours_stay_apart_for_every_eye(self):
        palette = [looks.BLACK, *looks.HUES.values(), "#ffffff"]
        for eye, least in ((np.eye(3), 0.18), (PROTANOPIA, 0.1), (DEUTERANOPIA, 0.1)):
            for one, other in itertools.combinations(palette, 2):
                self.assertGreater(np.linalg.norm(seen(one, eye) - seen(other, eye)), least, (one, other))

    def test_colour_is_the_method_whatever_else_is_drawn(self):
        variants = [Key(method, f"batch {batch}", threads) for method in looks.LOOKS for batch in (16, 64, 256)
                    for threads in (1, 2, 8)]
        together = styling.Strokes(variants, variants, PAGE)
        for key in variants:
            alone = styling.Strokes([key], [key], PAGE)
            self.assertEqual(together.colour(key), looks.LOOKS[key.method].colour)
            self.assertEqual(alone.line(key)["color"], looks.LOOKS[key.method].colour.lower())

    def test_no_two_lines_that_a_reader_must_tell_apart_look_alike(self):
        for keys in ([Key("minibatch", f"batch {batch}", threads) for batch in (1, 2, 4) for threads in (1, 2, 8)],
                     [Key("serial", f"step size {step}", 0) for step in range(6)],
                     [Key(method, "", 2) for method in (list(looks.LOOKS) + ["new"])[-choosing.APART:]]):
            self.assertTrue(choosing.readable(keys))
            strokes = styling.Strokes(keys, keys, PAGE)
            self.assertEqual(len({look(strokes, key) for key in keys}), len(keys))

    def test_more_lines_than_a_reader_tells_apart_are_too_many(self):
        self.assertFalse(choosing.readable(Key("minibatch", f"batch {batch}", 2) for batch in range(7)))
        self.assertFalse(choosing.readable(Key(method, "", threads) for method in ("a", "b") for threads in range(1, 8)))

    def test_what_hogwild_does_with_hot_coordinates_has_its_policys_colour_and_place_and_dashes_of_its_own(self):
        keys = [Key(method, "", threads) for method in ("hogwild · racy+replicated", "local-sgd", "hogwild · racy") for threads in (1, 2)]
        strokes = styling.Strokes(keys, keys, PAGE)
        self.assertEqual([key.method for key in strokes.strong[::2]], ["hogwild · racy", "hogwild · racy+replicated", "local-sgd"])
        self.assertEqual(strokes.colour(keys[0]), looks.LOOKS["hogwild · racy"].colour)
        self.assertEqual(len({look(strokes, key) for key in keys}), len(keys))
        alone = styling.Strokes(keys[:2], keys[:2], PAGE)
        self.assertEqual(alone.dash(keys[0]), strokes.dash(keys[0]))
        self.assertNotEqual(alone.dash(keys[0]), "solid")
        self.assertEqual(looks.look_of("new+delayed"), looks.Look(looks.OTHER, looks.HOT["delayed"]))

    def test_lines_of_one_colour_share_its_dashes_and_no_more_are_readable_than_it_has(self):
        keys = [Key(f"hogwild · racy{hot}", f"step size {step}", 2) for hot in ("", "+replicated") for step in range(3)]
        self.assertTrue(choosing.readable(keys))
        strokes = styling.Strokes(keys, keys, PAGE)
        self.assertEqual(len({look(strokes, key) for key in keys}), len(keys))
        self.assertFalse(choosing.readable([*keys, Key("hogwild · racy+delayed", "", 2)]))

    def test_curves_of_one_method_have_a_colour_for_each_value_of_the_first_axis_and_dashes_for_the_rest(self):
        curves = lambda *keys: [SimpleNamespace(key=Key(*key), strong=True) for key in keys]
        keys = [("hogwild · racy", f"optimizer {name}, state {state}", 2) for name in ("adam", "momentum", "sgd")
                for state in ("per-worker", "shared")]
        yardstick = ("serial", "optimizer momentum", 0)
        strokes = styling.CurveStrokes(curves(yardstick, *keys), PAGE)
        colours = [strokes.colour(Key(*key)) for key in keys]
        self.assertEqual(colours[::2], colours[1::2])
        self.assertEqual((len(set(colours)), colours[0]), (3, looks.LOOKS["hogwild · racy"].colour))
        self.assertEqual([strokes.dash(Key(*key)) for key in keys], [*looks.DASHES[:2]] * 3)
        self.assertEqual(strokes.colour(Key(*yardstick)), styling.BLACK)
        for other in (("minibatch", "", 2), ("hogwild · racy", "", 0, "gpu", "2 × 132")):
            strokes = styling.CurveStrokes(curves(*keys, other), PAGE)
            self.assertEqual({strokes.colour(Key(*key)) for key in keys}, {looks.LOOKS["hogwild · racy"].colour})

    def test_variants_stand_in_the_order_of_their_numbers(self):
        keys = [Key("minibatch", f"step size {step}, batch {batch}", 2) for step in ("0.01", "1e-1") for batch in (16, 64, 256)]
        self.assertEqual(sorted(reversed(keys), key=styling.order), keys)


class Axes(unittest.TestCase):
    def test_every_axis_has_round_numbers_that_are_apart(self):
        for low, high in ((1e-12, 3.0), (0.0021, 0.07), (0.3241, 0.3502), (0.3512, 0.3571), (203e3, 291e3), (1.1e6, 1.9e6)):
            for scale in (scales.Scale(), scales.Scale(low - 0.03 * (high - low)), scales.Scale(low - 3 * (high - low))):
                numbers = scales.round_numbers(low, high, scale, 0.08, 0.22)
                shares = [float(scale.share(number, low, high)) for number in numbers]
                self.assertGreaterEqual(len(numbers), 3, (low, high, scale))
                self.assertLessEqual(len(numbers), 13)
                self.assertTrue(all(0 <= share <= 1 for share in shares))
                self.assertGreaterEqual(min(np.diff(shares)), 0.08 - 1e-9)

    def test_decades_are_chosen_before_all_others(self):
        self.assertEqual(scales.round_numbers(0.9, 110.0, scales.Scale(), 0.2, 0.6), [1.0, 10.0, 100.0])

    def test_a_scale_is_its_own_inverse(self):
        scale = scales.Scale(0.25)
        values = np.array([0.251, 0.3, 7.0])
        np.testing.assert_allclose(scale.inverse(scale.forward(values)), values)
        self.assertTrue(np.isnan(scale.forward([0.25, 0.1])).all())


if __name__ == "__main__":
    unittest.main()
