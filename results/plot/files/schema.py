"""results/schema.json: which columns a table has, which of them a file may lack, and what a lacking one means.

Of an axis it says what the program does not: what the column means, its `default`, since when it is there. It says whether the column may
be `empty`. Types, words and ranges are those of results/axes.json, which `hogwild schema` prints. A column's own `pattern` stands for
words. Which axes there are stands in axes.json alone: (axes) in the columns of another table means all of summary_row's. So do the names of
statuses and devices: `listed` means those of a part. `version`, which axes.json says too, is what the program writes today. A file of an
older version is read as it lies: columns by their names, those that it lacks by their defaults.
"""

import functools
import json
import sys
from pathlib import Path

UNNAMED = 1  # version of files that name none
FIRST_NAMED = 2  # the first version that files name
AXES = "(axes)"  # in a table's columns: here stand those of what a run was asked for

TYPES = {"text": "string", "count": "integer", "real": "number"}
RESULTS = Path(__file__).resolve().parents[2]


@functools.lru_cache(maxsize=None)
def load():
    return filled(*(json.loads((RESULTS / name).read_text(encoding="utf-8")) for name in ("schema.json", "axes.json")))


def filled(schema, listed):
    """What schema.json says, with what axes.json says."""
    schema = with_words(schema, listed)
    schema["version"] = listed["version"]
    definitions = schema["$defs"]
    row = definitions["summary_row"]
    row["properties"] = with_what_is_listed(row["properties"], listed)
    for table in (definitions["verdict_row"], definitions["choice_row"], definitions["manifest"]["properties"]["plan"]):
        table["properties"] = with_axes(table["properties"], listed)
    return schema


def with_words(part, listed):
    """A copy of a part of the schema: `listed` has become an enum, and {axis} in a pattern the axis's words."""
    if isinstance(part, list):
        return [with_words(each, listed) for each in part]
    if not isinstance(part, dict):
        return part
    found = {word: with_words(value, listed) for word, value in part.items() if word != "listed"}
    if "listed" in part:
        found["enum"] = [row["name"] for name, alternatives in part["listed"].items() for row in listed[name]
                         if any(wanted.items() <= row.items() for wanted in alternatives)]
    if isinstance(part.get("pattern"), str):
        for axis in listed["axes"]:
            if f"{{{axis['name']}}}" in found["pattern"]:
                found["pattern"] = found["pattern"].replace(f"{{{axis['name']}}}", "|".join(axis["names"]))
    return found


def with_axes(described, listed):
    """The columns of a table in which (axes) stands for those of summary_row. An axis that the table describes itself is joined."""
    rows = {row["name"]: row for part in ("parameters", "axes") for row in listed[part]}
    found = {}
    for name, own in described.items():
        if name == AXES:
            found |= {axis: {"$ref": f"#/$defs/summary_row/properties/{axis}"} for axis in listed["columns"]
                      if (axis == "data" or rows.get(axis, {}).get("column", axis in rows)) and axis not in {*own["without"], *described}}
        else:
            found[name] = joined(own, rows[name], listed) if name in rows and "$ref" not in own else own
    return found


def with_what_is_listed(described, listed):
    """The columns of `hogwild schema`, in their order: as schema.json describes them, else as the program does."""
    rows = {each["name"]: each for part in ("measured", "parameters", "axes") for each in listed[part]}
    asked = {each["name"] for part in ("parameters", "axes") for each in listed[part] if each.get("column", True)}
    found = {}
    for name in listed["columns"]:
        own = described.get(name) or {"empty": True, "default": None, "since": listed["version"]}
        found[name] = joined(own, rows[name], listed) if name in asked or name not in described else own
    return found | {name: own for name, own in described.items() if name not in found}


def joined(own, row, listed):
    """A column in JSON Schema: what schema.json says of it, and what the program's row does."""
    empty, own = own.get("empty", False), {word: value for word, value in own.items() if word != "empty"}
    words = [each["name"] for each in listed["memories"]] if row["name"] == "memory" else row.get("names")  # names of version 2
    if words and "pattern" not in own:
        return {**own, "enum": [*words, *[None] * empty]}
    return {**own, "type": [TYPES[row["kind"]], "null"] if empty else TYPES[row["kind"]], **limits(row), **own}


def limits(row):
    """Keywords of the program's range; whole numbers are never below 0."""
    least, most = row.get("least"), row.get("most")
    least = 0 if least is None and row["kind"] == "count" else least
    found = {} if least is None else {"exclusiveMinimum" if row.get("open") == "least" else "minimum": plain(least)}
    if most is not None and most < sys.float_info.max:
        found["exclusiveMaximum" if row.get("open") == "most" else "maximum"] = plain(most)
    return found


def plain(value):
    return int(value) if float(value).is_integer() else value


def resolve(schema, document):
    """What `schema` refers to in `document`; itself where it refers to nothing."""
    while "$ref" in schema:
        target = document
        for key in schema["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        schema = target
    return schema


def columns(name, schema=None):
    """Every column of a table, in the order of the header. `name`: its definition, such as summary_row."""
    return tuple((schema or load())["$defs"][name]["properties"])


def needed(name, version, schema=None):
    """The columns that every file of a version has."""
    schema = schema or load()
    row = schema["$defs"][name]
    return tuple(column for column, described in row["properties"].items()
                 if column in row["required"] or version >= resolve(described, schema).get("since", FIRST_NAMED))


def text_of(value):
    """A value of the schema as a field of a table."""
    return "" if value is None else str(value)


def defaults(name, schema=None):
    """{column: text} of the columns that a file may lack."""
    schema = schema or load()
    row = schema["$defs"][name]
    return {column: text_of(resolve(described, schema)["default"]) for column, described in row["properties"].items()
            if column not in row["required"]}
