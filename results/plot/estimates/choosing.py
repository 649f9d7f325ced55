"""Which lines of a figure are drawn strongly. They are all, or the best of each method on each device where all are more than
a reader tells apart.

The best is the first whose loss, or score, comes to the target, or the one that came nearest. Without a target it is the first to
within a twentieth of the way from the start to the best of its method. Among several seeds the middle one counts. Here less is
better. Where more of a score is better, heights are what it is below zero.
"""

import math
import statistics

import numpy as np

from plot.files.axes import HIGHER_IS_BETTER
from plot.style.looks import DASHES, look_of

APART = 12  # lines
NEAR = 0.05  # of the way from the start to the lowest loss


def readable(keys):
    """Whether so many lines can be told apart."""
    keys, lines = set(keys), {}
    for key in keys:
        lines.setdefault((look_of(key.method).colour, key.device), set()).add((key.family, key.variant))
    return len(keys) <= APART and all(len(found) <= len(DASHES) for found in lines.values())


def common_target(runs, of="train_loss"):
    """The height that is the target of all runs, or NaN: a target on something else is none."""
    if any(run.target_of != of for run in runs):
        return math.nan
    targets = {run.totals["target"] for run in runs if math.isfinite(run.totals["target"])}
    return sign_of(of) * targets.pop() if len(targets) == 1 else math.nan


def sign_of(column):
    return -1.0 if column in HIGHER_IS_BETTER else 1.0


def aim(runs):
    """The column of traces that the common target is of, else the loss."""
    names = {run.target_of for run in runs}
    name = names.pop() if len(names) == 1 else "train_loss"
    return name if math.isfinite(common_target(runs, name)) else "train_loss"


def best_keys(runs, keys, of=None):
    """The best key of each method on each device by that column of traces, else by their aim; `keys`: {id(run): Key}."""
    of = of or aim(runs)
    target, families = common_target(runs, of), {}
    for run in runs:
        families.setdefault(keys[id(run)].family, []).append(run)
    best = set()
    for members in families.values():
        level = target if math.isfinite(target) else near_the_lowest(members, of)
        seeds = {}
        for run in members:
            seeds.setdefault(keys[id(run)], []).append((time_to(run, level, of), lowest(run, of)))
        best.add(min(seeds, key=lambda key: tuple(statistics.median_low(values) for values in zip(*seeds[key]))))
    return best


def with_most_threads(runs, keys):
    """Those with the most threads that their method ran with on their device; where none are counted, all."""
    most = {}
    for key in keys.values():
        most[key.family] = max(key.threads, most.get(key.family, 0))
    return [run for run in runs if keys[id(run)].threads == most[keys[id(run)].family]]


def heights(run, of):
    found = sign_of(of) * run.trace[of] if run.trace else np.array([])
    return np.where(np.isfinite(found), found, np.inf)


def lowest(run, of):
    return math.inf if run.diverged else float(heights(run, of).min(initial=math.inf))


def near_the_lowest(runs, of):
    start = max((float(heights(run, of)[0]) for run in runs if heights(run, of).size), default=math.inf)
    low = min(lowest(run, of) for run in runs)
    return low + NEAR * (start - low) if math.isfinite(start) and math.isfinite(low) else low


def time_to(run, level, of):
    """Seconds to the first height at the level or below; infinite for a run that diverged."""
    reached = np.flatnonzero(heights(run, of) <= level)
    return float(run.trace["seconds"][reached[0]]) if reached.size and not run.diverged else math.inf
