"""A header that lacks an include is named, wherever it stands among those that include each other; chains hold every header once."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import headers

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Chains(unittest.TestCase):
    def test_each_header_once_after_one_that_it_includes(self):
        tree = [file.relative_to(ROOT).as_posix() for floor in ("kernels", "engine", "experiments", "tests") for file in (ROOT / floor).rglob("*.h")]
        included = headers.brought_in(ROOT)
        found = headers.chains(tree, included)
        self.assertEqual(sorted(sum(found, [])), sorted(tree))
        self.assertLess(len(found), len(tree))
        for chain in found:
            for before, after in zip(chain, chain[1:]):
                self.assertIn(before, included(after))

    def test_as_few_as_can_be(self):
        # None of d, e, y and z includes another. That b was to come before d has to be taken back for c, which e does not include.
        above = {"a": "", "b": "a", "c": "a", "d": "abc", "e": "ab", "x": "", "y": "x", "z": "x"}
        self.assertEqual(len(headers.chains(list(above), lambda header: frozenset(above[header]))), 4)

    def test_the_dearest_are_never_last(self):
        # One of two can go before `top`: the one that includes more.
        above = {"one": ["std"], "two": ["std", "more"], "top": ["one", "two", "std", "more"]}
        self.assertEqual(headers.chains(list(above), lambda header: frozenset(above[header])), [["two", "top"], ["one"]])


class Planted(unittest.TestCase):
    """A folder of three headers, each of which includes the one before it, checked by the compiler."""

    GOOD = {
        "a.h": "#pragma once\nusing A = int;\n",
        "b.h": '#pragma once\n#include "a.h"\nusing B = A;\n',
        "c.h": '#pragma once\n#include "b.h"\nusing C = B;\n',
    }

    def broken(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (self.GOOD | {f"{stem}.h": text for stem, text in changed.items()}).items():
                pathlib.Path(folder, name).write_text(text)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                units, broken = headers.check({f"c++ -I{folder} -x c++": list(self.GOOD)}, headers.brought_in(pathlib.Path(folder)), 1)
        self.assertEqual("error:" in said.getvalue(), bool(broken))
        return units, broken

    def test_nothing_planted_is_one_unit(self):
        self.assertEqual(self.broken(), (1, []))

    def test_first(self):
        self.assertEqual(self.broken(a="#pragma once\nusing A = std::size_t;\n"), (1, ["a.h", "b.h", "c.h"]))

    def test_between(self):
        self.assertEqual(self.broken(b="#pragma once\nusing B = A;\n")[1], ["b.h", "c.h"])

    def test_last(self):
        self.assertEqual(self.broken(c='#pragma once\n#include "a.h"\nusing C = B;\n')[1], ["c.h"])

    def test_used_before_it_is_included(self):
        self.assertEqual(self.broken(c='#pragma once\nusing C = B;\n#include "b.h"\n')[1], ["c.h"])

    def test_included_on_a_condition(self):
        self.assertEqual(self.broken(c='#pragma once\n#ifdef UNHEARD\n#include "b.h"\n#endif\nusing C = B;\n')[1], ["c.h"])


if __name__ == "__main__":
    unittest.main()
