"""What the convergence figure shows, before any ink: a curve for each run, the scale of losses and its limits.

The loss of a run goes up and down from one observation to the next by more than methods differ. So a curve of a convex problem is
the lowest loss so far, and what was observed stands faintly behind it where there is room. Where a problem is not convex, a loss
that rises again may be all that a run ends with. So its curve is the loss as measured. A run that diverged is shown as measured,
too.
"""

import math
from dataclasses import dataclass

import numpy as np

from plot.estimates import choosing
from plot.files import naming
from plot.files.axes import NOT_CONVEX, Ending
from plot.style.scales import Scale

TIGHT = 0.01  # of the range of losses: how near the best loss a bound must be to serve as F*
RAW_LINES = 6  # behind up to so many strong lines there is room for every observation
STRETCH = 0.03  # of the usual fall of the loss: what the smallest loss is above the floor of a scale without F*
START_SHARE = 0.25  # of the height: the most that the way from the start to the first observation may take
SPIKES = 0.02  # at most this share of observations, or one,
SPIKE_SHARE = 0.5  # is left outside where it alone would stretch the axis by more than this share


@dataclass
class Curve(Ending):
    key: naming.Key
    name: str  # of the run
    status: str
    seconds: np.ndarray
    epoch: np.ndarray
    height: np.ndarray  # loss, or distance to F*; NaN where it is not a number
    typical: bool = True  # the middle one of runs that differ in their seed alone
    strong: bool = True
    as_measured: bool = False  # how it is drawn

    @property
    def line(self):
        """What is drawn: the heights as measured, or the lowest so far."""
        return self.height if self.as_measured else self.best

    @property
    def result(self):
        """Where its line ends."""
        return float(self.line[np.isfinite(self.line)][-1])

    @property
    def best(self):
        """The lowest height so far."""
        return np.fmin.accumulate(self.height)

    @property
    def started(self):
        """Whether the first observation is of the start, before any update."""
        return len(self.epoch) > 1 and self.epoch[0] == 0

    @property
    def observed(self):
        """The finite heights after the start."""
        heights = self.height[1:] if self.started else self.height
        return heights[np.isfinite(heights)]

    @property
    def end(self):
        """Index of the last observation that is shown: for a run that diverged the one whose loss is no number, if any."""
        last = int(np.flatnonzero(np.isfinite(self.height))[-1])
        return min(last + 1, len(self.height) - 1) if self.diverged else last


@dataclass
class Content:
    curves: list
    optimum: float  # NaN: heights are training losses
    certified: str  # where the optimum comes from
    target: float  # height, NaN without one common target
    without_curve: list  # runs that have nothing to draw
    scale: Scale = Scale()
    low: float = 0.0  # limits of the axis
    high: float = 1.0
    start: float = math.nan  # the height at which runs start, where that is above the panel
    to_target: bool = False  # strong are those that were first at a target, on whatever it is
    among: str = ""  # of which curves of a method the strong one is the best, where not all are: "most threads"; "": of all

    @property
    def as_measured(self):
        """Whether lines are not the lowest heights so far."""
        return any(curve.as_measured for curve in self.curves)

    @property
    def raw(self):
        """Whether every observation is a dot."""
        return len({curve.key for curve in self.curves if curve.strong}) <= RAW_LINES

    @property
    def steady(self):
        return [curve for curve in self.curves if not curve.diverged]


def best_optimum(runs):
    """(largest certified lower bound on F*, its origin). F(w) - bound is a lower bound on F* at every observation."""
    known = [run.optimum for run in runs if math.isfinite(run.optimum)]
    if known:
        return max(known), "a certified lower bound on the optimum"
    traces = [run.trace for run in runs if run.trace]
    losses = [trace["train_loss"] for trace in traces]
    bounds = [loss - trace["optimality_bound"] for loss, trace in zip(losses, traces)]
    losses, bounds = (np.concatenate(part) if part else np.array([]) for part in (losses, bounds))
    losses, bounds = losses[np.isfinite(losses)], bounds[np.isfinite(bounds)]
    # Distances to a loose bound would look like runs that stopped learning.
    if bounds.size and losses.min() - bounds.max() < TIGHT * (losses.max() - bounds.max()):
        return float(bounds.max()), "the best lower bound on the optimum that these runs certify"
    return math.nan, ""


