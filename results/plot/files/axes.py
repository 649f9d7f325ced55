"""Which of the axes, columns of summary.csv, are of models and of what is minimised, and which of them name a variant.

results/axes.json, what `hogwild schema` prints, says what each axis is.
"""

import json
from pathlib import Path

LISTED = json.loads((Path(__file__).resolve().parents[2] / "axes.json").read_text(encoding="utf-8"))


def with_role(role):
    """The columns of axes that are that to who compares runs, in their order."""
    return tuple(axis["name"] for axis in LISTED["axes"] if axis["role"] == role and axis["column"])


PARAMETERS = (*dict.fromkeys(each["name"] for each in LISTED["parameters"]), "network")  # of models
USUAL = {"biases": "1", "damp_above": "0", "shared_negatives": "1"}  # of PARAMETERS: switches that models have unless asked
# What is minimised, on what, and what a gradient costs.
OBJECTIVE = ("problem", "data", *(name for name in with_role("objective") if name not in ("problem", "network", "delay")), *PARAMETERS,
             "delay")  # last: figures take it off
# Axes that tell two runs of one method apart when they were varied on purpose; workers and seed have their own place.
VARIANT_AXES = with_role("setting")
