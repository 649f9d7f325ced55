"""Loss against time and against epochs, every run in one figure.

The height is the suboptimality F(w) - F* on a log scale where a certified lower bound on F* is known, else the training
loss. The two panels share it, so that a method's statistical efficiency (epochs) and what its hardware makes of it
(seconds) are read on one line. A run that diverged ends in a cross where it left the panel, and an interrupted one in a bar.
"""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib import ticker
from matplotlib.lines import Line2D

from plot import naming, styling
from plot.canvas import POINT, Block, Entry, Sheet

TIGHT = 0.01  # of the range of losses: how near the best loss a bound must be to serve as F*
DIRECT_LABELS = 6  # up to so many curves are named at their ends
TARGET = ("target", -1)  # a key that no curve has: threads are positive
ENDS = {"diverged": ("x", "diverged"), "interrupted": ("|", "interrupted"), "failed": ("|", "interrupted")}


@dataclass
class Curve:
    method: str
    threads: int
    serial: bool
    status: str
    seconds: np.ndarray
    epoch: np.ndarray
    height: np.ndarray  # NaN where the loss is not a number
    name: str = ""  # of the run
    typical: bool = True  # the middle one of runs that differ in their seed alone

    @property
    def key(self):
        return self.method, 0 if self.serial else self.threads


@dataclass
class Content:
    """What the figure shows, before any ink."""
    curves: list
    optimum: float  # NaN: heights are training losses
    certified: str  # where the optimum comes from
    target: float  # height, NaN without one common target
    without_curve: list  # runs that have nothing to draw


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
    """Curves of one comparable group. A run without a finite loss has no curve."""
    optimum, certified = best_optimum(runs)
    labels = naming.methods(runs)
    shift = optimum if math.isfinite(optimum) else 0.0
    curves, missing = [], []
    for run in runs:
        height = run.trace["train_loss"] - shift if run.trace else np.array([])
        height = np.where(np.isfinite(height) & ((height > 0) | (shift == 0.0)), height, np.nan)
        if not np.isfinite(height).any():
            missing.append(run)
        else:
            curves.append(Curve(labels[id(run)], run.threads, run.axes["scheme"] == "serial", run.status,
                                run.trace["seconds"], run.trace["epoch"], height, run.name))
    mark_typical(curves)
    targets = {run.totals["target"] for run in runs if math.isfinite(run.totals["target"])}
    target = targets.pop() - shift if len(targets) == 1 else math.nan
    return Content(curves, optimum, certified, target if target > 0 or shift == 0.0 else math.nan, missing)


def mark_typical(curves):
    """Of the seeds of one method, the one with the middle loss at the end is typical."""
    seeds = {}
    for curve in curves:
        seeds.setdefault(curve.key, []).append(curve)
    for group in seeds.values():
        group = sorted(group, key=lambda curve: curve.height[np.isfinite(curve.height)][-1])
        for place, curve in enumerate(group):
            curve.typical = place == (len(group) - 1) // 2


def steady_range(content):
    """(low, high) of all that the runs which did not diverge ever showed."""
    steady = [c.height for c in content.curves if c.status != "diverged"] or [c.height for c in content.curves]
    values = np.concatenate(steady)
    return float(np.nanmin(values)), float(np.nanmax(values))


def height_limits(content, log):
    """Limits of the axis, by the steady runs; a diverged run leaves at the top."""
    low, high = steady_range(content)
    if math.isfinite(content.target):
        low = min(low, content.target)
    if log:
        ratio = max(high / low, 1.2)
        return low / ratio ** 0.05, high * ratio ** 0.06
    span = (high - low) or abs(high) or 1.0
    return low - 0.05 * span, high + 0.06 * span


def is_log(content):
    low, high = steady_range(content)
    return math.isfinite(content.optimum) or (low > 0 and high / low > 20)


def cut_at_top(x, y, high, log):
    """The curve up to where it leaves the panel, that point included, so that its end mark is visible."""
    finite = np.isfinite(y)
    x, y = x[finite], y[finite]
    above = np.flatnonzero(y > high)
    if above.size == 0:
        return x, y
    first = above[0]
    if first == 0:
        return x[:1], np.array([high])
    scale = np.log if log else (lambda value: value)
    share = (scale(high) - scale(y[first - 1])) / (scale(y[first]) - scale(y[first - 1]))
    return np.append(x[:first], x[first - 1] + share * (x[first] - x[first - 1])), np.append(y[:first], high)


