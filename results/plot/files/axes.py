"""What the program says of axes, problems, schemes, devices, statuses and so on: results/axes.json, which `hogwild schema` prints.

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


def is_so(part, name, what):
    """Whether the name's row in a part of the list has the property."""
    return any(each["name"] == name and each[what] for each in LISTED[part])


def usual(axis):
    """Its default."""
    return next(each["default"] for each in LISTED["axes"] if each["name"] == axis)


def is_network(problem):
    return is_so("problems", problem, "network")


def on_threads_alone(device):
    return is_so("devices", device, "threads") and not is_so("devices", device, "gpu")


def on_gpu_alone(device):
    return is_so("devices", device, "gpu") and not is_so("devices", device, "threads")


def on_both(device):
    return is_so("devices", device, "threads") and is_so("devices", device, "gpu")


def is_done(status):
    return is_so("statuses", status, "done")


def is_diverged(status):
    return is_so("statuses", status, "diverged")


class Ending:
    """What is asked of anything that has a `status`."""

    @property
    def done(self):
        return is_done(self.status)

    @property
    def diverged(self):
        return is_diverged(self.status)

    @property
    def hopeless(self):
        """Whether more time could not have brought it to a target."""
        return is_so("statuses", self.status, "hopeless")


(DONE,) = listed("statuses", done=True)
(INTERRUPTED,) = listed("statuses", interrupted=True)
TROUBLES = (*listed("statuses", hopeless=True), INTERRUPTED)
(THREADS,) = listed("devices", threads=True, gpu=False)
(GPU,) = listed("devices", threads=False, gpu=True)
SIDES = (THREADS, GPU)  # who can count steps
HOME = {each["name"]: each["home"] for each in LISTED["devices"]}  # the memory that a device is fastest on

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
