"""Laws of results/reference: it stays small enough to be cloned by everybody, and no file of it is one that a command makes."""

import unittest
from pathlib import Path

import fake_runs

REFERENCE = fake_runs.RESULTS / "reference"
MOST_BYTES = 15_000_000
MOST_OF_A_FILE = 2_000_000


def sizes(folder):
    return {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def faults(found):
    """What is too large among files, {path: bytes}."""
    total = sum(found.values())
    yield from (f"{path}: {size:,} bytes (at most {MOST_OF_A_FILE:,}); leave out what a command makes, or compress it: gzip -9n"
                for path, size in sorted(found.items()) if size > MOST_OF_A_FILE)
    if total > MOST_BYTES:
        yield f"{total:,} bytes in all (at most {MOST_BYTES:,}); leave out what a command makes"


class ReferenceSize(unittest.TestCase):
    def test_committed_results_are_small(self):
        found = sizes(REFERENCE)
        self.assertTrue(found)
        self.assertEqual(list(faults(found)), [])

    def test_no_report_is_committed(self):
        self.assertEqual([path for path in sizes(REFERENCE) if path.suffix == ".html"], [])

    def test_a_large_file_and_a_large_whole_are_faults(self):
        self.assertEqual(list(faults({Path("a"): MOST_OF_A_FILE})), [])
        self.assertIn("a: 2,000,001 bytes", next(faults({Path("a"): MOST_OF_A_FILE + 1})))
        self.assertIn("15,000,001 bytes in all", next(faults(dict(zip("abcdefgh", [MOST_OF_A_FILE] * 7 + [1_000_001])))))


if __name__ == "__main__":
    unittest.main()
