"""Which update policy stands behind a point of speedup.csv: a tuner may choose another at each number of workers.

Where a scheme has several configurations, the one with the smallest expected time stands there, as in the file itself. Nothing is
said of rows of which no run is there, or that are of one of several functions of their problem.
"""

import math
from collections import Counter
from dataclasses import replace

from plot.estimates import costs
from plot.files import naming


def with_methods(points, runs):
    """The points, each with the method of what stands there ("" where that is not known, or never got there)."""
    cells = {}
    for run in runs:
        axes = tuple(value for axis, value in sorted(run.axes.items()) if axis != "seed")
        place = run.axes["data"], run.axes["problem"], run.axes["scheme"], run.threads
        cells.setdefault(place, {}).setdefault(axes, []).append(run)
    return [replace(point, method=method_at(cells.get((point.data, point.problem, point.scheme, point.workers), {}))) for point in points]


def method_at(configurations):
    time = lambda found: costs.expected(found, costs.to_reach("seconds_to_target"))
    best = min(configurations.values(), key=time, default=[])
    return naming.base_method(best[0]) if best and math.isfinite(time(best)) else ""


def usual(points):
    """{scheme: the hot part of most of its points' methods}, of schemes whose points differ in it."""
    found = {}
    for point in points:
        if point.method:
            found.setdefault(point.scheme, Counter())[naming.hot_part(point.method)] += 1
    return {scheme: max(counts, key=lambda part: (counts[part], part)) for scheme, counts in found.items() if len(counts) > 1}


def unusual(point, most):
    """Whether the point's hot part is not its line's."""
    return point.scheme in most and bool(point.method) and naming.hot_part(point.method) != most[point.scheme]


def policies(points):
    """["hogwild: atomic or racy", ...]: where a line's points have several update policies or guards."""
    found = {}
    for point in points:
        base = naming.without_hot(point.method)
        if base.startswith(f"{point.scheme} · "):
            found.setdefault(point.scheme, set()).add(base.partition(" · ")[2])
    return [f"{naming.printable(scheme)}: {' or '.join(sorted(names))}" for scheme, names in sorted(found.items()) if len(names) > 1]
