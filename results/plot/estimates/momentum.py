"""The momentum that asynchrony amounts to, as measured staleness implies it.

Where steps use gradients of weights l steps old with probability q(l), whatever those weights are, then in expectation

    E w(t+1) = E w(t) - eta sum over l of q(l) E grad f(w(t - l)),

and if staleness is geometric, q(l) = (1 - mu) mu^l, this is SGD with momentum mu (Mitliagkas, Zhang, Hadjis, Ré 2016, "Asynchrony begets
momentum"):

    E w(t+1) - E w(t) = mu (E w(t) - E w(t-1)) - eta (1 - mu) E grad f(w(t)).

M workers whose steps take exponential times have mu = 1 - 1/M. Here mu is that of the geometric distribution which fits the counts of
staleness.csv best (the greatest likelihood: that of their mean). `misfit` says how much of the steps lies elsewhere. Workers that
take turns are all M - 1 late: no momentum describes them, and their misfit is near 1.

Limits: a step whose staleness depends on what it reads, as a slow step on a long row, is outside of the model. Weights that are read while
others write count as old as the first of them. Increments that were lost are not seen. It is momentum from one step to the next: where the
weights hardly move within 1 / (1 - mu) steps, nothing comes of it.
"""

import math

from plot.estimates.staleness_counts import pooled
from plot.files.axes import THREADS


def geometric(buckets):
    """mu of the geometric distribution that fits [(from, to, steps), ...] best; NaN without steps."""
    steps = sum(count for _, _, count in buckets)
    if steps == 0:
        return math.nan
    mean = sum((low + high) / 2 * count for low, high, count in buckets) / steps
    return mean / (1 + mean)


def misfit(buckets):
    """The share of the steps that would have to be as stale as others for staleness to be geometric: 0 to 1 (total variation)."""
    mu, steps = geometric(buckets), sum(count for _, _, count in buckets)
    expected = [mu ** low - mu ** (high + 1) for low, high, _ in buckets]
    apart = sum(abs(count / steps - share) for (_, _, count), share in zip(buckets, expected))
    return (apart + 1 - sum(expected)) / 2


def of_runs(runs, device=THREADS):
    """(mu, misfit) of all these runs' steps together; None where none were counted."""
    buckets = pooled(runs, device)
    return (geometric(buckets), misfit(buckets)) if buckets else None
