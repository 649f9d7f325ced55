"""What success costs, and how many times less one configuration costs than another: what `hogwild compare` says of the same rows.

    expected cost = sum of what all runs spent / sum of what they gained

For a time to a target a run gains 1 when it gets there and spends the time until then. One that missed it gains nothing and spends all its
time. For a rate a run gains its updates, and nothing unless it is done. A speed-up is serial code's expected cost over another's, of the
seeds that both have. Its 95 % interval is the wider one, on either side, of two. They are the paired bootstrap (draws.py) and ratio x
exp(+-t s), s the standard error of log(ratio) by linearisation. A draw without a success counts as infinitely much, and as little as it
may still be. That is what it would be had every run that might have succeeded done so when it was stopped. So verdicts.csv, tables and
figures have the same numbers.
"""

import math
from typing import NamedTuple

import numpy as np

from plot.estimates import configurations
from plot.estimates.draws import rank, student, times_drawn

FEWEST = 3  # pairs: fewer tell nothing of their own spread
ROUNDING = 1e-9  # two targets that differ by less are one


class Ratio(NamedTuple):
    value: float  # NaN where neither gets there; 0 or infinite where one of them does not
    low: float  # of the interval; NaN, as is `high`, of fewer than FEWEST pairs
    high: float


UNKNOWN = Ratio(math.nan, math.nan, math.nan)


def to_reach(column):
    """What gives each run its (spent, gained, might have gained), of a time to reach something."""
    def trial(run):
        hopeless, reached = run.hopeless, run.value(column)
        return (reached, 1.0, 1.0) if math.isfinite(reached) and not hopeless else (known(run, "seconds"), 0.0, float(not hopeless))
    return trial


def of_updates(run):
    """A run's (spent, gained, might have gained), of the updates of a second."""
    updates = known(run, "updates_per_second") * known(run, "seconds")
    return known(run, "seconds"), updates * run.done, updates * (not run.hopeless)


def known(run, column):
    value = run.value(column)
    return value if math.isfinite(value) else 0.0


def expected(runs, trial):
    """Infinite without a success."""
    spent, gained, _ = (sum(part) for part in zip(*map(trial, runs)))
    return spent / gained if gained > 0 else math.inf


def useful_speed_up(serial, other):
    """In time to the target; unknown where the targets differ, or no seed is common."""
    pairs = paired(serial, other)
    targets = [(one.value("target"), another.value("target")) for one, another in pairs]
    if any(one.target_of != another.target_of for one, another in pairs) or any(
            abs(one - another) > ROUNDING * max(abs(one), abs(another)) for one, another in targets):
        return UNKNOWN
    return speed_up(pairs, to_reach("seconds_to_target"))


def rate_speed_up(serial, other):
    """In updates per second; unknown where no seed is common."""
    return speed_up(paired(serial, other), of_updates)


def paired(first, second):
    """Runs of two configurations with the same seed, by rising seeds: the order in which draws take them."""
    first, second = ({configurations.seed(run): run for run in one.runs if run.row} for one in (first, second))
    return [(first[seed], second[seed]) for seed in sorted(first.keys() & second.keys())]


def speed_up(pairs, trial):
    if not pairs:
        return UNKNOWN
    return ratio(*(np.array([trial(run) for run in side], dtype=float) for side in zip(*pairs)))


def ratio(above, below):
    """The Ratio of two tables of trials, a row for each pair. Its interval is taken of below / above, as `hogwild compare` does, and
    turned round."""
    count = len(above)
    inverse = quotient(cost(*below.sum(axis=0))[1], cost(*above.sum(axis=0))[1])
    if count < FEWEST:
        return Ratio(turned(inverse), math.nan, math.nan)
    of_above, of_below = (cost(*(times_drawn(count) @ table).T) for table in (above, below))
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.where((of_below[0] == 0) | np.isinf(of_above[1]), 0.0, of_below[0] / of_above[1])
        most = np.where((of_above[0] == 0) | np.isinf(of_below[1]), np.inf, of_below[1] / of_above[0])
    low, high = float(np.sort(least)[rank(count)]), float(np.sort(most)[-1 - rank(count)])
    if 0 < inverse < math.inf:
        factor = math.exp(student(0.95, count - 1) * log_error(above, below))
        low, high = min(low, inverse / factor), max(high, inverse * factor)
    return Ratio(turned(inverse), turned(high), turned(low))


def cost(spent, gained, might_gain):
    """(low, high) of the expected cost: both the same as soon as one run succeeded."""
    with np.errstate(divide="ignore", invalid="ignore"):
        high = np.where(gained > 0, spent / gained, np.inf)
        return np.where(gained > 0, high, np.where(might_gain > 0, spent / might_gain, np.inf)), high


def log_error(above, below):
    """The standard error of log(ratio), by what each pair adds to its first-order change."""
    change = lambda table: table[:, 0] / table[:, 0].sum() - table[:, 1] / table[:, 1].sum()
    count = len(above)
    return math.sqrt(float(((change(below) - change(above)) ** 2).sum()) * count / (count - 1))


def quotient(below, above):
    """NaN where both are infinite."""
    if math.isinf(below):
        return math.nan if math.isinf(above) else math.inf
    return 0.0 if math.isinf(above) else float(below / above) if above else math.inf


def turned(value):
    """1 / value, with 0 and infinity each other's."""
    return value if math.isnan(value) else math.inf if value == 0 else 0.0 if math.isinf(value) else 1 / value
