"""Kind of memory against update policy: updates per second and time to target, a map of each.

A cell is the best configuration of a device, kind of memory and policy (threads, streams, blocks ...), by medians over seeds. For
the rate it is the one with the most updates per second, for the time the soonest. The darker, the better. A cell that nobody ran has
a dash.
"""

import math

from cells import duration
from plot.estimates import configurations
from plot.figures import captions
from plot.files import naming
from plot.files.axes import DEVICES, MEMORIES
from plot.files.errors import NotDrawn
from plot.style import heat, styling
from plot.style.canvas import POINT, Sheet
from plot.style.scales import counted


def draw(runs, size, title, subtitle, footnotes):
    found = [one for one in configurations.configurations(runs) if not one.key.serial]
    kinds = [kind for kind in MEMORIES if any(memory(one) == kind for one in found)]
    if len(kinds) < 2:
        raise NotDrawn(f"runs of one kind of memory alone{f' ({kinds[0]})' if kinds else ''}")
    styling.use(size)
    rows = sorted({row(one) for one in found}, key=lambda pair: (DEVICES.index(pair[0]), pair[1]), reverse=True)
    cells = {}
    for one in found:
        cells.setdefault((row(one), memory(one)), []).append(one)
    panels = [(naming.counted_as(runs, "updates per second"), lambda group: max((one.rate for one in group if one.rate > 0), default=math.nan), counted, True)]
    if any(math.isfinite(one.time) for one in found):
        panels.append(("time to target", lambda group: min(one.time for one in group), duration, False))
    not_atomic = {memory(one) for one in found if any(run.not_atomic for run in one.runs)}
    notes = ["Of each cell the best configuration, medians over seeds; darker is better, a dash was not run."]
    notes += [captions.overwrite("†")] if not_atomic else []
    sheet = Sheet(size, title, subtitle, notes + footnotes, [])
    em = size.type * POINT
    names = [f"{naming.DEVICES[device]}, {policy}" for device, policy in rows]
    room = max(sheet.width_of(name, size.type * 0.92) for name in names) + em
    places = sheet.lay_out(1, left=room, bottom=3.2 * em, rows=len(panels), top=1.9 * em,
                           flat=max(2, len(rows)) * size.type * 2.3 * POINT / size.panel_height)
    columns = [kind.replace("-", "-\n") + ("†" if kind in not_atomic else "") for kind in kinds]
    for place, (label, value, form, more) in zip(places, panels):
        axes = sheet.figure.add_axes(place)
        values = [[value(cells[at, kind]) if (at, kind) in cells else math.nan for kind in kinds] for at in rows]
        heat.draw_map(axes, shares(values, more), [[text(number, form) for number in line] for line in values], columns, names, size)
        axes.set_title(label, loc="left", color=styling.INK, pad=size.type * 0.5)
    return sheet.figure


def memory(one):
    return one.runs[0].axes["memory"]


def row(one):
    axes = one.runs[0].axes
    return one.key.device, axes["update"] or axes["guard"] or axes["scheme"]


def shares(values, more):
    """0 for the worst to 1 for the best of a map, by their logarithms; a missed target has none."""
    finite = [math.log(value) for line in values for value in line if math.isfinite(value) and value > 0]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    span = high - low or 1.0
    share = lambda value: (math.log(value) - low) / span if more else (high - math.log(value)) / span
    return [[share(value) if math.isfinite(value) and value > 0 else math.nan for value in line] for line in values]


def text(value, form):
    return "–" if math.isnan(value) else "missed" if math.isinf(value) else form(value)
