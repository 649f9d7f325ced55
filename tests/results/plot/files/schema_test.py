"""Laws of results/schema.json beside results/axes.json: what the program says of an axis is said once, and holds of files."""

import copy
import json
import sys
import unittest

import fake_runs  # which knows where results/ lies
import checked_files
from plot.files import axes, checking, schema
from plot.files.columns import PARTS_OF_MEMORY, memory_of, parts_of_memory

SCHEMA = json.loads((fake_runs.RESULTS / "schema.json").read_text(encoding="utf-8"))
JOINED = schema.load()
ROWS = [row for part in ("axes", "parameters") for row in axes.LISTED[part] if row.get("column", True)]
OWN_WORDS = {"description", "default", "since", "empty", "pattern"}
LOWER, UPPER = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")


def narrower(own, limits):
    """Whether each of a column's limits lies within the program's, and is not the program's own."""
    end = lambda word, value, sign: (sign * value, word.startswith("exclusive"))
    return all(end(word, own[word], sign) > max((end(other, limits[other], sign) for other in words if other in limits),
                                                default=(-float("inf"), False))
               for words, sign in ((LOWER, 1), (UPPER, -1)) for word in words if word in own)


def second_copies(described):
    """Columns of which schema.json says what the program says: their type, their words, a limit that is no narrower."""
    found = []
    for row in ROWS:
        own = described["$defs"]["summary_row"]["properties"].get(row["name"], {})
        if set(own) - OWN_WORDS - {*LOWER, *UPPER} or not narrower(own, schema.limits(row)):
            found.append(row["name"])
    return found


def refused(column, value):
    described = JOINED["$defs"]["summary_row"]["properties"][column]
    return bool(list(checking.violations(value, described, JOINED)))


class Axes(unittest.TestCase):
    def test_what_the_program_says_of_an_axis_stands_in_its_list_alone(self):
        self.assertEqual(second_copies(SCHEMA), [])

    def test_a_second_copy_is_found_also_where_it_differs(self):
        for row in ROWS:
            for planted in ({"type": "integer"}, {"enum": ["one", "two"]}, {"minimum": -1}, schema.limits(row)):
                described = copy.deepcopy(SCHEMA)
                described["$defs"]["summary_row"]["properties"].setdefault(row["name"], {}).update(planted)
                if planted and row["kind"] != "text":
                    self.assertEqual(second_copies(described), [row["name"]], planted)

    def test_words_of_a_column_are_those_of_the_program(self):
        for row in ROWS:
            described = JOINED["$defs"]["summary_row"]["properties"][row["name"]]
            for word in row.get("names", ()):
                self.assertFalse(refused(row["name"], word), (row["name"], word))
            if "names" in row and "pattern" not in described:
                self.assertTrue(refused(row["name"], "otherwise"), row["name"])

    def test_a_number_lies_within_the_program_s_range(self):
        limited = [row for row in ROWS if row.get("most") is not None and row["most"] < sys.float_info.max]
        self.assertLessEqual({"delay", "exchange_doublings", "threads", "cluster", "streams", "blocks", "coupling", "epochs"},
                             {row["name"] for row in limited})
        for row in limited:
            name, whole = row["name"], row["kind"] == "count"
            most, least = (int(row[end]) if whole else row[end] for end in ("most", "least"))
            self.assertTrue(refused(name, most + 1), name)
            self.assertTrue(refused(name, least - 1), name)
            self.assertEqual(refused(name, most), row.get("open") == "most", name)
            self.assertEqual(refused(name, least), row.get("open") == "least", name)

    def test_a_whole_number_of_the_program_is_one_in_files(self):
        for row in ROWS:
            if row["kind"] == "count":
                self.assertTrue(refused(row["name"], 1.5), row["name"])

    def test_a_column_is_empty_only_where_it_may_be(self):
        described = SCHEMA["$defs"]["summary_row"]["properties"]
        for row in ROWS:
            if row["name"] in described:
                self.assertEqual(refused(row["name"], None), not described[row["name"]].get("empty", False), row["name"])


