"""Laws of result files in pandas: read_csv without an option has the numbers as numbers, the words as words, and all rows."""

import contextlib
import csv
import io
import re
import sys
import unittest

from fake_runs import RESULTS
from plot.files.checking import types_of
from plot.files.schema import load, resolve
from plot.files.tables import read_text

try:
    import pandas
except ImportError:
    print("skipped: no pandas; to run it: apt-get install python3-pandas")
    sys.exit(77)

FOLDER = RESULTS / "reference" / "quickstart"
TABLES = {"summary.csv": "summary_row", "verdicts.csv": "verdict_row", "choices.csv": "choice_row", "*/trace.csv": "trace_row"}
ROUNDING = 1e-12  # of pandas' own way from decimals to binary


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class InPandas(unittest.TestCase):
    def tables(self):
        """(where, what pandas reads, the rows as texts, {column: its definition}) of every file."""
        schema = load()
        for pattern, name in TABLES.items():
            paths = sorted(FOLDER.glob(pattern))
            self.assertTrue(paths, pattern)
            known = {column: resolve(of, schema) for column, of in schema["$defs"][name]["properties"].items()}
            for path in paths:
                table = pandas.read_csv(path)
                yield path.relative_to(FOLDER), table, rows_of(path), {column: known[column] for column in table.columns}

    def test_rows_and_columns_are_those_of_the_file(self):
        for where, table, rows, columns in self.tables():
            self.assertEqual(len(table), len(rows), where)
            self.assertEqual(list(table.columns), list(rows[0]), where)

    def test_a_compressed_summary_is_read_as_it_is(self):
        packed = RESULTS / "reference" / "lock-free-wins" / "summary.csv.gz"
        table = pandas.read_csv(packed)
        rows = list(csv.DictReader(io.StringIO(read_text(packed), newline="")))
        self.assertEqual((list(table.columns), list(table["run"])), (list(rows[0]), [row["run"] for row in rows]))

    def test_numbers_are_numbers_and_an_empty_field_is_none(self):
        for where, table, rows, columns in self.tables():
            for column in (name for name, known in columns.items() if {"integer", "number"} & set(types_of(known))):
                values, texts = table[column], [row[column] for row in rows]
                self.assertIn(values.dtype.kind, "iuf", (where, column))
                self.assertEqual(list(values.isna()), [text == "" for text in texts], (where, column))
                if types_of(columns[column]) == ["integer"]:
                    self.assertEqual([str(value) for value in values], texts, (where, column))
                for value, text in zip(values, texts):
                    if text:
                        self.assertAlmostEqual(value, float(text), delta=ROUNDING * abs(float(text)), msg=(where, column))

    def test_words_are_words_and_an_empty_field_is_none(self):
        for where, table, rows, columns in self.tables():
            for column in (name for name, known in columns.items() if not {"integer", "number"} & set(types_of(known))):
                read = ["" if missing else value for value, missing in zip(table[column], table[column].isna())]
                self.assertEqual(read, [row[column] for row in rows], (where, column))

    def test_a_guard_of_none_and_every_name_and_seed_are_kept(self):
        runs = pandas.read_csv(FOLDER / "summary.csv")
        self.assertTrue((runs["guard"] == "none").any())
        self.assertTrue(runs["run"].is_unique)
        self.assertTrue(all((FOLDER / run).is_dir() for run in runs["run"]))
        self.assertEqual(set(runs["seed"]), {1, 2, 3, 4, 5})

    def test_the_code_of_the_readme_runs_and_has_every_run_and_its_trace(self):
        section = (RESULTS.parent / "docs/reference/result-files.md").read_text(encoding="utf-8").partition("\n## In pandas\n")[2].partition("\n## ")[0]
        code, = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
        self.assertIn('"DIR"', code)
        said, names = io.StringIO(), {}
        with contextlib.redirect_stdout(said):
            exec(code.replace('"DIR"', repr(str(FOLDER))), names)
        rows = rows_of(FOLDER / "summary.csv")
        self.assertEqual(list(names["runs"]["run"]), [row["run"] for row in rows])
        self.assertEqual(list(names["runs"]["threads"]), [int(row["threads"] or 1) for row in rows])
        counts = names["traces"].groupby("run").size()
        self.assertEqual(dict(counts), {row["run"]: len(rows_of(FOLDER / row["run"] / "trace.csv")) for row in rows})
        printed = said.getvalue()
        self.assertIn("inf", printed)
        self.assertIn("none", printed)


if __name__ == "__main__":
    unittest.main()
