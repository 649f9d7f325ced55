"""Medians and their 95 % bootstrap intervals, of times that may be infinite.

A target that was missed took forever: it stays in every median as infinity. An interval is the 2.5 and 97.5 % quantile of the
median over resampled seeds; of a ratio, of the ratio of medians over the same resampled seeds (paired). Three or four seeds
can only give back their own range. Resamples are drawn once per number of seeds, so that the same files give the same numbers.
"""

import math
import statistics
from functools import lru_cache

import numpy as np

RESAMPLES = 2000
OUTSIDE = 0.025  # share of the resamples beyond either end


def median(values):
    return statistics.median(values) if values else math.nan


@lru_cache(maxsize=None)
def resamples(count):
    return np.random.default_rng(20110628).integers(0, count, (RESAMPLES, count))


def middle(table):
    """The median of each row; one of the two middle values being infinite means infinite."""
    ordered, half = np.sort(table, axis=1), table.shape[1] // 2
    return ordered[:, half] if table.shape[1] % 2 else (ordered[:, half - 1] + ordered[:, half]) / 2


def ends(values):
    """(low, high) without interpolation, which infinite values do not have."""
    ordered = np.sort(values)
    outside = int(OUTSIDE * len(ordered))
    return float(ordered[outside]), float(ordered[-1 - outside])


def median_interval(values):
    """(low, high); the value itself, twice, of a single one."""
    if not values:
        return math.nan, math.nan
    return ends(middle(np.array(values, dtype=float)[resamples(len(values))]))


def ratio(over, under):
    """over / under of two times: 0 where the lower never came, NaN where neither did."""
    if math.isinf(over):
        return math.nan
    return 0.0 if math.isinf(under) else over / under


def ratio_interval(over, under):
    """(low, high) of median(over) / median(under). `over`, `under`: {seed: time}; seeds that both have are resampled in pairs."""
    seeds = sorted(over.keys() & under.keys())
    if not seeds:
        return math.nan, math.nan
    chosen = resamples(len(seeds))
    above, below = (middle(np.array([times[seed] for seed in seeds], dtype=float)[chosen]) for times in (over, under))
    known = np.isfinite(above)
    if not known.all():
        return math.nan, math.nan
    return ends(np.where(np.isfinite(below), above / below, 0.0))
