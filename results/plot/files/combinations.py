"""Rows of experiments/scripts/devices as combinations of device, memory and method, and what each device keeps of its own speed.

Values are per seed, their medians are compared. A device's updates/s are the samples that it consumed over the run's seconds: of
`updates` the GPU has `gpu_updates`, the CPU the rest. Alone is the combination of that device only, with the same update policy.
It is CPU threads on host memory, or the GPU on the same kind of memory. A seed that missed the target, or failed, took forever.
"""
import math
import statistics
from dataclasses import dataclass, field

from plot.files.axes import (DEVICES, HOME, MEMORIES, SIDES, is_done, is_serial, is_so, listed, names_of, on_both, on_gpu_alone,
                             on_threads_alone)

YARDSTICKS = listed("schemes")  # methods that a scheme names; the others are update policies
UPDATES = names_of("update")
LEFT_OUT = "left out"  # the status of what experiments/scripts/devices could not run


@dataclass
class Combination:
    device: str
    memory: str
    method: str  # an update policy, `serial`, or `minibatch` and its batch
    runs: list = field(default_factory=list)  # rows of timed runs and of what was to be one
    sampled: list = field(default_factory=list)  # rows of runs that sampled staleness

    @property
    def measured(self):
        """Runs with a rate: done, diverged, or stopped on the way."""
        return [row for row in self.runs if float(row["updates"] or 0) > 0 and float(row["seconds"] or 0) > 0]

    @property
    def on_both(self):
        return on_both(self.device)

    @property
    def policy(self):
        """racy, atomic, serial or minibatch."""
        return self.method.split()[0]

    def text(self, column):
        """What all measured runs say in a column; "-" if nothing."""
        return "/".join(dict.fromkeys(row[column] for row in self.measured if row[column])) or "-"

    def rates(self, device=None):
        """Updates/s of all workers, or of one device's; none where that device does not step."""
        if device in (None, self.device):
            return [float(row["updates"]) / float(row["seconds"]) for row in self.measured]
        if not self.on_both:
            return []
        return [(gpu if on_gpu_alone(device) else float(row["updates"]) - gpu) / float(row["seconds"])
                for row in self.measured if row["gpu_updates"] for gpu in [float(row["gpu_updates"])]]

    def seconds_to(self, target="target"):
        return [float(row[f"seconds_to_{target}"] or math.inf) for row in self.runs]

    def epochs_to_target(self):
        """Per seed; a run that was stopped tells no number of samples."""
        samples = [float(row["updates"]) / float(row["epochs"]) for row in self.measured if is_done(row["status"])]
        return [float(row["updates_to_target"] or math.inf) / samples[0] for row in self.runs] if samples else []

    @property
    def not_atomic(self):
        return any(row["cpu_gpu_increments"] == "not atomic" for row in self.measured)

    @property
    def at_edge(self):
        return any(row["at_edge"] == "1" for row in self.measured)

    def troubles(self):
        """{(status, reason): how many runs}"""
        found = {}
        for row in self.runs:
            if not is_done(row["status"]):
                found[row["status"], row["reason"]] = found.get((row["status"], row["reason"]), 0) + 1
        return found


def median(values):
    return statistics.median(values) if values else math.nan


def order(combination):
    """Yardsticks first, then kind by kind of memory, policy by policy."""
    place = lambda known, name: known.index(name) if name in known else len(known)
    yardstick = place(YARDSTICKS, combination.policy)
    if yardstick < len(YARDSTICKS):
        return yardstick, place(DEVICES, combination.device), combination.method
    return yardstick, place(MEMORIES, combination.memory), place(UPDATES, combination.method), place(DEVICES, combination.device)


class Combinations(list):
    """All of one problem, in order."""

    def __init__(self, rows):
        found = {}
        for row in rows:
            key = row["device"], row["memory"], row["method"]
            one = found.setdefault(key, Combination(*key))
            (one.sampled if is_so("telemetries", row["telemetry"], "counts") else one.runs).append(row)
        super().__init__(sorted(found.values(), key=order))
        self.found = found

    def alone(self, combination, device):
        """The combination of one of its devices only, or None."""
        memory = HOME[device] if on_threads_alone(device) else combination.memory
        return self.found.get((device, memory, combination.method))

    def kept(self, combination, device):
        """Share of its own updates/s that a device keeps beside the other; NaN where that is not known."""
        alone = self.alone(combination, device)
        return median(combination.rates(device)) / median(alone.rates()) if alone and combination.on_both else math.nan

    def over_better_device(self, combination):
        """The better device's time to the target, alone, over that of both; NaN where one of them is not known."""
        alone = [self.alone(combination, device) for device in SIDES]
        if not combination.on_both or not all(alone):
            return math.nan
        return ratio(min(median(one.seconds_to()) for one in alone), median(combination.seconds_to()))

    def where(self, members):
        """"gpu, both on mapped; both on managed, racy": policies are named where not all are meant."""
        policies = {one.method for one in self if one.policy not in YARDSTICKS}
        methods, words = {}, {}
        for one in members:
            methods.setdefault((one.memory, one.device), []).append(one.method)
        for (memory, device), named in methods.items():
            which = "" if set(named) == policies else f", {', '.join(named)}"
            words.setdefault(f" on {memory}{which}", []).append(device)
        return "; ".join(", ".join(devices) + rest for rest, devices in words.items())

    def troubles(self, chosen=lambda one: True):
        """(status, where, reason) of runs that are not done: ("left out", "gpu, both on host", "a GPU cannot ...")."""
        found = {}  # (status, reason) -> which share of its runs -> combinations
        for one in filter(chosen, self):
            for trouble, count in one.troubles().items():
                share = f", {count} of {len(one.runs)} runs" if count < len(one.runs) else ""
                found.setdefault(trouble, {}).setdefault(share, []).append(one)
        for (status, reason), shares in found.items():
            yield status, "; ".join(self.where(members) + share for share, members in shares.items()), reason

    @property
    def serial(self):
        """The median time to the target of serial code; infinite where it missed it or did not run."""
        return min((median(one.seconds_to()) for one in self if is_serial(one.method)), default=math.inf)


def ratio(time, other):
    """How many times sooner than `time` the other is; NaN unless both came to an end."""
    return time / other if math.isfinite(time) and math.isfinite(other) else math.nan