def gather(runs):
    """The content of one comparable group. A run without a finite loss has no curve."""
    optimum, certified = best_optimum(runs)
    keys = naming.keys(runs)
    shift = optimum if math.isfinite(optimum) else 0.0
    curves, missing = [], []
    for run in runs:
        height = run.trace["train_loss"] - shift if run.trace else np.array([])
        height = np.where(np.isfinite(height) & ((height > 0) | (shift == 0.0)), height, np.nan)
        if not np.isfinite(height).any():
            missing.append(run)
        else:
            curves.append(Curve(keys[id(run)], run.name, run.status, run.trace["seconds"], run.trace["epoch"], height,
                                as_measured=moves_on(run)))
    target = choosing.common_target(runs) - shift
    mark_typical(curves, target)
    if not choosing.readable(curve.key for curve in curves):
        strong = choosing.best_keys(runs, keys)
        for curve in curves:
            curve.strong = curve.key in strong
    content = Content(curves, optimum, certified, target if target > 0 else math.nan, missing)
    content.to_target = math.isfinite(choosing.common_target(runs, choosing.aim(runs)))
    if curves:
        set_limits(content)
    return content


def moves_on(run):
    """Whether what it minimises is not convex."""
    return run.axes["problem"] in NOT_CONVEX


def mark_typical(curves, target):
    """The typical seed of one line is the one with the middle time to the target, else with the middle result."""
    def result(curve):
        hit = np.flatnonzero(curve.height <= target)
        return curve.diverged, curve.seconds[hit[0]] if hit.size else math.inf, curve.result

    seeds = {}
    for curve in curves:
        seeds.setdefault(curve.key, []).append(curve)
    for group in seeds.values():
        for place, curve in enumerate(sorted(group, key=result)):
            curve.typical = place == (len(group) - 1) // 2


def set_limits(content):
    """Scale and limits of the axis, by the runs that did not diverge; those that did leave at the top."""
    curves = content.steady
    if not curves:  # nothing but what diverged: room to leave
        heights = [curve.height[np.isfinite(curve.height)] for curve in content.curves]
        low, start = min(part.min() for part in heights), max(part[0] for part in heights)
        content.scale = Scale(0.0 if low > 0 else low - 1.0)
        content.low, content.high = content.scale.widened(low, 10 * start, 0.2, 0.05)
        return
    low = min(float(np.nanmin(curve.height)) for curve in curves)
    if math.isfinite(content.target):
        low = min(low, content.target)
    if not math.isfinite(content.optimum):
        fall = float(np.median([np.nanmax(curve.best) - np.nanmin(curve.best) for curve in curves]))
        content.scale = Scale(low - min(STRETCH * fall or low, low) if low > 0 else low - (STRETCH * fall or 1.0))

    high = max(float(np.nanmax(curve.best[1:] if curve.started else curve.best)) for curve in curves)
    if content.raw or content.as_measured:
        high = max(high, usual_high(np.concatenate([curve.observed for curve in curves if curve.strong]), content.scale, low))
    start = max(float(curve.best[0]) if curve.started else low for curve in curves)
    if start > high and len(curves) == len(content.curves) and content.scale.share(high, low, start) < 1 - START_SHARE:
        content.start = start
    content.low, content.high = content.scale.widened(low, max(high, start) if math.isnan(content.start) else high, 0.05, 0.06)


def usual_high(heights, scale, low):
    """The largest that is not a spike: one of the few that stand far above all others."""
    heights = np.sort(heights[heights > low])
    for place in range(len(heights) - 1 - max(1, int(SPIKES * len(heights))), len(heights) - 1):
        if place >= 0 and scale.share(heights[place + 1], low, heights[place]) > 1 + SPIKE_SHARE:
            return float(heights[place])
    return float(heights[-1]) if heights.size else low
