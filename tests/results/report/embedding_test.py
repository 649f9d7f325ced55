"""Laws of pictures inside a page. It is the picture that was drawn, to a hundredth of a point, in a URL that no attribute is
ended by."""

import re
import unittest
from urllib.parse import unquote
from xml.etree import ElementTree

import fake_runs  # noqa: F401, for the import path
from matplotlib.figure import Figure
from plot.style.canvas import save
from plot.style.styling import SIZES
from report import embedding
from scratch import Scratch

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


class EmbeddingTest(Scratch, unittest.TestCase):
    def drawn(self):
        figure = Figure()
        axes = figure.add_subplot()
        axes.plot([0.001 * 7 ** k for k in range(9)], [1 / (k + 1 / 3) for k in range(9)], label="a name: <100% & \"#1\"> --")
        axes.set_xscale("log")
        axes.legend()
        png, svg = save(figure, next(iter(SIZES.values())), self.folder / "lines", "lines")
        return {"png": png, "svg": svg}

    def test_it_is_the_same_picture_to_a_hundredth(self):
        paths = self.drawn()
        head, _, letters = embedding.data_url(paths).partition(",")
        self.assertEqual(head, "data:image/svg+xml")
        before = list(ElementTree.parse(paths["svg"]).iter())
        after = list(ElementTree.fromstring(unquote(letters)).iter())
        self.assertEqual([each.tag for each in before], [each.tag for each in after])
        moved = 0
        for old, new in zip(before, after):
            self.assertEqual((old.text or "").split(), (new.text or "").split())
            self.assertEqual(old.attrib.keys(), new.attrib.keys())
            for name, was in old.attrib.items():
                self.assertEqual(NUMBER.sub("0", was).split(), NUMBER.sub("0", new.attrib[name]).split())
                for a, b in zip(NUMBER.findall(was), NUMBER.findall(new.attrib[name])):
                    self.assertAlmostEqual(float(a), float(b), delta=0.00501)
                    moved += a != b
                if name not in ("d", "x", "y", "points", "transform"):
                    self.assertEqual(was.split(), new.attrib[name].split())
                if name == "transform":  # a scale by 0.07 would be another one with two digits
                    self.assertEqual(re.findall(r"scale\([^)]*\)", was), re.findall(r"scale\([^)]*\)", new.attrib[name]))
        self.assertGreater(moved, 100)
        self.assertLess(len(letters), paths["svg"].stat().st_size * 4 / 3)  # what base64 takes

    def test_no_letter_ends_an_attribute_or_the_url(self):
        self.assertNotRegex(embedding.data_url(self.drawn()), r"[\"<>#()\n]|%(?![0-9A-F]{2})")

    def test_a_huge_drawing_is_its_pixels(self):
        paths = self.drawn()
        paths["svg"].write_text("<svg>" + " " * embedding.LARGEST_SVG + "</svg>")
        self.assertRegex(embedding.data_url(paths), "^data:image/png;base64,[A-Za-z0-9+/=]+$")


if __name__ == "__main__":
    unittest.main()
