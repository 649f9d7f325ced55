"""Updates per second, updates to target and time to target against threads: hardware, statistical and useful efficiency.

Each point is the median over seeds, its whisker their range, into the strip where a seed missed the target. The yardstick is the best
serial code (a black line), not one thread of the parallel code. The dotted line is what perfect scaling of that code would give. A run that
diverged is a cross. One that missed the target takes longer than any axis: it stands in a strip of its own above the panel's values. Lines
of different methods are set apart by a few points, so that whiskers show; their values are at true thread counts. A GPU alone has no
threads. Its runs stand in a room of their own to the right (across.py), each as a piece of its line. So do runs of the only thread count.
"""

import math
import statistics
from dataclasses import dataclass, replace

from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from plot.estimates import choosing
from plot.figures import captions
from plot.files import naming
from plot.files.axes import THREADS
from plot.style import legends, scales, styling
from plot.style.across import Across
from plot.style.canvas import POINT, Block, Entry, Sheet


PIECE = (0.82, 1.22)  # of a thread count: what a line with a single point takes
SIDE_BY_SIDE = 6  # places that a panel beside others has room for


@dataclass
class Point:
    key: naming.Key
    values: list  # one per seed; infinite for a run that missed the target
    diverged: bool = False  # any seed did

    @property
    def threads(self):
        return max(1, self.key.threads)

    @property
    def x(self):
        """Where it stands on the axis."""
        return self.threads

    @property
    def serial(self):
        return self.key.serial

    @property
    def gpu(self):
        """On a GPU alone."""
        return self.key.on_gpu_alone

    @property
    def line(self):
        return self.key._replace(threads=min(1, self.key.threads))

    @property
    def median(self):
        """The median of the seeds; with an even number, one of the two middle runs missing the target means never."""
        return statistics.median(self.values)


@dataclass
class Panel:
    column: str
    label: str
    form: object  # tick text
    ideal: object  # (best serial value, threads) -> value of perfect scaling
    more_is_better: bool
    unit: str = ""


PANELS = (
    Panel("updates_per_second", "updates per second", scales.counted, lambda best, threads: best * threads, True),
    Panel("updates_to_target", "updates to target", scales.counted, lambda best, threads: best, False),
    Panel("seconds_to_target", "time to target", scales.plain, lambda best, threads: best / threads, False),
)


def worth_drawing(runs):
    """A scaling figure needs a parallel method at two thread counts, on two devices or as two lines of a GPU."""
    found = {key for key in naming.keys(runs).values() if not key.serial}
    gpus = [key for key in found if key.on_gpu_alone]
    return len({(key.threads, key.device) for key in found}) > 1 or len(gpus) > 1


def gather(runs, panel):
    """Points of one panel. Runs without the value are left out, except that a missed target counts as never."""
    keys = naming.keys(runs)
    cells = {}
    for run in runs:
        value = run.totals[panel.column]
        if not panel.more_is_better and not math.isfinite(value) and math.isfinite(run.totals["target"]):
            value = math.inf
        if math.isnan(value) or value <= 0:
            continue
        point = cells.setdefault(keys[id(run)], Point(keys[id(run)], []))
        point.values.append(value)
        point.diverged |= run.diverged
    return list(cells.values())


def panels_of(runs):
    """[(panel, points)] of the panels that have something to show; targets need a finite point."""
    drawn = [(replace(panel, label=naming.counted_as(runs, panel.label)), gather(runs, panel)) for panel in PANELS]
    return [(panel, points) for panel, points in drawn if any(math.isfinite(point.median) for point in points)]


def in_short_unit(panel, points):
    """The same panel in seconds, milliseconds or minutes."""
    factor, unit, form = scales.time_form([value for point in points for value in point.values if math.isfinite(value)])
    return (replace(panel, unit=unit, form=form),
            [replace(point, values=[value * factor for value in point.values]) for point in points])


def best(panel, points):
    """The best of those points; None where all of them missed their target."""
    found = [point for point in points if math.isfinite(point.median)]
    return (max if panel.more_is_better else min)(found, key=lambda point: point.median, default=None)


def best_serial(panel, points):
    return best(panel, [point for point in points if point.serial])


def yardstick(panel, points):
    """(best value, what it is): the best serial code, or the best single thread where nothing ran serially."""
    threads = [point for point in points if point.threads == 1 and point.key.on_threads_alone]
    for found, name in ((best_serial(panel, points), "serial"), (best(panel, threads), "best at 1 thread")):
        if found:
            return found.median, name
    return math.nan, ""


