"""One arrow among the folders of results/: each imports from itself and from those below it. None holds more files than one sees at once."""

import ast
import unittest
from pathlib import Path

from fake_runs import RESULTS

# From the ground up. Folders of one floor do not know each other; "": the scripts of results/ itself.
FLOORS = [("cells",), ("plot.files",), ("plot.style",), ("plot.estimates",), ("plot.figures",), ("plot",), ("report", "export"), ("",)]
PLACES = {place: height for height, floor in enumerate(FLOORS) for place in floor}
MOST_FILES = 25


def place_of(module):
    """`plot.style` of `plot.style.canvas`, `plot` of `plot.plot`; nothing for a script of results/ itself."""
    return max((place for place in PLACES if f"{module}.".startswith(f"{place}.")), key=len, default="")


def imported(text):
    """Names of all modules that a source imports, wherever it does."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def offences(sources):
    """`MODULE: import of NAME (why)` of every import that goes up, or aside; `sources`: {module: text}."""
    ours = {module.split(".")[0] for module in sources}
    for module, text in sorted(sources.items()):
        own = place_of(module)
        for name in imported(text):
            target = place_of(name)
            if name.split(".")[0] in ours and target != own and PLACES[target] >= PLACES[own]:
                yield f"{module}: import of {name} ({target or 'results'} does not lie below {own or 'results'})"


class Imports(unittest.TestCase):
    def test_no_import_goes_up(self):
        paths = [path for path in RESULTS.rglob("*.py") if not path.is_symlink() and "reference" not in path.parts]
        names = [path.relative_to(RESULTS).with_suffix("") for path in paths]
        sources = {".".join(name.parts): path.read_text(encoding="utf-8") for name, path in zip(names, paths)}
        self.assertIn("plot.figures.convergence", sources)
        self.assertEqual(list(offences(sources)), [])

    def test_an_import_that_goes_up_or_aside_is_named(self):
        below = {"plot.files.errors": "", "plot.style.looks": "", "report.page": "", "validate": "import math\n"}
        for module, text in (("plot.files.a", "from plot.style import looks\n"), ("plot.style.a", "def f():\n    from plot.figures.wins import x\n"),
                             ("plot.figures.a", "from plot import plot\n"), ("export.a", "from report import page\n"), ("plot.a", "import validate\n")):
            self.assertEqual(len(list(offences({**below, module: text}))), 1, module)
        for module, text in (("plot.style.a", "from plot.files.errors import Missing\nfrom plot.style import looks\nimport statistics\n"),
                             ("report.a", "from report import page\nfrom plot import plot\n"), ("a", "import validate\nfrom export import export\n")):
            self.assertEqual(list(offences({**below, module: text})), [])

    def test_no_folder_holds_more_files_than_one_sees_at_once(self):
        for root in (RESULTS, Path(__file__).parent):
            for folder in [root, *(path for path in root.rglob("*") if path.is_dir() and not {"reference", "__pycache__"} & set(path.parts))]:
                self.assertLessEqual(sum(path.is_file() for path in folder.iterdir()), MOST_FILES, folder)


if __name__ == "__main__":
    unittest.main()
