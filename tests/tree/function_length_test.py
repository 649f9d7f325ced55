#!/usr/bin/env python3
"""No function of C++ has more than 60 lines, from its name to its last brace, but for kernels and functions that are a table.

A function of a table says so: `table:` and why stand in a comment on its first line. Test cases are functions too.
"""

import os
import re
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FLOORS = ("engine", "experiments", "tests")  # kernels/ has bodies for each instruction set
SOURCES = {".h", ".cpp"}
MOST_LINES = 60
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                     re.DOTALL | re.MULTILINE)
NEXT = re.compile(r"\s*(\S?)")
MEMBERS = re.compile(r"\)\s*(?:noexcept)?\s*:\s*\w")
SCOPES = re.compile(r"\b(namespace|struct|class|union|enum|extern)\b")


def without_text(code):
    """The code with blanks for comments, strings and the preprocessor's lines; line ends stay."""
    return NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), code)


def head_of(code, brace):
    """What stands before a brace since the last statement or block, and where it begins."""
    begin, depth = brace, 0
    while begin > 0:
        char = code[begin - 1]
        depth += (char == ")") - (char == "(")
        if depth <= 0 and char in ";{}":
            break
        begin -= 1
    head = code[begin:brace]
    return re.sub(r"^(\s*(public|private|protected)\s*:(?!:))+", "", head), begin + len(head) - len(head.lstrip())


def end_of(code, brace):
    depth = 0
    for at in range(brace, len(code)):
        depth += (code[at] == "{") - (code[at] == "}")
        if depth == 0:
            return at
    return len(code) - 1


def functions(text):
    """(line, lines, head) of each function that no other function holds."""
    code, at = without_text(text), 0
    while (at := code.find("{", at)) >= 0:
        head, begin = head_of(code, at)
        scope = SCOPES.search(re.sub(r"\btemplate\s*<[^{]*?>\s*(?=\w)", "", head)) and not re.search(r"\)\s*(const|noexcept|override|->.*)?\s*$", head)
        end = end_of(code, at)
        while MEMBERS.search(head) and NEXT.match(code, end + 1)[1] in ("{", ","):  # made before the constructor's body
            brace = code.find("{", end + 1)
            if brace < 0:
                break
            end = end_of(code, brace)
        if scope and "=" not in head.split("{")[0]:
            at += 1  # what it holds is looked at
            continue
        if "(" in head and not re.search(r"(?<![=!<>])=(?!=)", re.sub(r"\boperator\s*\S+|\([^()]*\)", "", head)):
            first, last = code.count("\n", 0, begin) + 1, code.count("\n", 0, end) + 1
            yield first, last - first + 1, " ".join(text[begin:at].split())
        at = end + 1


def too_long(path, text):
    lines = text.splitlines()
    for line, count, head in functions(text):
        if count > MOST_LINES and "// table: " not in lines[line - 1]:
            yield f"{path}:{line}: {count} lines (at most {MOST_LINES}): {head[:80]}"


def sources():
    return [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*")) if path.suffix in SOURCES]


LONG = "    f();\n" * MOST_LINES


class FunctionLength(unittest.TestCase):
    def test_no_function_is_longer_than_a_page(self):
        files = sources()
        self.assertGreater(len(files), 500)
        self.assertEqual([fault for path in files for fault in too_long(path.relative_to(ROOT), path.read_text(encoding="utf-8"))], [])

    def test_a_long_one_is_found_wherever_it_stands(self):
        for before, after in (("void f() {\n", "}\n"), ('TEST_CASE("a {") {\n', "}\n"), ("namespace a {\nstruct B : C {\npublic:\n    int f(int i = 0) const {\n", "}\n};\n}\n"),
                              ("struct A {\n    A() : b_{1} {\n", "}\n};\n"), ("template <class Of>\nauto f(const Of& of) -> int {\n", "}\n"),
                              ("bool operator==(A a, A b) {\n", "}\n"), ("struct A f() {\n", "}\n"), ('TEST_CASE("a" *\n  suite("b")) { // c\n', "}\n")):
            self.assertEqual(len(list(too_long("a.cpp", before + LONG + after))), 1, before)

    def test_tables_and_what_is_none_are_not(self):
        for text in (f"constexpr auto kRows = to_array<Axis>({{\n{LONG}}});\n", f"class A {{\n{LONG}}};\n", "void f() { // table: of names\n" + LONG + "}\n",
                     "void f() {\n" + "    f();\n" * (MOST_LINES - 2) + "}\n", f"/* void f() {{\n{LONG}}} */\n"):
            self.assertEqual(list(too_long("a.cpp", text)), [], text[:40])


if __name__ == "__main__":
    unittest.main()