def draw(runs, size, title, subtitle, footnotes):
    styling.use(size)
    shown = [in_short_unit(*pair) if pair[0].column == "seconds_to_target" else pair for pair in panels_of(runs)]
    if not shown:
        return None
    points = [point for _, drawn in shown for point in drawn]
    strokes = strokes_of(runs, points, size)
    across = Across({point.key for point in points})
    sheet = Sheet(size, title, subtitle, notes(shown, across, strokes) + footnotes, legend(points, shown, strokes, across))
    em = size.type * POINT
    stacked = not size.legend_right or across.places > SIDE_BY_SIDE
    rows, columns = (len(shown), 1) if stacked else (1, len(shown))
    places = sheet.lay_out(columns, left=4.4 * em, bottom=(2.9 if stacked else 3.4) * em, gap=4.8 * em, rows=rows,
                           top=(1.3 if stacked else 1.7) * em, flat=0.72 if not size.legend_right else 0.55 if stacked else 1.0)
    wide = across.gpus or any(math.isinf(point.median) for point in points)  # missed ones stand side by side
    margin = 1.42 if wide else 1.18
    for place, (panel, drawn) in zip(places, shown):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, panel, drawn, across, strokes, margin)
        if not stacked or panel is shown[-1][0]:
            across.name(axes)
    return sheet.figure


def notes(shown, across, strokes):
    """What the best is, where GPUs stand, what is not atomic."""
    found, points = [], [point for _, drawn in shown for point in drawn]
    serial = [best_serial(panel, drawn).key.variant for panel, drawn in shown if best_serial(panel, drawn)]
    if any(serial):
        each = "; ".join(serial) if len(set(serial)) > 1 else serial[0]
        found.append(f"Black: in each panel the best serial code ({each}).")
    if len({point.line for point in points if not point.serial}) > len(strokes.strong):
        where = " on each device" if across.gpus else ""
        found.append(f"Strong: of each method{where} the best variant, by the time to its loss; faint: the others.")
    if across.gpus and across.counts:
        found.append("At GPU: runs on a GPU alone, which have no threads, by method and by rising streams × blocks.")
    if any(naming.NOT_ATOMIC in point.key.variant for point in points):
        found.append(captions.overwrite())
    return [" ".join(found)] if found else []


def strokes_of(runs, points, size):
    """Strokes of the parallel methods' lines; strong are all, or the best variant of each method."""
    lines = {point.line for point in points if not point.serial}
    best = {key._replace(threads=min(1, key.threads)) for key in choosing.best_keys(runs, naming.keys(runs))}
    return styling.Strokes(lines, lines if choosing.readable(lines) else lines & best, size)


def draw_panel(axes, panel, points, across, strokes, margin):
    size, counts = strokes.size, across.counts
    finite = [value for point in points for value in point.values if math.isfinite(value)]
    value, _ = yardstick(panel, points)
    ideal = [panel.ideal(value, count) for count in counts or [1]] if math.isfinite(value) else []
    low, high = scales.Scale().widened(min(finite + ideal), max(finite + ideal), 0.06, 0.08)
    missing = any(math.isinf(value) for point in points for value in point.values)

    across.scale(axes, margin)
    if missing:
        edge = scales.number_axis_with_strip(axes, low, high, panel.form)
    else:
        scales.number_axis(axes.yaxis, low, high, scales.Scale(), panel.form)
    axes.set_title(panel.label + (f" ({panel.unit})" if panel.unit else ""), loc="left", color=styling.INK, pad=size.type * 0.7)
    axes.grid(True, which="major", axis="y")

    if ideal:
        axes.add_line(Line2D(counts, ideal[:len(counts)], **ideal_look(size)))
        axes.axhline(value, **yardstick_look(strokes))
    draw_points(axes, points, across, strokes, edge if missing else math.inf)
    draw_missed(axes, points, across, strokes, edge if missing else math.inf, high)


def draw_points(axes, points, across, strokes, edge):
    """Lines over columns and pieces in rooms; what is infinite in a room stands at `edge`, the middle of the strip."""
    size = strokes.size
    lines, threaded = {}, [key for key in strokes.strong if key.threads]
    for point in sorted(points, key=lambda point: styling.order(point.key)):
        if point.gpu or across.lone and not point.serial:
            draw_piece(axes, point, across, strokes, edge)
        elif not point.serial and math.isfinite(point.median):
            lines.setdefault(point.line, []).append(point)
    for key, line in lines.items():
        if key in strokes.strong:
            step = min(0.35, 2.4 / len(threaded)) * size.marker
            draw_line(axes, line, strokes, step * (threaded.index(key) - (len(threaded) - 1) / 2))
        else:
            axes.add_line(Line2D([p.x for p in line], [p.median for p in line], marker=".", markersize=size.marker,
                                 **strokes.faint(key)))


