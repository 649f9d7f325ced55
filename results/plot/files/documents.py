"""Texts of JSON and TOML as values. What a stranger's text can hold and the program never writes is no value: the same key twice, brackets in
brackets without end, numbers that no field of the program holds.

Errors: ValueError, which says what the text holds.
"""

import json
import math

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

DEEPEST = 64  # lists and objects in each other, as experiments/text/json.cpp has it
TOO_DEEP = "it is nested too deep"
SHOWN = 40  # letters of a number


def of_json(text):
    try:
        value = json.loads(text, object_pairs_hook=unique, parse_int=whole, parse_float=real, parse_constant=real)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    return shallow(value)


def of_toml(text):
    """Asks for Python 3.11: `tomllib` is None before."""
    try:
        return shallow(tomllib.loads(text))
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def unique(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key '{twice}' stands twice")
    return found


def whole(text):
    value = int(text)
    if not -2**63 <= value < 2**64:
        raise ValueError(f"{text[:SHOWN]} has more than 64 bits")
    return value


def real(text):
    """NaN and Infinity are no JSON, though Python reads them."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:SHOWN]} is no finite number")
    return value


def shallow(value):
    """The value, whose depth is that of what is written of it."""
    layer = [value]
    for _ in range(DEEPEST + 1):
        layer = [item for each in layer if isinstance(each, (dict, list)) for item in (each.values() if isinstance(each, dict) else each)]
        if not layer:
            return value
    raise ValueError(TOO_DEEP)
