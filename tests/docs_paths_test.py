"""Every path of this repository that a page names in code exists; a part in capitals, as NAME in engine/schemes/NAME.cpp, stands for any."""

import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[1]))
PAGES = ("CONTRIBUTING.md", "README.md", "results/README.md")
TOP = ("kernels", "engine", "experiments", "results", "tests", ".ci")
SOURCE = re.compile(r"[\w.*-]+\.(?:h|cpp|cu|cuh|py|cmake)")
CODE = re.compile(r"(?s)(```+).*?\1|`[^`]*`")
ANY = re.compile(r"(?<![A-Za-z])[A-Z][A-Z0-9]*(?![A-Za-z])")


def paths(text):
    """(line, word) of every word in code that looks like a path of this repository, or like the name of a source."""
    for code in CODE.finditer(text):
        for found in re.finditer(r"[^\s`\"'()<>,;:=]+", code.group()):
            word = found.group().removeprefix("./").rstrip(".")
            if word.split("/")[0] in TOP and "/" in word or SOURCE.fullmatch(word.split("/")[-1]):
                yield text.count("\n", 0, code.start() + found.start()) + 1, word


def exists(word, page, root):
    """Whether it lies below the root, beside the page or, a mere name of a source, anywhere."""
    name = ANY.sub("*", word.rstrip("/"))
    if "/" not in word:
        return any(any((root / top).rglob(name)) for top in TOP)
    return any(any(folder.glob(name)) for folder in (root, page.parent))


def missing(page, root):
    """`PAGE:LINE: PATH` of each that does not exist. What a build, a run or an installation makes is none of this repository."""
    for line, word in paths(page.read_text(encoding="utf-8")):
        if not word.startswith(("build/", "/", "~", "..")) and not exists(word, page, root):
            yield f"{page.relative_to(root)}:{line}: {word}"


class Paths(unittest.TestCase):
    def test_every_path_that_a_page_names_exists(self):
        for page in PAGES:
            self.assertEqual(list(missing(ROOT / page, ROOT)), [])

    def test_a_path_that_does_not_exist_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "engine" / "plan").mkdir(parents=True)
            (root / "engine" / "plan" / "plan.h").touch()
            (root / "page.md").write_text(
                "`engine/plan/plan.h`, `engine/plan`, `engine/plan/NAME.h`, `plan.h`, engine/none.h, `/usr/bin/x.py`, `a word`\n"
                "`engine/plan/none.h` and `none.cpp`\n```\npython3 engine/none.py --engine/x\n./engine/plan/*.h\n```\n`engine/NAME/plan.cpp`\n")
            self.assertEqual(list(missing(root / "page.md", root)), [
                "page.md:2: engine/plan/none.h", "page.md:2: none.cpp", "page.md:4: engine/none.py", "page.md:7: engine/NAME/plan.cpp"])


if __name__ == "__main__":
    unittest.main()
