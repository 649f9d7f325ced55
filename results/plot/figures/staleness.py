"""How stale the weights are that steps read: a histogram and its tail for each method, a line for each variant and its workers.

Left is the share of the steps for each value of staleness. Right is the share of the steps that were at least so stale, which shows how
long the tail is. Both are of staleness.csv, all seeds together, on log scales; CPU threads and the GPU each count the steps of their own
device. Runs without such a file have the bars of their quantiles instead.
"""

import math

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import configurations
from plot.estimates.staleness_counts import histogram, pooled, tail
from plot.figures import captions, staleness_quantiles
from plot.files import naming
from plot.files.axes import SIDES
from plot.style import legends, scales, styling
from plot.style.canvas import POINT, Sheet

MOST = 6  # methods
FLAT = (1.0, 0.72, 0.58)  # share of the usual height, of one row of panels, of two, of more
BELOW = 1e-3  # of the axis' end: where a bin without a step stands


def draw(runs, size, title, subtitle, footnotes):
    rows, left_out = choose(configurations.configurations(runs))
    if not rows:
        return staleness_quantiles.draw(runs, size, title, subtitle, footnotes)
    styling.use(size)
    shown = [one.key for lines in rows.values() for one, _ in lines]
    strokes = styling.Strokes(shown, shown, size)
    sheet = Sheet(size, title, subtitle, notes(left_out) + footnotes, legend(strokes))
    em = size.type * POINT
    places = sheet.lay_out(2, left=4.9 * em, bottom=3.4 * em, right=em * 0.6, gap=5.2 * em, rows=len(rows), top=2.0 * em,
                           flat=FLAT[min(len(rows), len(FLAT)) - 1])
    limits = Limits([buckets for lines in rows.values() for _, buckets in lines])
    for number, ((method, _, device), lines) in enumerate(rows.items()):
        left, right = (sheet.figure.add_axes(place) for place in places[2 * number:2 * number + 2])
        both = len({of for _, _, of in rows}) > 1
        left.set_title(f"{method} ({naming.DEVICES[device]})" if both else method, loc="left", color=styling.INK, pad=size.type * 0.5)
        right.set_title("so stale or more", loc="left", color=styling.QUIET, pad=size.type * 0.5)
        for panel, low in ((left, limits.least_bin), (right, limits.least_tail)):
            draw_axes(panel, limits.longest, low)
        for one, buckets in lines:
            draw_line(left, right, buckets, strokes, one.key)
    return sheet.figure


def choose(found):
    """({(method, device of its workers, device that counted): [(configuration, buckets), ...]}, how many others were counted)."""
    counted = [one for one in found if not one.key.serial and any(run.staleness for run in one.runs)]
    rows = {}
    for one in configurations.told_apart(counted):
        for device in SIDES:
            buckets = pooled(one.runs, device)
            if buckets:
                rows.setdefault((*one.key.family, device), []).append((one, buckets))
    kept = dict(list(rows.items())[:MOST])
    return kept, len(counted) - len({one.key for lines in kept.values() for one, _ in lines})


class Limits:
    """The limits of all panels, so that they can be compared."""

    def __init__(self, all_buckets):
        self.longest = max(buckets[-1][1] for buckets in all_buckets)
        self.least_bin = min(height for buckets in all_buckets for _, _, height in histogram(buckets))
        self.least_tail = min(tail(buckets)[-1][1] for buckets in all_buckets)


def draw_axes(axes, longest, low):
    scales.number_axis(axes.yaxis, min(0.1, low) * 0.6, 1.6, scales.Scale(), scales.plain)
    axes.set_xscale("symlog", linthresh=1, linscale=0.4)
    axes.set_xlim(-0.8, max(2.5, longest * 1.15))
    powers = [10 ** power for power in range(0, 20) if 10 ** power <= longest]
    axes.xaxis.set_major_locator(ticker.FixedLocator([0] + powers[::math.ceil(len(powers) / 5) or 1]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(scales.counted))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("staleness")
    axes.set_ylabel("share of steps")
    axes.grid(True, which="major")


def draw_line(left, right, buckets, strokes, key):
    look = strokes.line(key)
    bottom = left.get_ylim()[0] * BELOW
    x, y = outline(histogram(buckets), bottom)
    left.add_line(Line2D(x, y, **{**look, "marker": "", "solid_joinstyle": "miter"}))
    x, y = zip(*tail(buckets))
    right.add_line(Line2D(x, y, drawstyle="steps-pre", **{**look, "markevery": (0.0 if len(x) < 3 else 0.06, 0.3)}))


def outline(bins, bottom):
    """The line around the bars of a histogram. A bin of `width` values from `first` on is drawn from half a value before them to
    half a value behind them. It goes down to `bottom` where the next bin is empty."""
    x, y = [bins[0][0] - 0.5], [bottom]
    for first, width, height in bins:
        if first - 0.5 > x[-1]:
            x += [x[-1], first - 0.5]
            y += [bottom, bottom]
        x += [first - 0.5, first + width - 0.5]
        y += [height, height]
    return x + x[-1:], y + [bottom]


def notes(left_out):
    found = ["Staleness: steps of others that wrote between a step's read and its write; log scale from 1 up. Left: a bin of several "
             "values shows the share for one. Steps of all seeds together."]
    return found + captions.left_out(left_out, captions.BEST)


def legend(strokes):
    return legends.methods(strokes) + legends.workers(strokes)
