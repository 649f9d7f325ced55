"""Every path of this repository that a page names in code exists; a part in capitals, as NAME in engine/schemes/NAME.cpp, stands for any."""

import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
PAGES = ("CONTRIBUTING.md", "README.md", *sorted(page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")))
TOP = ("kernels", "engine", "experiments", "results", "tests", ".ci")
SOURCE = re.compile(r"[\w.*-]+\.(?:h|cpp|cu|cuh|py|cmake)")
CODE = re.compile(r"(?s)(```+).*?\1|`[^`]*`")
EXAMPLES = ("kernels/problems/smooth_hinge.h", "kernels/network/layers/absolute.h", "kernels/updates/release.h")  # that CONTRIBUTING.md writes out
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
        if word not in EXAMPLES and not word.startswith(("build/", "/", "~", "..")) and not exists(word, page, root):
            yield f"{page.relative_to(root)}:{line}: {word}"


def strangers(page, root):
    """`PAGE: NAME of PATH` of each name that the file which it is said to be of does not have."""
    for name, word in re.findall(r"`(\w+)`\s+(?:in|of)\s+`([^`\s]+)`", page.read_text(encoding="utf-8")):
        path = next((folder / word for folder in (root, page.parent) if (folder / word).is_file()), None)
        if path and not re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")):
            yield f"{page.relative_to(root)}: {name} of {word}"


class Paths(unittest.TestCase):
    def test_every_path_that_a_page_names_exists(self):
        for page in PAGES:
            self.assertEqual(list(missing(ROOT / page, ROOT)), [])

    def test_what_a_page_says_to_stand_in_a_file_does(self):
        for page in PAGES:
            self.assertEqual(list(strangers(ROOT / page, ROOT)), [])

    def test_a_name_that_a_file_does_not_have_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "page.md").write_text("`Here` of `a.h`, `gone` of `a.h`, `Her` in\n`a.h`, `x` of `what`\n")
            (root / "a.h").write_text("struct Here;\n")
            self.assertEqual(list(strangers(root / "page.md", root)), ["page.md: gone of a.h", "page.md: Her of a.h"])

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
