"""Each floor's README says in 30 lines which folders there are. It lists them from the ground up: none includes from a line below its
own, but for its own subfolders. Of Python, tests/results/imports_test.py holds the same."""

import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FLOORS = ("kernels", "engine", "experiments", "results", "tests")
MOST_LINES = 30
FOLDER = re.compile(r"`([\w.-]+(?:/[\w.-]+)*)/`")
SOURCES = {".h", ".cpp", ".cu", ".cuh"}


def folders(floor):
    """Those of a floor that hold files of ours, but for what machines measured and what tests read."""
    found = {path.parent.relative_to(floor).as_posix() for path in floor.rglob("*") if path.suffix in SOURCES | {".py", ".toml"}}
    return {folder for folder in found if folder != "." and not folder.startswith("reference") and "__pycache__" not in folder}


def heights(lines):
    """{folder: number of the line of the list that names it}."""
    return {folder: number for number, line in enumerate(lines) if line.startswith("|") for folder in FOLDER.findall(line.split("|")[1])}


def includes(floor, folder):
    for path in (floor / folder).iterdir():
        if path.suffix in SOURCES:
            for target in re.findall(rf'(?m)^\s*#\s*include\s*"{floor.name}/([^"]+)/[^"/]+"', path.read_text(encoding="utf-8")):
                yield path.name, target


def faults(floor):
    lines, there = (floor / "README.md").read_text(encoding="utf-8").rstrip().split("\n"), folders(floor)
    if len(lines) > MOST_LINES:
        yield f"{len(lines)} lines (at most {MOST_LINES})"
    named = set(FOLDER.findall("\n".join(lines)))
    yield from (f"{name}: no such folder" for name in sorted(named) if not any((root / name).is_dir() for root in (floor, floor.parent)))
    if floor.name != "tests":  # whose folders mirror the others
        yield from (f"{name}: not named" for name in sorted(there - named))
        height = heights(lines)
        for own in sorted(there & set(height)):
            for name, target in includes(floor, own):
                if height.get(target, 0) > height[own] and not target.startswith(f"{own}/"):
                    yield f"{own}: {name} includes from {target}, whose line is below"


RULE = {"results": "Here a folder imports only from its own subfolders, and from folders of its line or above.", "tests": ""}
ARROW = "Here a folder includes only from its own subfolders, and from folders of its line or above."


class Readmes(unittest.TestCase):
    def test_each_floor_says_what_is_in_it_from_the_ground_up(self):
        for floor in FLOORS:
            self.assertEqual(list(faults(ROOT / floor)), [], floor)
            self.assertIn(RULE.get(floor, ARROW), (ROOT / floor / "README.md").read_text(encoding="utf-8"), "the page says what is held here")

    def test_what_is_wrong_is_named(self):
        with tempfile.TemporaryDirectory() as scratch:
            floor = Path(scratch) / "engine"
            for folder in ("a", "b", "c", "b/d", "c/e"):
                (floor / folder).mkdir(parents=True)
            (floor / "a" / "a.h").write_text('#include "engine/b/b.h"\n#include "engine/run.h"\n')
            (floor / "b" / "b.h").write_text('#include "engine/a/a.h"\n#include "engine/b/d/d.h"\n#include "engine/b/other.h"\n')
            (floor / "b" / "d" / "d.h").write_text('#include "engine/b/b.h"\n')
            (floor / "c" / "c.h").touch()
            (floor / "c" / "e" / "e.h").write_text('#include "engine/c/c.h"\n')
            (floor / "README.md").write_text("# Engine\n| `a/` | x |\n| `b/`, `gone/` | x |\n| `b/d/`, `c/e/` | x |\n| `c/` | x |\n" + 26 * "\n" + "x\n")
            self.assertEqual(list(faults(floor)), ["32 lines (at most 30)", "gone: no such folder", "a: a.h includes from b, whose line is below",
                                                   "c/e: e.h includes from c, whose line is below"])


if __name__ == "__main__":
    unittest.main()
