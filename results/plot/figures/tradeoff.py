"""Statistical against hardware efficiency: updates to the target over updates per second on the way there.

Each mark is one configuration, the median over seeds with 95 % intervals of these medians. On a dotted diagonal the time to the target is
the same: down and to the right is sooner. What a method gains in speed by more workers and loses in updates is a step across them.
"""

import math

import numpy as np
from matplotlib.lines import Line2D

from plot.estimates import configurations, intervals
from plot.files import naming
from plot.files.axes import on_threads_alone
from plot.files.errors import NotDrawn
from plot.style import legends, scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

DIAGONALS = 7  # at most
LEAST = 0.5  # decades that the axis of updates spans, so that a few per cent do not look like much


def draw(runs, size, title, subtitle, footnotes):
    found = configurations.configurations(runs)
    if not configurations.has_target(found):
        raise NotDrawn("no run had a target, so updates to it are not known; --target gap:1e-2, or a score such as test_error:0.02, "
                       "sets one")
    chosen = configurations.best_variants(found)
    came = [one for one in chosen if math.isfinite(updates(one)) and math.isfinite(one.time)]
    configurations.refuse_targets_of_the_start(came)
    if len(came) < 2:
        raise NotDrawn("fewer than two configurations reached their target")
    styling.use(size)
    strokes = styling.Strokes([one.key for one in chosen], [one.key for one in came], size)
    sheet = Sheet(size, title, subtitle, [notes(found, chosen, came)] + footnotes, legend(strokes, came))
    em = size.type * POINT
    place, = sheet.lay_out(1, left=4.9 * em, bottom=3.4 * em, top=1.8 * em, right=em * 4.2, flat=1.25)
    draw_panel(sheet.figure.add_axes(place), came, strokes)
    return sheet.figure


def updates(one):
    return intervals.median(one.times("updates_to_target"))


def rates(one):
    """Updates per second up to the target, of the runs that came there."""
    return [count / seconds for count, seconds in zip(one.times("updates_to_target"), one.times()) if math.isfinite(seconds)]


def draw_panel(axes, came, strokes):
    size = strokes.size
    marks = [(one, intervals.median(rates(one)), updates(one), intervals.median_interval(rates(one)),
              intervals.median_interval(one.times("updates_to_target"))) for one in came]
    across = [value for _, x, _, span, _ in marks for value in (x, *span)]
    upwards = [value for _, _, y, _, span in marks for value in (y, *span) if math.isfinite(value)]
    scales.number_axis(axes.xaxis, *scales.Scale().widened(min(across), max(across), 0.1, 0.1), scales.Scale(), scales.counted)
    scales.number_axis(axes.yaxis, *scales.Scale().widened(min(upwards), max(upwards), 0.12, 0.12, LEAST), scales.Scale(), scales.counted)
    axes.set_xlabel(naming.counted_as(came[0].runs, "updates per second until the target (hardware efficiency)"))
    axes.set_ylabel(naming.counted_as(came[0].runs, "updates to target"))
    axes.grid(True, which="major")
    draw_diagonals(axes, size)
    for one, x, y, (left, right), (low, high) in marks:
        colour = strokes.colour(one.key)
        high = min(high, axes.get_ylim()[1])
        axes.add_line(Line2D([left, right], [y, y], color=colour, linewidth=size.stroke * 0.7, zorder=3))
        axes.add_line(Line2D([x, x], [low, high], color=colour, linewidth=size.stroke * 0.7, zorder=3))
        axes.add_line(Line2D([x], [y], zorder=6 if one.key.serial else 5, **mark_of(one.key, strokes)))


def mark_of(key, strokes):
    if key.serial:
        return dict(color=styling.BLACK, marker="*", linestyle="", markersize=strokes.size.marker * 2.6,
                    markeredgecolor="white", markeredgewidth=strokes.size.stroke * 0.4)
    return {**strokes.dot(key, 1.5), "marker": strokes.marker(key, "")["marker"]}


def draw_diagonals(axes, size):
    """Lines of one time to the target, at round times, named at the right or upper edge."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    span = np.log10(high / left) - np.log10(low / right)
    mantissas = (1,) if span > DIAGONALS else (1, 3) if span > DIAGONALS / 2 else (1, 2, 5)
    exponents = range(math.floor(math.log10(low / right)), math.ceil(math.log10(high / left)) + 1)
    for seconds in (mantissa * 10.0 ** exponent for exponent in exponents for mantissa in mantissas):
        start, end = max(left, low / seconds), min(right, high / seconds)
        if start >= end:
            continue
        axes.add_line(Line2D([start, end], [start * seconds, end * seconds], color=styling.QUIET, linewidth=size.stroke * 0.5,
                             linestyle=(0, (1, 2)), zorder=1.5))
        at_right = end == right
        axes.annotate(scales.duration(seconds), xy=(end, end * seconds), xytext=(3, 0) if at_right else (0, 3),
                      textcoords="offset points", ha="left" if at_right else "center", va="center" if at_right else "bottom",
                      color=styling.QUIET, fontsize=size.type * 0.82, annotation_clip=False)


def notes(found, chosen, came):
    text = ("Dotted: one time to the target; down and to the right is sooner. Marks: medians over seeds, with bootstrap 95 % "
            "intervals of these medians.")
    if len(came) < len(chosen):
        text += f" {len(chosen) - len(came)} of {len(chosen)} configurations missed their target and have no mark."
    if len(chosen) < len(found):
        text += " Of each method and number of workers the best variant; the report's table has all."
    return text


def legend(strokes, came):
    methods = {}
    for one in came:
        if not one.key.serial:
            methods[one.key.device, one.key.method] = one.key
    block = Block("method")
    if any(one.key.serial for one in came):
        serial = next(one.key for one in came if one.key.serial)
        block.entries.append(Entry(mark_of(serial, strokes), "serial"))
    for (device, method), key in methods.items():
        name = method if all(on_threads_alone(other) for other, _ in methods) else f"{method} ({device})"
        block.entries.append(Entry(strokes.dot(key, 1.5), name))
    workers = legends.workers(strokes, pale=False)
    for one in workers:
        for entry in one.entries:
            entry.look = {**entry.look, "linestyle": ""}
    return [block] + workers
