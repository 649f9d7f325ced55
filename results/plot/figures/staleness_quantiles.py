"""How stale the weights are that steps read, where no counts but quantiles are there: those of summary.csv.

A thick bar from none to the median holds half of the steps. The next ends at 90 %, then 99 %, then 99.9 %; the line ends at the
largest. Dot: the mean. Medians over seeds. CPU threads and the GPU each count the steps of their own device; of a GPU there are
the median, 99 % and the largest.
"""

import math

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import configurations, intervals
from plot.figures import captions
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

QUANTILES = (("p50", "half of the steps", 0.62, 1.0), ("p90", "to 90 %", 0.46, 0.72), ("p99", "to 99 %", 0.3, 0.5),
             ("p999", "to 99.9 %", 0.16, 0.34))  # column, what it is, height of its bar, strength of its colour
MOST = 32  # rows


def draw(runs, size, title, subtitle, footnotes):
    found = configurations.configurations(runs)
    rows = [(one, prefix) for one in found if not one.key.serial for prefix in ("", "gpu_") if measured(one, prefix, "p50")]
    if not rows:
        raise NotDrawn("no run of several workers measured staleness; --telemetry sampled does")
    left_out = 0
    if len(rows) > MOST:
        best = configurations.best_variants(found)
        chosen = [row for row in rows if any(row[0] is one for one in best)]
        left_out, rows = len(rows) - len(chosen[:MOST]), chosen[:MOST]
    styling.use(size)
    strokes = styling.Strokes([one.key for one, _ in rows], [one.key for one, _ in rows], size)
    sheet = Sheet(size, title, subtitle, notes(left_out) + footnotes, legend(size))
    em = size.type * POINT
    both = any(prefix for _, prefix in rows)
    ending = lambda one, prefix: f", {one.key.workers}" + (f" ({'GPU' if prefix else 'CPU'})" if both else "")
    labels, pitch, room = sheet.row_labels([(one.key.label, ending(one, prefix)) for one, prefix in rows], size.width * 0.38)
    place, = sheet.lay_out(1, left=room + em, bottom=3.4 * em, top=0.6 * em, right=em,
                           flat=(len(rows) + 1) * pitch / size.panel_height)
    draw_rows(sheet.figure.add_axes(place), rows, labels, strokes)
    return sheet.figure


def measured(one, prefix, name):
    """Values over seeds, those of steps that nothing came between too."""
    found = [run.value(f"{prefix}staleness_{name}") for run in one.runs]
    return [value for value in found if math.isfinite(value)]


def draw_rows(axes, rows, labels, strokes):
    size = strokes.size
    largest = max(value for one, prefix in rows for value in measured(one, prefix, "max") + measured(one, prefix, "p50"))
    axes.set_xscale("symlog", linthresh=1, linscale=0.4)
    axes.set_xlim(0, max(2.0, largest * 1.15))
    axes.xaxis.set_major_locator(ticker.FixedLocator([0] + [10 ** power for power in range(0, 13) if 10 ** power <= largest]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(scales.counted))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("staleness")
    axes.grid(True, which="major", axis="x")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.yaxis.set_major_locator(ticker.FixedLocator(range(len(rows))))
    axes.set_yticklabels(labels)
    axes.tick_params(axis="y", length=0)
    for row, (one, prefix) in enumerate(rows):
        colour, start = strokes.colour(one.key), 0.0
        for name, _, height, strength in QUANTILES:
            values = measured(one, prefix, name)
            if values:
                end = intervals.median(values)
                axes.barh(row, end - start, left=start, height=height, color=styling.tint(colour, strength), linewidth=0, zorder=3)
                start = end
        if measured(one, prefix, "max"):
            top = intervals.median(measured(one, prefix, "max"))
            axes.add_line(Line2D([start, top], [row, row], color=colour, linewidth=size.stroke * 0.6, zorder=2.5))
            axes.add_line(Line2D([top], [row], marker="|", color=colour, markersize=size.marker * 1.6,
                                 markeredgewidth=size.stroke * 0.8, zorder=3))
        if measured(one, prefix, "mean"):
            axes.add_line(Line2D([intervals.median(measured(one, prefix, "mean"))], [row], zorder=5, clip_on=False, **mean_look(size)))


def mean_look(size):
    return dict(marker="o", linestyle="", color="white", markeredgecolor=styling.INK, markersize=size.marker,
                markeredgewidth=size.stroke * 0.7)


def notes(left_out):
    found = ["Staleness: steps of others that wrote between a step's read and its write; log scale from 1 up. A row without a bar was "
             "never stale.",
             "From quantiles, medians over seeds: no run has its staleness.csv."]
    return found + captions.left_out(left_out, captions.BEST)


def legend(size):
    block = Block("steps")
    for _, name, height, strength in QUANTILES:
        block.entries.append(Entry(dict(color=styling.tint(styling.INK, strength), linewidth=size.type * height, solid_capstyle="butt"),
                                   name))
    block.entries.append(Entry(dict(color=styling.INK, linewidth=size.stroke * 0.6), "to the largest"))
    block.entries.append(Entry(mean_look(size), "mean"))
    return [block]
