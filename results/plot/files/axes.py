"""What the program says of axes, problems, scores, schemes, memories and networks: results/axes.json, which `hogwild schema` prints.

Names that are not listed there are of a program of another version: they have none of the properties below.
"""

import json
from pathlib import Path

LISTED = json.loads((Path(__file__).resolve().parents[2] / "axes.json").read_text(encoding="utf-8"))


def with_role(role):
    """The columns of axes that are that to who compares runs, in their order."""
    return tuple(axis["name"] for axis in LISTED["axes"] if axis["role"] == role and axis["column"])


def names_of(axis):
    """What the axis can be, in the program's order."""
    return next(tuple(each["names"]) for each in LISTED["axes"] if each["name"] == axis)


def listed(part, **wanted):
    """The names in a part of the list of whatever has the wanted properties."""
    return tuple(each["name"] for each in LISTED[part] if all(each[name] == value for name, value in wanted.items()))


def is_serial(scheme):
    return scheme in listed("schemes", kind="serial")


PARAMETERS = (*dict.fromkeys(each["name"] for each in LISTED["parameters"]), "network")  # of models
USUAL = {each["name"]: f"{each['default']:g}" for each in LISTED["parameters"]  # of PARAMETERS that can be switched off: their defaults
         if each["kind"] == "count" and each["least"] == 0}
# What is minimised, on what, and what a gradient costs.
OBJECTIVE = ("problem", "data", *(name for name in with_role("objective") if name not in ("problem", "network", "delay")), *PARAMETERS,
             "delay")  # last: figures take it off
# Axes that tell two runs of one method apart when they were varied on purpose; workers and seed have their own place.
VARIANT_AXES = with_role("setting")
NO_SPARSE_ROWS = listed("problems", sparse_rows=False)  # problems of other samples
NOT_CONVEX = listed("problems", convex=False)  # problems on which a run may leave a loss that it had come to, for good
HIGHER_IS_BETTER = listed("scores", more_is_better=True)
OWN = tuple(LISTED["own_columns"])  # of workers and step sizes: tables show them wherever they differ
DEVICES = names_of("device")
MEMORIES = listed("memories", of_threads_alone=False)  # that devices are compared on
ANY_MEMORY = listed("schemes", any_memory=True)  # schemes with a choice of it
