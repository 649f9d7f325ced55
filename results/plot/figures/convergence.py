"""Loss against time and against epochs, every run in one figure.

The height is the suboptimality F(w) - F* on a log scale where a certified lower bound on F* is known, else the training
loss. The two panels share it, so that a method's statistical efficiency (epochs) and what its hardware makes of it
(seconds) are read on one line. A run that diverged ends in a cross where it left the panel, and an interrupted one in a bar.
"""

import math

import numpy as np
from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.figures import captions
from plot.files.axes import TROUBLES, is_diverged
from plot.style import legends, scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

DIRECT_LABELS = 6  # up to so many curves are named at their ends
LONGEST_LABEL = 34  # letters of such a name; a legend wraps longer ones
TARGET = ("target", "", -1)  # a key that no curve has
CROSS, BAR = ("x", "diverged"), ("|", "interrupted")  # marks of lines that did not come to their end, and their names
ENDS = {status: CROSS if is_diverged(status) else BAR for status in TROUBLES}


def draw(content, size, title, subtitle, footnotes):
    styling.use(size)
    curves = content.curves
    strokes = styling.CurveStrokes(curves, size)
    direct = size.legend_right and named_at_ends(curves, strokes)
    sheet = Sheet(size, title, subtitle, captions.notes(content) + footnotes, [] if direct else legend(content, strokes))
    em = size.type * POINT
    names = end_names(content, strokes) if direct else {}
    room = max((sheet.width_of(name, size.type) for name in names.values()), default=-em) + em
    left, right = sheet.lay_out(2, left=4.9 * em, bottom=3.4 * em, right=max(room, 0) + em * 0.3, gap=scales.BESIDE * em)
    by_time, by_epoch = panels(sheet, left, right, content)
    factor = time_axis(by_time, curves)
    for panel, values in ((by_time, lambda curve: curve.seconds * factor), (by_epoch, lambda curve: curve.epoch)):
        for index, curve in enumerate(curves):
            draw_curve(panel, curve, values(curve), strokes, index * 0.38 % 1.0, content)
        panel.grid(True, which="major")
        if math.isfinite(content.target):
            panel.axhline(content.target, **target_look(size))
    epoch_axis(by_epoch, max(float(curve.epoch[curve.end]) for curve in curves))
    ends = {curve.key: (float(curve.epoch[curve.end]), float(curve.line[curve.end]), strokes.line(curve.key)["color"])
            for curve in curves if curve.typical and curve.key in names}
    if TARGET in names:
        ends[TARGET] = (by_epoch.get_xlim()[1], content.target, styling.QUIET)
    name_ends(by_epoch, ends, names, size)
    return sheet.figure


def panels(sheet, left, right, content):
    """The panels of the loss by time and by epochs, on one axis of losses."""
    by_time = sheet.figure.add_axes(left)
    by_epoch = sheet.figure.add_axes(right, sharey=by_time)
    scales.number_axis(by_time.yaxis, content.low, content.high, content.scale, scales.plain)
    by_time.set_ylabel("training loss − F*" if math.isfinite(content.optimum) else "training loss")
    by_epoch.tick_params(labelleft=False)
    return by_time, by_epoch


def target_look(size):
    return dict(color=styling.QUIET, linewidth=size.stroke * 0.7, linestyle=(0, (2, 2)), zorder=2)