def planted_axis():
    """axes.json of a program that has an axis more, step_floor, of which schema.json says nothing."""
    listed = copy.deepcopy(axes.LISTED)
    listed["version"] += 1
    decay = next(row for row in listed["axes"] if row["name"] == "decay")
    listed["axes"].append({**decay, "name": "step_floor", "least": 0, "most": 1, "open": ""})
    listed["columns"].insert(listed["columns"].index("decay") + 1, "step_floor")
    return listed


def as_lists(part):
    """The lists of texts in a part of schema.json, but for `required`, which never changes."""
    if isinstance(part, dict):
        yield list(part.get("properties", ()))
        yield from (found for word, value in part.items() if word != "required" for found in as_lists(value))
    elif isinstance(part, list):
        yield [each for each in part if isinstance(each, str)]


class AnAxisMore(unittest.TestCase):
    def test_it_is_a_column_of_every_table_that_has_axes(self):
        later = schema.filled(SCHEMA, planted_axis())
        for name in ("summary_row", "verdict_row", "choice_row"):
            known = schema.columns(name, later)
            self.assertEqual(known[known.index("decay") + 1], "step_floor", name)
            self.assertEqual([column for column in known if column != "step_floor"], list(schema.columns(name)))
            header = [column for column in known if column in schema.needed(name, later["version"], later)]
            self.assertEqual(list(checked_files.header_violations("a.csv", header, name, later, later["version"])), [])
            self.assertEqual(schema.defaults(name, later)["step_floor"], "")

    def test_a_plan_has_it_within_its_range(self):
        later = schema.filled(SCHEMA, planted_axis())
        plan = later["$defs"]["manifest"]["properties"]["plan"]["properties"]
        self.assertEqual(list(checking.violations(0.5, plan["step_floor"], later)), [])
        self.assertNotEqual(list(checking.violations(2, plan["step_floor"], later)), [])
        self.assertTrue({"l1", "hot_updates", "seed", "network"} <= set(plan))

    def test_no_table_but_summary_csv_lists_axes(self):
        names = {row["name"] for row in ROWS}
        lists = [found for name, part in SCHEMA["$defs"].items() if name != "summary_row" for found in as_lists(part)]
        self.assertEqual([found for found in lists if len(names & set(found)) > 3], [])


class Words(unittest.TestCase):
    def test_statuses_and_devices_are_listed_by_the_program_alone(self):
        names = [set(axes.listed(part)) for part in ("statuses", "devices", "problems", "schemes")]
        names += [set(row["names"]) for row in ROWS if "names" in row]
        self.assertEqual([found for found in as_lists(SCHEMA) if any(len(set(found) & each) > 1 for each in names)], [])

    def test_layers_have_the_policies_of_the_program(self):
        for policy in axes.names_of("update"):
            self.assertFalse(refused("layer_update", f"1={policy}+3={policy}"), policy)
        self.assertTrue(refused("layer_update", "1=otherwise"))

    def test_statuses_and_devices_are_those_of_the_program(self):
        definitions = JOINED["$defs"]
        self.assertEqual(definitions["summary_row"]["properties"]["status"]["enum"], list(axes.listed("statuses")))
        self.assertEqual(definitions["ended"]["properties"]["status"]["enum"], list(axes.listed("statuses", interrupted=False)))
        for name in ("staleness_row", "layer_staleness_row", "batches_row"):
            self.assertEqual(definitions[name]["properties"]["device"]["enum"], list(axes.SIDES))

    def test_every_memory_has_its_own_name_which_says_its_parts(self):
        for each in axes.LISTED["memories"]:
            parts = {column: each[column] for column in ("memory", *PARTS_OF_MEMORY)}
            self.assertEqual(memory_of(parts), each["name"])
            self.assertEqual(parts_of_memory(each["name"]), parts)
            self.assertFalse(refused("memory", each["name"]))


if __name__ == "__main__":
    unittest.main()
