"""One file against its definition in schema.json: CSV tables, JSON, and text of other forms that is brought into JSON's.

Every check yields violations, each as `file:line: what (why); what to try`.
"""

import json
import re
from pathlib import Path

from checking import resolve, types_of, violations
from plot.errors import ResultsError
from plot.tables import read_table, read_text

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")  # Python alone would read 1_0 and nan as numbers too
ADVICE = "see results/schema.json, and run it again if the file was edited"


def load_schema():
    return json.loads((Path(__file__).resolve().parent / "schema.json").read_text(encoding="utf-8"))


def typed(text, schema):
    """A field as a JSON value: empty is null; what cannot be converted stays a string, which the schema refuses."""
    if text == "":
        return None
    if not NUMBER.fullmatch(text):
        return text
    types = types_of(schema)
    for name, convert in (("integer", int), ("number", float)):
        if name in types:
            try:
                return convert(text)
            except ValueError:
                return text
    return text


def describe(place, where, value, why):
    shown = "empty" if value is None else repr(value) if isinstance(value, str) else str(value)
    return f"{place}: {where + ' ' if where else ''}{shown} ({why}); {ADVICE}"


def check_value(place, value, name, schema):
    for where, found, why in violations(value, schema["$defs"][name], schema):
        yield describe(place, where, found, why)


def check_table(path, name, schema, rows):
    """Of a CSV file; appends its rows, as (line, JSON values), to `rows`."""
    row_schema = schema["$defs"][name]
    try:
        table = read_table(path)
    except ResultsError as error:
        yield str(error)
        return
    if table.header != row_schema["required"]:
        differing = next((pair for pair in zip(table.header, row_schema["required"]) if pair[0] != pair[1]), None)
        what = (f"column '{differing[0]}' stands where '{differing[1]}' belongs" if differing
                else f"{len(table.header)} columns instead of {len(row_schema['required'])}")
        yield f"{path}:1: {what} (the header is fixed); {ADVICE}"
        return
    if table.torn:
        yield table.torn
    for line, fields in table.rows:
        row = {name: typed(text, resolve(row_schema["properties"][name], schema)) for name, text in fields.items()}
        rows.append((line, row))
        for where, value, why in violations(row, row_schema, schema):
            yield describe(f"{path}:{line}", where, value, why)


def check_json(path, name, schema, found):
    """Of a JSON file; appends what it holds to `found` when nothing is wrong."""
    try:
        value = json.loads(read_text(path))
    except ResultsError as error:
        yield str(error)
        return
    except ValueError as error:
        yield f"{path}: not JSON ({error}); {ADVICE}"
        return
    wrong = list(check_value(path, value, name, schema))
    yield from wrong
    if not wrong:
        found.append(value)