def draw_curve(panel, curve, x, strokes, stagger, content):
    size, look = strokes.size, strokes.faint(curve.key)
    if curve.diverged:
        main_x, main_y = leaving(curve, x, content)
    else:
        kept = np.isfinite(curve.line) & (np.arange(len(x)) <= curve.end)
        main_x, main_y = x[kept], curve.line[kept]
        if curve.strong and content.raw:
            if not (curve.typical and curve.as_measured):  # whose line goes through all of them
                panel.add_line(Line2D(x, curve.height, **strokes.dots(curve.key)))
            outside = curve.height > content.high
            outside[:1] &= not curve.started
            panel.add_line(Line2D(x[outside], np.full(outside.sum(), content.high), linestyle="", marker="^", clip_on=False,
                                  markersize=size.marker, markeredgewidth=0, color=strokes.colour(curve.key), zorder=7))
    if curve.strong and curve.typical:
        every = max(1, len(main_x) // 5)  # a few markers, staggered from curve to curve so that they do not pile up
        look = {**strokes.line(curve.key), "markevery": slice(int(every * stagger), None, every)}
    if curve.typical or curve.diverged or not (curve.strong and content.raw):
        panel.add_line(Line2D(main_x, main_y, **look))
    if curve.status in ENDS:
        draw_end(panel, curve, main_x[-1], main_y[-1], x[curve.end], strokes, content.high)


def leaving(curve, x, content):
    """A diverged run as observed, up to where it leaves the panel for good, that point included."""
    finite, at_end = np.isfinite(curve.height), x[curve.end:curve.end + 1]
    x, y = x[finite], curve.height[finite]
    last = int(np.flatnonzero(y <= content.high)[-1]) if (y <= content.high).any() else -1
    if last == len(y) - 1:
        return x, y
    if last < 0:
        return at_end, np.array([content.high])
    share = content.scale.share(content.high, y[last], y[last + 1])
    return np.append(x[:last + 1], x[last] + share * (x[last + 1] - x[last])), np.append(y[:last + 1], content.high)


def draw_end(panel, curve, x, y, x_of_no_number, strokes, high):
    """A cross or a bar; a run that diverged inside the panel leaves it at the top."""
    size, colour = strokes.size, strokes.colour(curve.key)
    if curve.diverged and y < high:
        panel.add_line(Line2D([x, x_of_no_number], [y, high], color=colour, linestyle=(0, (1, 1.6)),
                              linewidth=size.stroke, zorder=5))
        x, y = x_of_no_number, high
    for ink, width in (("white", 2.6), (colour, 1.3)):
        panel.add_line(Line2D([x], [y], marker=ENDS[curve.status][0], markersize=size.marker * 2.1, color=ink,
                              markeredgewidth=size.stroke * width, clip_on=False, zorder=8))


def first_times(curves):
    """The times of the runs' first observations, where a log scale begins."""
    return [float(curve.seconds[curve.seconds > 0].min()) for curve in curves if (curve.seconds > 0).any()]


def far_apart(curves):
    """Whether the slowest run takes much longer than the fastest, which would be a line at the left of a linear axis."""
    steady = [float(curve.seconds[curve.end]) for curve in curves if curve.done]
    return bool(first_times(curves) and steady and min(steady) > 0 and max(steady) / min(steady) > 6)


def time_axis(panel, curves):
    """Scales the axis and names it; returns the factor from seconds to its numbers."""
    logarithmic, longest = far_apart(curves), max(float(curve.seconds[curve.end]) for curve in curves)
    factor, unit, form = scales.time_form((first_times(curves) if logarithmic else []) + [longest])
    label, high = f"time ({unit})" if unit else "time", factor * longest or 1.0
    if logarithmic:
        scales.number_axis(panel.xaxis, factor * min(first_times(curves)) * 0.9, high * 1.08, scales.Scale(), form)
        panel.set_xlabel(f"{label}, log scale")
    else:
        panel.set_xlim(0, high * 1.02)
        panel.xaxis.set_major_locator(ticker.MaxNLocator(6))
        panel.xaxis.set_major_formatter(ticker.FuncFormatter(scales.plain))
        panel.set_xlabel(label)
    return factor


def epoch_axis(panel, longest):
    panel.set_xlabel("epochs")
    panel.set_xlim(0, longest * 1.02 or 1)
    panel.xaxis.set_major_locator(ticker.MaxNLocator(6, integer=longest > 2))
    panel.xaxis.set_major_formatter(ticker.FuncFormatter(scales.plain))


def named_at_ends(curves, strokes):
    """Whether names fit at the ends of the curves. They do where they are few and short, all of them reach the right side,
    and colours tell them apart. A name has no sample of dashes."""
    reach = [curve.epoch[curve.end] for curve in curves]
    lines = {(curve.key.family, curve.key.variant) for curve in curves}
    return (len({curve.key for curve in curves}) <= DIRECT_LABELS and min(reach) > 0.9 * max(reach)
            and len({strokes.colour(curve.key) for curve in curves}) == len(lines)
            and max(len(curve.key.label) for curve in curves) <= LONGEST_LABEL
            and all(curve.done and curve.key.on_threads_alone for curve in curves))


def end_names(content, strokes):
    """{key: name at the curve's end}; the thread count only where there is more than one. The target has the key TARGET."""
    names = {TARGET: "target"} if math.isfinite(content.target) else {}
    for key in strokes.strong:
        names[key] = key.label_with_workers if many_workers(strokes) else key.label
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


def legend(content, strokes):
    size, many = strokes.size, many_workers(strokes)
    chosen = "" if all(curve.strong for curve in content.curves) else content.among or "best variant"
    others = Block("other marks")
    if chosen:
        faint = dict(color=styling.QUIET, linewidth=size.stroke * 0.5)
        others.entries.append(Entry(faint, "another variant"))
    for status in dict.fromkeys(ENDS[curve.status] for curve in content.curves if curve.status in ENDS):
        others.entries.append(Entry(dict(marker=status[0], color=styling.INK, linestyle="", markersize=size.marker * 1.7,
                                         markeredgewidth=size.stroke * 1.2), status[1]))
    if math.isfinite(content.target):
        others.entries.append(Entry(target_look(size), "target"))
    return legends.methods(strokes, chosen=chosen, workers=many) + ([] if chosen and many else legends.workers(strokes)) + [others]


def many_workers(strokes):
    return len(strokes.thread_counts) > 1 or len(strokes.grids) > 1
