"""manifest.json of a run: what it says of the run, part by part.

What lies on a disk may be anything. A part that schema.json does not allow is left out, so that nobody meets a text where a number
belongs; a warning names it.
"""

import math

from plot.files import documents
from plot.files.checking import violations
from plot.files.columns import AXES, NUMBERS, memory_of, update_of
from plot.files.errors import ResultsError
from plot.files.schema import defaults, load, text_of
from plot.files.tables import read_text

AS_TEXT = ("plan", "axes")  # whose values are texts to who reads them, and may be of another version
SHOWN = 40  # letters of a value


def read_manifest(path):
    """The object that the file holds, unchecked."""
    try:
        manifest = documents.of_json(read_text(path))
    except ValueError as error:
        raise ResultsError(f"{path}: not JSON", str(error), "run it again; the figure does without") from None
    if not isinstance(manifest, dict):
        raise ResultsError(f"{path}: not a JSON object", "it must hold the run's plan", "run it again")
    return manifest


def sound(found, path, name, warnings):
    """The parts of a file's object that its definition in schema.json allows. A part that is not described there is taken as it is."""
    schema = load()
    described = schema["$defs"][name]["properties"]
    kept = {}
    for part, value in found.items():
        wrong = next(violations(value, described[part], schema, part), None) if part in described and part not in AS_TEXT else None
        if wrong is None:
            kept[part] = value
        else:
            where, what, why = wrong
            warnings.append(f"{path}: '{part}' left out ({where} is {short(what)}, {why}); restore the file as the program wrote it")
    return kept


def short(value):
    text = str(value) if isinstance(value, (str, float)) or value is None else type(value).__name__
    return f"'{text[:SHOWN]}'" if isinstance(value, str) else text


def axes_of(manifest):
    """The axes of a run that summary.csv does not know: as its manifest says, else its plan's fields as text.

    A plan names every axis, and manifests of version 1 have no `axes`. So an axis of such a run that means nothing for
    its scheme is not empty.
    """
    plan, said, data = ({} if not isinstance(manifest.get(key), dict) else manifest[key] for key in ("plan", "axes", "data"))
    if said:
        found = {**said, "seed": manifest.get("seed")}
    else:
        found = {**plan, "update": update_of(plan), "data": data.get("name")}
    found = {"memory": "", **defaults("summary_row"), **{name: text_of(value) for name, value in found.items()}}
    axes = {axis: found.get(axis, "") for axis in AXES}
    return axes | {axis: "" for axis in NUMBERS if axis in axes and not is_number(axes[axis])} | {"memory": memory_of(found)}


def is_number(text):
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False
