"""Configurations: runs that differ in their seed alone, with their medians; the best of them per method and workers.

A run that failed, diverged or was stopped has no time to target: it counts as infinite, never as a gap.
"""

import math
from dataclasses import dataclass, field

from plot.estimates import choosing, intervals
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import styling

DIGITS = 20  # of the largest seed


@dataclass
class Configuration:
    key: naming.Key
    runs: list = field(default_factory=list)

    def positive(self, column):
        """What was measured in a column of summary.csv, of the runs that have it."""
        found = [run.value(column) for run in self.runs]
        return [value for value in found if math.isfinite(value) and value > 0]

    def censored(self, column):
        """{seed: value}, infinite where it was not reached, or the run diverged or failed afterwards."""
        values = {}
        for run in self.runs:
            value = run.value(column)
            values[seed(run)] = value if math.isfinite(value) and not run.hopeless else math.inf
        return values

    def times(self, column="seconds_to_target"):
        return list(self.censored(column).values())

    @property
    def rate(self):
        """Median updates per second; NaN where no run has one."""
        return intervals.median(self.positive("updates_per_second"))

    @property
    def time(self):
        """Median seconds to the target."""
        return intervals.median(self.times())

    @property
    def reached(self):
        return sum(map(math.isfinite, self.times()))

    @property
    def diverged(self):
        return sum(run.diverged for run in self.runs)

    @property
    def lowest(self):
        """The median of the smallest losses; infinite for runs without one."""
        found = [run.value("best_train_loss") for run in self.runs]
        return intervals.median([value if math.isfinite(value) else math.inf for value in found])


def seed(run):
    """What pairs runs of two configurations: their seed, in a folder of its own. Sorts as numbers."""
    return str(run.folder.parent), run.axes["seed"].zfill(DIGITS)


def configurations(runs):
    """All of them, in the order of legends."""
    keys, found = naming.keys(runs), {}
    for run in runs:
        found.setdefault(keys[id(run)], Configuration(keys[id(run)])).runs.append(run)
    return sorted(found.values(), key=lambda one: styling.order(one.key))


def has_target(found):
    return any(run.value("target") == run.value("target") for one in found for run in one.runs)


def refuse_targets_of_the_start(found):
    """NotDrawn where any run's first weights met its target: a time of zero has no place on a log axis, and is no ratio's denominator."""
    if any(value <= 0 for one in found for value in one.times("updates_to_target") + one.times()):
        raise NotDrawn("a target was met before the first step; take a lower one")


def best_variants(found):
    """For each method on each device and number of workers: the variant with the least median time to its target, else
    with the lowest loss."""
    best = {}
    for one in found:
        place = one.key.family, one.key.threads, one.key.grid
        if place not in best or goodness(one) < goodness(best[place]):
            best[place] = one
    return [one for one in found if any(one is chosen for chosen in best.values())]


def told_apart(found, line=lambda key: key):
    """All, where a reader tells their lines apart, else the best variants. `line`: what of a key a line stands for."""
    return found if choosing.readable(line(one.key) for one in found) else best_variants(found)


def goodness(one):
    """Sorts the better first."""
    return one.time, one.diverged, one.lowest


def best_serial(found):
    """The serial configuration that is first at its target, else the one with most updates per second; None without any."""
    serial = [one for one in found if one.key.serial]
    return min(serial, key=lambda one: (one.time, -one.rate if one.rate == one.rate else math.inf), default=None)