def mark_places(count, index, total):
    """Which observations carry the marker: a few, staggered from curve to curve so that they do not pile up."""
    every = max(1, count // 5)
    return slice(int(every * ((index * 0.38) % 1.0)), None, every)


def draw(content, size, title, subtitle, footnotes):
    styling.use(size)
    curves = content.curves
    strokes = styling.Strokes([c.method for c in curves], [c.threads for c in curves if not c.serial] or [1], size)
    log = is_log(content)
    low, high = height_limits(content, log)
    if math.isfinite(content.optimum):
        footnotes = [f"F* = {content.optimum:.7g}: {content.certified}."] + footnotes
    if not all(curve.typical for curve in curves):
        footnotes = ["Strong lines: of each method's seeds the one with the middle loss at the end; faint lines: the others."] + footnotes
    direct = size.legend_right and len({curve.key for curve in curves}) <= DIRECT_LABELS
    sheet = Sheet(size, title, subtitle, footnotes, [] if direct else legend(curves, strokes, math.isfinite(content.target)))
    em = size.type * POINT
    names = end_names(curves, content.target) if direct else {}
    room = max((sheet.width_of(name, size.type) for name in names.values()), default=-em) + em
    left, right = sheet.lay_out(2, left=4.6 * em, bottom=3.4 * em, right=max(room, 0) + em * 0.3, gap=2.2 * em)

    by_time = sheet.figure.add_axes(left)
    by_epoch = sheet.figure.add_axes(right, sharey=by_time)
    factor, unit = styling.time_unit(max(float(np.nanmax(curve.seconds)) for curve in curves))
    ends = []
    order = sorted(range(len(curves)), key=lambda i: (curves[i].typical, strokes.strength(curves[i].threads) if not curves[i].serial else 2))
    for panel, values in ((by_time, lambda c: c.seconds * factor), (by_epoch, lambda c: c.epoch)):
        for index in order:
            ends.append((panel, index) + draw_curve(panel, curves[index], values(curves[index]), strokes, index,
                                                    len(curves), high, log))
    if log:
        by_time.set_yscale("log")
        styling.log_ticks(by_time.yaxis, low, high)
    else:
        by_time.yaxis.set_major_formatter(ticker.FuncFormatter(styling.plain))
    by_time.set_ylim(low, high)
    by_time.set_ylabel("training loss − F*" if math.isfinite(content.optimum) else "training loss")
    by_epoch.tick_params(labelleft=False)
    time_axis(by_time, [c.seconds * factor for c in curves], f"time ({unit})")
    by_epoch.set_xlabel("epochs")
    by_epoch.set_xlim(0, max(float(np.nanmax(c.epoch)) for c in curves) * 1.02 or 1)
    by_epoch.xaxis.set_major_locator(ticker.MaxNLocator(6, integer=True))
    for panel in (by_time, by_epoch):
        panel.grid(True, which="major")
        if math.isfinite(content.target):
            panel.axhline(content.target, color=styling.QUIET, linewidth=size.stroke * 0.7, linestyle=(0, (2, 2)), zorder=2)
    last = {curves[index].key: (x, y, curve_look(curves[index], strokes)["color"])
            for panel, index, x, y in ends if panel is by_epoch}
    if TARGET in names:
        last[TARGET] = (by_epoch.get_xlim()[1], content.target, styling.QUIET)
    name_ends(by_epoch, last, names, size)
    return sheet.figure


def curve_look(curve, strokes):
    return strokes.line(curve.method, curve.threads, curve.serial)


def draw_curve(panel, curve, x, strokes, index, total, high, log):
    """Returns the curve's last point."""
    size = strokes.size
    x, y = cut_at_top(x, curve.height, high, log)
    look = curve_look(curve, strokes)
    if not curve.typical:
        look = {**look, "marker": "", "linewidth": size.stroke * 0.5, "alpha": 0.35}
    panel.add_line(Line2D(x, y, markevery=mark_places(len(x), index, total), **look))
    if curve.status in ENDS:
        mark, _ = ENDS[curve.status]
        for colour, width in (("white", 2.6), (strokes.colour(curve.method), 1.3)):
            panel.add_line(Line2D(x[-1:], y[-1:], marker=mark, markersize=size.marker * 2.1, color=colour,
                                  markeredgewidth=size.stroke * width, clip_on=False, zorder=8))
    return float(x[-1]), float(y[-1])


def time_axis(panel, times, label):
    """Log when the slowest run takes much longer than the fastest, else the fast ones would be a line at the left."""
    longest = [float(np.nanmax(time)) for time in times]
    starts = [float(time[time > 0].min()) for time in times if (time > 0).any()]
    high = max(longest) or 1.0
    if starts and min(longest) > 0 and high / min(longest) > 6:
        low = min(starts)
        for line in panel.lines:  # the observation at time 0 has no place on this axis
            line.set_data(np.where(np.asarray(line.get_xdata()) > 0, line.get_xdata(), np.nan), line.get_ydata())
        panel.set_xscale("log")
        panel.set_xlim(low * 0.9, high * 1.08)
        styling.log_ticks(panel.xaxis, low, high)
        panel.set_xlabel(f"{label}, log scale")
    else:
        panel.set_xlim(0, high * 1.02)
        panel.xaxis.set_major_locator(ticker.MaxNLocator(6))
        panel.xaxis.set_major_formatter(ticker.FuncFormatter(styling.plain))
        panel.set_xlabel(label)


def end_names(curves, target):
    """{key: name at the curve's end}; the thread count only where there is more than one. The target has the key TARGET."""
    many = len({curve.threads for curve in curves if not curve.serial}) > 1
    names = {TARGET: "target"} if math.isfinite(target) else {}
    for curve in curves:
        plural = "s" if curve.threads > 1 else ""
        name = curve.method + (f", {curve.threads} thread{plural}" if many and not curve.serial else "")
        stopped = [ENDS[other.status][1] for other in curves if other.key == curve.key and other.status in ENDS]
        names[curve.key] = ", ".join([name] + stopped[:1])
    return names


def name_ends(panel, last, names, size):
    """Writes each name beside its curve's end, pushed apart until none covers another. `last`: {key: (x, y, colour)}."""
    if not names:
        return
    step = size.type * 1.3 / (panel.get_position().height * panel.figure.get_size_inches()[1] * 72)
    share = {key: panel.transAxes.inverted().transform(panel.transData.transform((x, y)))[1]
             for key, (x, y, _) in last.items()}
    keys = sorted(share, key=lambda key: -share[key])
    places, above = {}, 1.0 + step
    for key in keys:
        above = places[key] = min(share[key], above - step)
    under = -step / 2
    for key in reversed(keys):  # lift what the push moved below the panel
        under = places[key] = max(places[key], under + step)
    for key in keys:
        x, y, colour = last[key]
        panel.annotate(names[key], xy=(x, y), xycoords="data", xytext=(1.05, places[key]), textcoords="axes fraction",
                       va="center", color=styling.INK, annotation_clip=False,
                       arrowprops=dict(arrowstyle="-", color=colour, linewidth=size.stroke * 0.6, shrinkA=1, shrinkB=2, relpos=(0, 0.5)))


def legend(curves, strokes, target):
    size = strokes.size
    methods, threads, ends = Block("method"), Block("threads"), Block("other marks")
    serial = {curve.method for curve in curves if curve.serial}
    most = strokes.thread_counts[-1]
    for method in strokes.methods:
        look = strokes.line(method, most, method in serial)
        methods.entries.append(Entry({**look, "marker": "", "linewidth": size.stroke * 1.5}, method))
    if any(not curve.serial for curve in curves):
        for count in strokes.thread_counts:
            colour = strokes.tint(styling.INK, count)
            look = {**strokes.line(strokes.methods[0], count, False), "color": colour, "linestyle": "solid"}
            threads.entries.append(Entry(look, str(count)))
    for status in dict.fromkeys(ENDS[curve.status] for curve in curves if curve.status in ENDS):
        ends.entries.append(Entry(dict(marker=status[0], color=styling.INK, linestyle="", markersize=size.marker * 1.7,
                                       markeredgewidth=size.stroke * 1.2), status[1]))
    if target:
        look = dict(color=styling.QUIET, linewidth=size.stroke * 0.7, linestyle=(0, (2, 2)))
        ends.entries.append(Entry(look, "target"))
    return [methods, threads, ends]
