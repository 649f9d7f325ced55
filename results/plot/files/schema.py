"""results/schema.json: which columns a table has, which of them a file may lack, and what a lacking one means.

`version` is what the program writes today. A file of an older version is read as it lies: columns by their names, those
that it lacks by their defaults.
"""

import functools
import json
from pathlib import Path

UNNAMED = 1  # version of files that name none
FIRST_NAMED = 2  # the first version that files name


TYPES = {"text": "string", "count": "integer", "real": "number"}
RESULTS = Path(__file__).resolve().parents[2]


@functools.lru_cache(maxsize=None)
def load():
    schema, listed = (json.loads((RESULTS / name).read_text(encoding="utf-8")) for name in ("schema.json", "axes.json"))
    row = schema["$defs"]["summary_row"]
    row["properties"] = with_new_columns(row["properties"], listed)
    return schema


def with_new_columns(described, listed):
    """The columns of `hogwild schema`, in their order: as schema.json describes them, else as the program does."""
    kinds = {each["name"]: each["kind"] for part in ("axes", "parameters", "measured") for each in listed[part]}
    new = {name: {"type": [TYPES[kinds[name]], "null"], "default": None, "since": listed["version"]}
           for name in listed["columns"] if name not in described}
    return {name: described.get(name) or new[name] for name in listed["columns"]} | described


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
