"""Laws of `hogwild schema`: what is committed of it is what the program says, and it agrees with the schema of results."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[3]))
PROGRAM = os.environ.get("HOGWILD_PROGRAM")
TRY = "write it anew with `hogwild schema{} > {}`"


def said(*words):
    return subprocess.run([PROGRAM, "schema", *words], capture_output=True, text=True, check=True).stdout


class Schema(unittest.TestCase):
    maxDiff = None

    def test_the_committed_list_of_axes_is_the_programs(self):
        path = "results/axes.json"
        self.assertEqual((ROOT / path).read_text(), said(), TRY.format("", path))

    def test_the_committed_reference_page_is_the_programs(self):
        path = "docs/reference/axes.md"
        self.assertEqual((ROOT / path).read_text(), said("--markdown"), TRY.format(" --markdown", path))

    def test_what_a_line_of_the_page_refers_to_stands_below_it(self):
        page = said("--markdown")
        sent = [line.split("`")[1] for line in page.split("\n") if "see below" in line]
        self.assertEqual(sent, ["--numbers", "--memory"])
        for option in sent:
            self.assertRegex(page, rf"(?m)^{option.removeprefix('--').capitalize()}: \w")

    def test_an_empty_cell_of_the_least_share_has_a_reason(self):
        about = next(each["about"] for each in json.loads(said())["measured"] if each["name"] == "least_share")
        self.assertIn("empty of one thread", about)

    def test_what_the_schema_of_results_describes_is_among_the_columns_in_their_order(self):
        schema = json.loads((ROOT / "results" / "schema.json").read_text())
        listed = json.loads(said())
        described = schema["$defs"]["summary_row"]["properties"]
        self.assertEqual([name for name in listed["columns"] if name in described], list(described))
        self.assertNotIn("version", schema)  # it has one home, which the program prints
        for each in listed["measured"]:
            if each["name"] in described:
                self.assertEqual(each["about"], described[each["name"]].get("description", ""), each["name"])

    def test_every_axis_with_a_column_has_it(self):
        listed = json.loads(said())
        names = {axis["name"] for axis in listed["axes"] if axis["column"]}
        self.assertLessEqual(names, set(listed["columns"]))
        self.assertGreater(len(names), 40)


if __name__ == "__main__":
    if not PROGRAM:
        print("skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
        sys.exit(77)
    unittest.main()
