"""Every test that is skipped says why, and what would run it: `skipped: WHY; to run it: WHAT`."""

import os
import re
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
SAYS = re.compile(r"\b(MESSAGE|print|skipTest|SkipTest|skipUnless|skipIf)\(")
FORM = re.compile(r"skipped: .*; to run it: ", re.DOTALL)


def inside(text, begin):
    """What stands between the parenthesis before `begin` and its match."""
    depth = 1
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[begin:at]
    return text[begin:]


def faults(text):
    for call in SAYS.finditer(text):
        said = inside(text, call.end())
        if ("skip" in call[1].lower() or "skipped: " in said) and not FORM.search(said):
            yield f"line {text.count(chr(10), 0, call.start()) + 1}: {' '.join(said.split())}"


class Skips(unittest.TestCase):
    def test_whoever_skips_says_what_would_run_it(self):
        seen = 0
        for path in sorted((ROOT / "tests").rglob("*")):
            if path.suffix in {".py", ".cpp", ".h", ".cu"} and path.name != Path(__file__).name:
                text = path.read_text(encoding="utf-8")
                seen += text.count("to run it: ")
                self.assertEqual(list(faults(text)), [], path.relative_to(ROOT))
        self.assertGreater(seen, 40)

    def test_what_is_wrong_is_named(self):
        self.assertEqual(list(faults('MESSAGE("skipped: no x (" << y << ")");')), ['line 1: "skipped: no x (" << y << ")"'])
        self.assertEqual(list(faults('\nself.skipTest("no x")')), ['line 2: "no x"'])
        self.assertEqual(list(faults('MESSAGE("skipped: no x (" << y << "); to run it: " << z);\nMESSAGE(a);\nprint(b)')), [])


if __name__ == "__main__":
    unittest.main()
