"""Time to the target as bars: the median over seeds of each configuration, with its bootstrap 95 % interval.

Sorted, the soonest first. A bar that missed its target is an outline to the end of the axis, and says how many seeds came so far.
Times that are too far apart for one linear axis stand on a log scale, where a bar's length is no ratio.
"""

import math

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import configurations, intervals
from plot.figures import captions
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

MOST = 36  # bars; of more the best variant of each method and number of workers, and of these the soonest
LINEAR = 25  # longest over shortest time that a linear axis shows


def draw(runs, size, title, subtitle, footnotes):
    found = configurations.configurations(runs)
    if not configurations.has_target(found):
        raise NotDrawn("no run had a target; --target gap:1e-2, or a score such as test_error:0.02, sets one")
    if not any(math.isfinite(one.time) for one in found):
        raise NotDrawn("no configuration reached its target with more than half of its seeds")
    configurations.refuse_targets_of_the_start(found)
    shown, left_out = choose(found)
    styling.use(size)
    strokes = styling.Strokes([one.key for one in shown], [one.key for one in shown], size)
    sheet = Sheet(size, title, subtitle, notes(shown, left_out) + footnotes, legend(shown, strokes))
    em = size.type * POINT
    ending = lambda one: f", {one.key.workers}" if one.key.workers else ""
    labels, pitch, room = sheet.row_labels([(one.key.label, ending(one)) for one in shown], size.width * 0.38)
    place, = sheet.lay_out(1, left=room + em, bottom=3.4 * em, top=0.6 * em, right=em * 5.5,
                           flat=(len(shown) + 1) * pitch / size.panel_height)
    draw_bars(sheet.figure.add_axes(place), shown, labels, strokes)
    return sheet.figure


def choose(found):
    """(configurations, the soonest first; how many are not shown)."""
    shown = found if len(found) <= MOST else configurations.best_variants(found)
    shown = sorted(shown, key=lambda one: (one.time, one.key.serial, styling.order(one.key)))
    return shown[:MOST], len(found) - len(shown[:MOST])


def far_apart(values):
    return max(values) > LINEAR * min(values)


def draw_bars(axes, shown, labels, strokes):
    size = strokes.size
    spans = [intervals.median_interval(one.times()) for one in shown]
    finite = [value for one, span in zip(shown, spans) for value in (one.time, *span) if math.isfinite(value)]
    logarithmic = far_apart([one.time for one in shown if math.isfinite(one.time)])
    factor, unit, form = scales.time_form(finite)
    name = f"time to target ({unit})" if unit else "time to target"
    axes.set_ylim(len(shown) - 0.4, -0.6)
    if logarithmic:
        start, end = scales.Scale().widened(factor * min(finite), factor * max(finite), 0.12, 0.06)
        scales.number_axis(axes.xaxis, start, end, scales.Scale(), form)
    else:
        start, end = 0.0, factor * max(finite) * 1.04
        axes.set_xlim(start, end)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(6))
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(form))
    axes.set_xlabel(f"{name}, log scale" if logarithmic else name)
    axes.grid(True, which="major", axis="x")
    axes.yaxis.set_major_locator(ticker.FixedLocator(range(len(shown))))
    axes.set_yticklabels(labels)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    for row, (one, (low, high)) in enumerate(zip(shown, spans)):
        draw_bar(axes, row, one, factor * low, factor * high, (start, end, factor), strokes)


def draw_bar(axes, row, one, low, high, limits, strokes):
    size, colour, (start, end, factor) = strokes.size, strokes.colour(one.key), limits
    missed = math.isinf(one.time)
    value = end if missed else factor * one.time
    look = (dict(facecolor="white", edgecolor=colour, linestyle=(0, (2, 2)), linewidth=size.stroke * 0.6) if missed
            else dict(facecolor=styling.tint(colour, 0.55), edgecolor="none"))
    axes.barh(row, value - start, left=start, height=0.62, zorder=2, **look)
    if len(one.runs) > 1 and math.isfinite(low):
        axes.add_line(Line2D([low, min(high, end)], [row, row], color=styling.INK, linewidth=size.stroke * 0.9, zorder=4))
        for at in (low, *([high] if math.isfinite(high) else [])):
            axes.add_line(Line2D([at], [row], marker="|", color=styling.INK, markersize=size.marker * 1.5,
                                 markeredgewidth=size.stroke * 0.9, zorder=4))
    if not missed:
        axes.add_line(Line2D([value], [row], zorder=5, **strokes.dot(one.key)))
    if one.reached < len(one.runs):
        text = "missed" if not one.reached else f"{one.reached} of {len(one.runs)} seeds"
        axes.annotate(text, xy=(1.0, row), xycoords=("axes fraction", "data"), xytext=(size.type * 0.4, 0),
                      textcoords="offset points", va="center", color=styling.QUIET, fontsize=size.type * 0.86)


def notes(shown, left_out):
    found = ["Bars: the median over seeds; a seed that missed the target took forever. Lines: the median's bootstrap 95 % interval."]
    if far_apart([one.time for one in shown if math.isfinite(one.time)]):
        found.append("On the log scale lengths of bars are no ratios.")
    if any(math.isinf(one.time) for one in shown):
        found.append("Outlines: half of the seeds or more missed it; the number of seeds that came so far stands beside.")
    return found + captions.left_out(left_out, captions.BEST)


def legend(shown, strokes):
    block, seen = Block("method"), {}
    for one in sorted(shown, key=lambda one: styling.order(one.key)):
        seen.setdefault(one.key.method, one.key)
    for method, key in seen.items():
        bar = dict(color=styling.tint(strokes.colour(key), 0.55), linewidth=strokes.size.type * 0.7, linestyle="solid", solid_capstyle="butt")
        block.entries.append(Entry({**strokes.dot(key), **bar}, method))
    return [block]
