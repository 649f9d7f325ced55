"""One file against its definition in schema.json: CSV tables, JSON, and text of other forms that is brought into JSON's.

Every check yields violations, each as `file:line: what (why); what to try`.
"""

import re

from plot.files import documents
from plot.files.checking import types_of, violations
from plot.files.errors import ResultsError
from plot.files.schema import UNNAMED, columns, defaults, needed, resolve
from plot.files.tables import read_table, read_text

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")  # Python alone would read 1_0 and nan as numbers too
ADVICE = "see results/schema.json, and run it again if the file was edited"


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


def header_violations(path, header, name, schema, version):
    """Columns go by their names. A newer version than the schema's may have columns that are not in it."""
    known = columns(name, schema)
    for index, column in enumerate(header):
        if column in header[:index]:
            yield f"{path}:1: column '{column}' stands twice (a column has one place); {ADVICE}"
        elif column not in known and version <= schema["version"]:
            yield f"{path}:1: column '{column}' is unknown (no file of version {schema['version']} or before has it); {ADVICE}"
    for column in needed(name, version, schema):
        if column not in header:
            yield f"{path}:1: column '{column}' is missing (every file of version {version} has it); {ADVICE}"


def typed_row(fields, name, schema):
    """Every column that the schema knows as a JSON value; those that the file lacks have their defaults."""
    described = schema["$defs"][name]["properties"]
    fields = {**defaults(name, schema), **fields}
    return {column: typed(fields[column], resolve(of, schema)) for column, of in described.items()}


def check_table(path, name, schema, rows, version=UNNAMED):
    """Checks a CSV file of a version of the schema; appends its rows, as (line, JSON values), to `rows`."""
    row_schema = schema["$defs"][name]
    try:
        table = read_table(path)
    except ResultsError as error:
        yield str(error)
        return
    wrong = list(header_violations(path, table.header, name, schema, version))
    yield from wrong
    if wrong:
        return
    if table.torn:
        yield table.torn
    for line, fields in table.rows:
        row = typed_row(fields, name, schema)
        rows.append((line, row))
        for where, value, why in violations(row, row_schema, schema):
            yield describe(f"{path}:{line}", where, value, why)


def check_json(path, name, schema, found):
    """Checks a JSON file; appends what it holds to `found` when nothing is wrong."""
    try:
        value = documents.of_json(read_text(path))
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
