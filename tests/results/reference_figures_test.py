"""A law of results/reference: the page beside an image says which command draws it."""

import re
import unittest

import fake_runs

REFERENCE = fake_runs.RESULTS / "reference"
IMAGES = {".png", ".svg", ".jpg", ".pdf"}
SHOWN = re.compile(r"!\[[^\]]*\]\([^)]*\)")
DRAWS = re.compile(r"results/devices\.py --draw|results/plot/\w+\.py|hogwild report|hogwild sweep|-o DIR")


def page_of(image):
    """The nearest page in its folder or one above."""
    return next(folder / "README.md" for folder in image.parents if (folder / "README.md").is_file())


def says_who_draws(page, name):
    """Whether a paragraph names the image, and a command that draws it stands there or in the next one. To show it is
    not to say that."""
    parts = [SHOWN.sub("", part) for part in re.split(r"\n\s*\n", page)]
    return any(name in part and DRAWS.search(part + "\n" + after) for part, after in zip(parts, [*parts[1:], ""]))


class ReferenceFigures(unittest.TestCase):
    def test_the_page_beside_an_image_says_which_command_draws_it(self):
        images = sorted(path for path in REFERENCE.rglob("*") if path.suffix in IMAGES)
        self.assertTrue(images)
        self.assertEqual([str(image) for image in images if not says_who_draws(page_of(image).read_text(encoding="utf-8"), image.name)], [])

    def test_an_image_that_is_only_shown_has_no_command(self):
        shown = "![Speed](speed.png)\n"
        for page in (shown, f"hogwild report DIR\n\n{shown}", f"{shown}\nspeed.png is of the runs above.\n"):
            self.assertFalse(says_who_draws(page, "speed.png"), page)
        for said in ("speed.png is drawn by `hogwild report DIR`.", "It draws speed.png:\n\n    hogwild report DIR"):
            self.assertTrue(says_who_draws(f"{shown}\n{said}\n", "speed.png"), said)


if __name__ == "__main__":
    unittest.main()
