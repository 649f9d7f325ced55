"""Every relative link of every page (*.md) leads to a file of the tree, and its anchor to a heading there."""

import os
import re
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
NO_PAGES = re.compile(r"^(build.*|hogwild-out|\..*)$")  # folders of the root that hold none of ours
FENCE = re.compile(r"^( *)(```+|~~~+).*?^ *\2[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\s*\)|\b(?:src|href)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def pages(root):
    own = [entry for entry in root.iterdir() if not NO_PAGES.match(entry.name)]
    return sorted(page for entry in own for page in (entry.rglob("*.md") if entry.is_dir() else [entry]) if page.suffix == ".md")


def blank(match):
    """As many lines as the match has, without its text."""
    return "\n" * match.group().count("\n")


def anchors(text):
    """What GitHub calls the headings of a page: letters, digits, hyphens and underscores; a second one of a name gets a number."""
    found, seen = set(), {}
    for heading in HEADING.findall(FENCE.sub(blank, text)):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def broken(page, root):
    """Yields `PAGE:LINE: what (why)` of each link that leads nowhere."""
    text = CODE.sub(blank, FENCE.sub(blank, page.read_text(encoding="utf-8")))
    for match in LINK.finditer(text):
        link = match.group(1) or match.group(2)
        if ELSEWHERE.match(link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = (page.parent / name).resolve() if name else page
        place = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}: {link}"
        if not target.exists():
            yield f"{place} (no such file)"
        elif root.resolve() not in (target, *target.parents):
            yield f"{place} (it leads out of the tree)"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"{place} (no such heading)"


class Links(unittest.TestCase):
    def test_every_link_of_every_page_resolves(self):
        found = pages(ROOT)
        self.assertIn(ROOT / "README.md", found)
        self.assertEqual([fault for page in found for fault in broken(page, ROOT)], [])

    def test_a_link_that_leads_nowhere_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "other.md").write_text("# A heading: `code`, and more\n```\n# no heading\n```\n## Twice\n## Twice\n")
            (root / "page.md").write_text(
                "# Page\n[gone](gone.html) and\n![a\nfigure](gone.png)\n[b](other.md#no-heading)\n[c](#nowhere)\n[d](../..)\n"
                "[e](other.md) [f](other.md#a-heading-code-and-more) [g](#page) [h](other.md#twice-1) [i](https://example.org/x.md)\n"
                "`[j](gone)`\n```\n[k](gone)\n```\n<img src=\"gone.svg\">\n")
            self.assertEqual(list(broken(root / "page.md", root)), [
                "page.md:2: gone.html (no such file)", "page.md:4: gone.png (no such file)", "page.md:5: other.md#no-heading (no such heading)",
                "page.md:6: #nowhere (no such heading)", "page.md:7: ../.. (it leads out of the tree)", "page.md:13: gone.svg (no such file)"])


if __name__ == "__main__":
    unittest.main()
