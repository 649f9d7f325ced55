"""Which lines of a figure are drawn strongly: all, or the best of each method on each device where all are more than a reader
tells apart.

The best is the first whose loss falls to the target, or the one that came nearest; without a target, the first to within
a twentieth of the way from the start to the lowest loss of its method. Of several seeds the middle one counts.
"""

import math
import statistics

import numpy as np

from plot.styling import DASHES

APART = 12  # lines
NEAR = 0.05  # of the way from the start to the lowest loss


def readable(keys):
    """Whether so many lines can be told apart."""
    keys, variants = set(keys), {}
    for key in keys:
        variants.setdefault(key.family, set()).add(key.variant)
    return len(keys) <= APART and all(len(found) <= len(DASHES) for found in variants.values())


def common_target(runs):
    """The one training loss that is the target of all runs, or NaN: a target on a score is no height of a loss."""
    if any(run.target_of != "train_loss" for run in runs):
        return math.nan
    targets = {run.totals["target"] for run in runs if math.isfinite(run.totals["target"])}
    return targets.pop() if len(targets) == 1 else math.nan


def best_keys(runs, keys):
    """The best key of each method on each device; `keys`: {id(run): Key}."""
    target, families = common_target(runs), {}
    for run in runs:
        families.setdefault(keys[id(run)].family, []).append(run)
    best = set()
    for members in families.values():
        level = target if math.isfinite(target) else near_the_lowest(members)
        seeds = {}
        for run in members:
            seeds.setdefault(keys[id(run)], []).append((time_to(run, level), lowest(run)))
        best.add(min(seeds, key=lambda key: tuple(statistics.median_low(values) for values in zip(*seeds[key]))))
    return best


def with_most_threads(runs, keys):
    """Those with the most threads that their method ran with on their device; where none are counted, all."""
    most = {}
    for key in keys.values():
        most[key.family] = max(key.threads, most.get(key.family, 0))
    return [run for run in runs if keys[id(run)].threads == most[keys[id(run)].family]]


def losses(run):
    found = run.trace["train_loss"] if run.trace else np.array([])
    return np.where(np.isfinite(found), found, np.inf)


def lowest(run):
    return math.inf if run.status == "diverged" else float(losses(run).min(initial=math.inf))


def near_the_lowest(runs):
    start = max((float(losses(run)[0]) for run in runs if losses(run).size), default=math.inf)
    low = min(map(lowest, runs))
    return low + NEAR * (start - low) if math.isfinite(start) and math.isfinite(low) else low


def time_to(run, level):
    """Seconds to the first loss at the level or below; infinite for a run that diverged."""
    reached = np.flatnonzero(losses(run) <= level)
    return float(run.trace["seconds"][reached[0]]) if reached.size and run.status != "diverged" else math.inf
