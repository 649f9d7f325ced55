"""Checks a value against the part of JSON Schema that schema.json uses, with the standard library alone.

Keywords: type, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern, minLength, minItems, items, required,
properties, additionalProperties (false), anyOf, if/then/else, $ref into the same document. An unknown keyword is an
error, so that a schema cannot ask for something that nobody checks.
"""

import math
import re
import sys

from plot.files.schema import resolve

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "default", "since", "version"}
HANDLED = {"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern", "minLength", "minItems", "items",
           "required", "properties", "additionalProperties", "anyOf", "if", "then", "else", "$ref"}


def is_number(value):
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


TYPES = {
    "null": lambda value: value is None,
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: is_number(value) and float(value).is_integer(),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def types_of(schema):
    """The type names that a schema allows, as a list."""
    wanted = schema.get("type", [])
    return wanted if isinstance(wanted, list) else [wanted]


def violations(value, schema, document, where=""):
    """Yields (where, value, why) for everything about `value` that the schema forbids."""
    schema = resolve(schema, document)
    unknown = set(schema) - HANDLED - ANNOTATIONS
    if unknown:
        raise NotImplementedError(f"schema keyword {sorted(unknown)[0]!r} is not checked")

    wanted = types_of(schema)
    if wanted and not any(TYPES[name](value) for name in wanted):
        yield where, value, f"must be of type {' or '.join(wanted)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield where, value, "must be " + ", ".join("empty" if each is None else str(each) for each in schema["enum"])
    if "const" in schema and value != schema["const"]:
        yield where, value, f"must be {schema['const']}"
    if is_number(value):
        yield from number_violations(value, schema, where)
    elif isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            yield where, value, f"must have {schema['minLength']} letters or more"
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield where, value, f"must match {schema['pattern']}"
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield where, value, f"must have {schema['minItems']} entries or more"
        for index, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), document, f"{where}[{index}]")
    elif isinstance(value, dict):
        yield from object_violations(value, schema, document, where)
    yield from combined_violations(value, schema, document, where)


def number_violations(value, schema, where):
    if value < schema.get("minimum", -math.inf):
        yield where, value, f"must be at least {schema['minimum']}"
    if value > schema.get("maximum", math.inf):
        yield where, value, f"must be at most {schema['maximum']}"
    if value <= schema.get("exclusiveMinimum", -math.inf):
        yield where, value, f"must be above {schema['exclusiveMinimum']}"
    if value >= schema.get("exclusiveMaximum", math.inf):
        yield where, value, f"must be below {schema['exclusiveMaximum']}"


def object_violations(value, schema, document, where):
    inside = f"{where}." if where else ""
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{inside}{name}", None, "must be there"
    for name, item in value.items():
        if name in properties:
            yield from violations(item, properties[name], document, f"{inside}{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{inside}{name}", item, "is not in the schema"


def combined_violations(value, schema, document, where):
    if "anyOf" in schema:
        tries = [list(violations(value, each, document, where)) for each in schema["anyOf"]]
        if all(tries):
            yield min(tries, key=len)[0]
    if "if" in schema:
        holds = not any(True for _ in violations(value, schema["if"], document, where))
        yield from violations(value, schema.get("then" if holds else "else", {}), document, where)
