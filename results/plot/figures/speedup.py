"""Speed-up over the best serial code against workers: in updates per second, and useful, in time to the target.

Both are against the best serial code, not one thread of the parallel code: the black line at 1. The dotted line is what perfect
scaling of that code would give. A line is a variant of a method, or, of more than a reader tells apart, the best of them.
Points are ratios of expected costs over seeds, whiskers their 95 % interval, both as in verdicts.csv (costs.py). A
configuration whose every seed missed its target has no useful speed-up and stands, hollow, in the grey strip below all values.
"""

import math
from dataclasses import dataclass

from matplotlib.lines import Line2D

from plot.estimates import configurations, costs
from plot.figures import efficiency
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import legends, scales, styling
from plot.style.across import Across
from plot.style.canvas import POINT, Block, Entry, Sheet


@dataclass
class Panel:
    label: str
    points: list  # of efficiency.Point; `values` are the interval's low end, the ratio, and the high end


def draw(runs, size, title, subtitle, footnotes):
    found = configurations.configurations(runs)
    serial = configurations.best_serial(found)
    if serial is None:
        raise NotDrawn("no run of serial code, which speed-ups are against")
    others = [one for one in found if not one.key.serial]
    chosen = configurations.told_apart(others, lambda key: key._replace(threads=min(1, key.threads)))
    if not chosen:
        raise NotDrawn("serial code alone ran")
    shown = [panel for panel in (by_rate(chosen, serial), by_time(chosen, serial)) if panel]
    if not shown:
        raise NotDrawn("serial code has no updates per second")
    styling.use(size)
    points = [point for panel in shown for point in panel.points]
    if len(chosen) < len(others):  # the best may be another variant at each number of workers
        for point in points:
            point.key = point.key._replace(variant="")
    lines = {point.line for point in points}
    strokes = styling.Strokes(lines, lines, size)
    across = Across({point.key for point in points})
    sheet = Sheet(size, title, subtitle, [notes(points, others, chosen, serial)] + footnotes,
                  legend(points, strokes, across, serial))
    em = size.type * POINT
    stacked = not size.legend_right
    rows, columns = (len(shown), 1) if stacked else (1, len(shown))
    places = sheet.lay_out(columns, left=4.4 * em, bottom=3.4 * em, gap=4.8 * em, rows=rows, top=1.7 * em,
                           flat=0.85 if stacked else 1.0)
    for place, panel in zip(places, shown):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, panel, across, [(across.counts, across.counts)], strokes)
        across.name(axes)
    return sheet.figure


def by_rate(chosen, serial):
    """Updates per second over those of serial code."""
    label = naming.counted_as(serial.runs, "updates per second, times serial's")
    return panel(label, [point(one, costs.rate_speed_up(serial, one)) for one in chosen if one.rate > 0])


def by_time(chosen, serial):
    """Serial code's time to the target over each one's."""
    return panel("useful speed-up, in time to target", [point(one, costs.useful_speed_up(serial, one)) for one in chosen])


def panel(label, points):
    """None where serial code has nothing to compare: it never got there, or has no seed in common."""
    found = [one for one in points if one]
    return Panel(label, found) if found else None


def point(one, ratio):
    """Infinite where the target was missed; None where there is no ratio."""
    if not math.isfinite(ratio.value):
        return None
    if ratio.value == 0:
        return efficiency.Point(one.key, [math.inf], one.diverged * 2 > len(one.runs))
    return efficiency.Point(one.key, [ratio.low, ratio.value, ratio.high] if ratio.low == ratio.low else [ratio.value])


def draw_panel(axes, panel, across, ideals, strokes):
    """`ideals`: (places, speed-ups) of each dotted line."""
    size = strokes.size
    across.scale(axes, 1.42 if across.gpus or any(math.isinf(point.median) for point in panel.points) else 1.18)
    low, edge = ratio_axis(axes, panel, size, [float(value) for _, values in ideals for value in values])
    axes.grid(True, which="major", axis="y")
    for places, values in ideals:
        axes.add_line(Line2D(places, values, **efficiency.ideal_look(size)))
    axes.axhline(1.0, **efficiency.yardstick_look(strokes))
    efficiency.draw_points(axes, panel.points, across, strokes, edge)
    efficiency.draw_missed(axes, panel.points, across, strokes, edge, low)


def ratio_axis(axes, panel, size, ideals=()):
    """The axis of a panel's ratios, and its title. Returns where it begins, and the edge of the strip for what missed
    its target."""
    values, edge = [1.0, *shown_values(panel.points)], math.inf
    low, high = scales.Scale().widened(min(values), max([*values, *ideals]), 0.06, 0.08)
    if needs_strip(panel.points):
        edge = scales.number_axis_with_strip(axes, low, high, scales.plain, below=True)
    else:
        scales.number_axis(axes.yaxis, low, high, scales.Scale(), scales.plain)
    axes.set_title(panel.label, loc="left", color=styling.INK, pad=size.type * 0.7)
    return low, edge


def shown_values(points):
    """What has a height on a log axis: values and ends of intervals that are neither 0 nor infinite."""
    return [value for point in points for value in point.values if 0 < value < math.inf]


def needs_strip(points):
    """Whether a point stands in the strip for what missed its target, or an interval reaches down into it."""
    return any(math.isinf(point.median) or min(point.values) == 0 for point in points)


def notes(points, others, chosen, serial):
    text = f"Against the best serial code (black, 1). {what_points_are(points)}"
    if len(chosen) < len(others):
        text += (" Of each method and number of workers the variant with the least time to its target, else the lowest loss; "
                 "the report's table has all.")
    return text + batches([serial, *chosen])


def what_points_are(points):
    """With what of whiskers is drawn."""
    text = "Points: ratios of expected costs over seeds; "
    if not any(len(point.values) > 1 for point in points):
        return text + "fewer than three seeds have no intervals."
    text += "whiskers: their 95 % intervals, as in verdicts"
    return text + ("; one that reaches 0 ends in the grey strip." if any(min(point.values) == 0 for point in points) else ".")


def batches(drawn):
    """Whose steps take which batches, where these differ."""
    found = {}
    for one in drawn:
        found.setdefault(one.key.method, set()).update(run.axes["batch"] for run in one.runs if run.axes["batch"])
    if len(set().union(*found.values())) < 2:
        return ""
    said = (f"{method} {', '.join(sorted(of, key=naming.natural))}" for method, of in found.items() if of)
    return f" Batches: {'; '.join(said)}."


def legend(points, strokes, across, serial):
    ideal = "ideal scaling" if len(across.counts) > 1 else ""
    other = marks(points, strokes, f"best {serial.key.label}", ideal)
    return legends.methods(strokes, strokes.dotted) + legends.workers(strokes)[1:] + [other]


def marks(points, strokes, serial, ideal):
    """What is no method. `serial`, `ideal`: what the black and the dotted line are called; no `ideal`: there is none."""
    size, block = strokes.size, Block("other marks")
    block.entries.append(Entry(efficiency.yardstick_look(strokes), serial))
    if ideal:
        block.entries.append(Entry(efficiency.ideal_look(size), ideal))
    block.entries += legends.outcomes(points, size, "95 % interval")
    return block
