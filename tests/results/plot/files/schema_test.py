"""Laws of results/schema.json beside results/axes.json: what both say of an axis is the same."""

import copy
import json
import unittest

import fake_runs
from plot.files import axes
from plot.files.columns import PARTS_OF_MEMORY, memory_of, parts_of_memory

SCHEMA = json.loads((fake_runs.RESULTS / "schema.json").read_text(encoding="utf-8"))


def words_of(axis):
    """What a column may say; a memory's name says its numbers and rounding in files of version 2."""
    return set(axes.listed("memories")) if axis["name"] == "memory" else set(axis["names"])


def columns_of_other_words(schema):
    """Columns of axes whose words the schema lists, and lists otherwise than the program."""
    described = schema["$defs"]["summary_row"]["properties"]
    listed = {axis["name"]: words_of(axis) for axis in axes.LISTED["axes"] if "names" in axis and axis["column"]}
    return [name for name, words in listed.items() if set(described[name].get("enum", words)) - {None} != words]


class Words(unittest.TestCase):
    def test_words_of_an_axis_are_those_of_the_program(self):
        self.assertEqual(columns_of_other_words(SCHEMA), [])

    def test_a_word_too_many_or_too_few_is_found(self):
        described = SCHEMA["$defs"]["summary_row"]["properties"]
        columns = [axis["name"] for axis in axes.LISTED["axes"] if "enum" in described.get(axis["name"], {})]
        self.assertGreater(len(columns), 15)
        for column in columns:
            words = described[column]["enum"]
            for planted in ([*words, "otherwise"], words[1:]):
                schema = copy.deepcopy(SCHEMA)
                schema["$defs"]["summary_row"]["properties"][column]["enum"] = planted
                self.assertEqual(columns_of_other_words(schema), [column])

    def test_every_memory_has_its_own_name_which_says_its_parts(self):
        for each in axes.LISTED["memories"]:
            parts = {column: each[column] for column in ("memory", *PARTS_OF_MEMORY)}
            self.assertEqual(memory_of(parts), each["name"])
            self.assertEqual(parts_of_memory(each["name"]), parts)


if __name__ == "__main__":
    unittest.main()