def draw_missed(axes, points, across, strokes, edge, end):
    """What is infinite, side by side in the strip from `end`, within its own column."""
    size = strokes.size
    for place in across.columns:
        missed = [p for p in points if p.key.threads and p.x == place and math.isinf(p.median)]
        step = min(1.3 * size.marker, 0.8 * apart(axes, across.columns) / max(1, len(missed)))
        for index, point in enumerate(missed):
            lift = 1.0 if len(missed) < 3 else (edge / end) ** (0.4 if index % 2 else -0.4)
            mark(axes, edge * lift, point, strokes, step * (index - (len(missed) - 1) / 2))


def apart(axes, columns):
    """Points of paper between the nearest two columns."""
    places = [float(axes.transData.transform((column, 1.0))[0]) for column in columns]
    return min((after - before for before, after in zip(places, places[1:])), default=100.0) / axes.figure.dpi * 72


def aside(axes, points):
    """Data coordinates, moved to the right by so many points of paper."""
    return dict(transform=axes.transData + ScaledTranslation(points * POINT, 0, axes.figure.dpi_scale_trans))


def draw_line(axes, line, strokes, points_aside):
    """One method's finite points: a line, its dots, and whiskers over seeds."""
    size, colour, place = strokes.size, strokes.colour(line[0].key), aside(axes, points_aside)
    lone = not line[0].key.on_threads_alone and len(line) == 1  # a piece of the line, which shows its dashes
    ends = [(line[0].x * by, line[0].median) for by in PIECE] if lone else [(p.x, p.median) for p in line]
    axes.add_line(Line2D(*zip(*ends), color=colour, zorder=4,
                         **strokes.form(line[0].key, size.stroke * 1.15), **place))
    for point in line:
        x = point.x
        axes.add_line(Line2D([x, x], whisker(axes, point), color=colour, linewidth=size.stroke * 0.8, zorder=3, **place))
        if point.diverged:
            mark(axes, point.median, point, strokes, points_aside)
        else:
            axes.add_line(Line2D([x], [point.median], zorder=5, **strokes.dot(point.key, 1.15), **place))


def draw_piece(axes, point, across, strokes, edge):
    """A piece of its line, as in the legend, with a whisker over seeds; in the strip where it missed its target."""
    left, middle, right = across.place(point.key)
    if math.isinf(point.median) or point.diverged:
        mark(axes, min(point.median, edge), point, strokes, 0.0, middle)
        return
    look = strokes.line(point.line) if point.line in strokes.strong else strokes.faint(point.key)
    axes.add_line(Line2D([middle] * 2, whisker(axes, point), color=look["color"], linewidth=strokes.size.stroke * 0.8, zorder=3))
    axes.add_line(Line2D([left, middle, right], [point.median] * 3, **{**look, "markevery": [1]}))


def whisker(axes, point):
    """(low, high) of its values; an end at 0 or at infinity is that of the axis, through the strip where there is one."""
    low, high = axes.get_ylim()
    return max(low, min(point.values)), min(high, max(point.values))


def mark(axes, y, point, strokes, points_aside, x=None):
    """A cross for a diverged run, a hollow triangle for one that only missed its target."""
    size = strokes.size
    colour = strokes.colour(point.key) if point.line in strokes.strong else strokes.faint(point.key)["color"]
    face = styling.hollow_of(styling.look_of(point.key.method).form, size, size.stroke * 1.2)
    axes.add_line(Line2D([x or point.x], [y], marker="x" if point.diverged else "^", color=colour,
                         linestyle="", markersize=size.marker * (1.9 if point.diverged else 1.5),
                         clip_on=False, zorder=7, **face, **aside(axes, points_aside)))


def ideal_look(size):
    return dict(color=styling.QUIET, linewidth=size.stroke * 0.8, linestyle=(0, (1.5, 2)), zorder=2)


def yardstick_look(strokes):
    return dict(color=styling.BLACK, linewidth=strokes.size.stroke * 2.0, linestyle="solid", zorder=2.5)


def legend(points, shown, strokes, across):
    size, marks = strokes.size, Block("other marks")
    blocks = legends.methods(strokes, strokes.dotted) or [Block("method")]
    name = yardstick(*shown[0])[1]
    if name:
        yard = Entry(yardstick_look(strokes), name)
        if blocks[0].heading in ("method", naming.DEVICES[THREADS]):
            blocks[0].entries.insert(0, yard)
        else:
            blocks.insert(0, Block(naming.DEVICES[THREADS], [yard]))
    if name and len(across.counts) > 1:
        marks.entries.append(Entry(ideal_look(size), "ideal scaling"))
    marks.entries += legends.outcomes(points, size, "range over seeds")
    return blocks + legends.workers(strokes)[1:] + [marks]
