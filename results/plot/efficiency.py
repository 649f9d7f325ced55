"""Updates per second, updates to target and time to target against threads: hardware, statistical and useful efficiency.

Each point is the median over seeds, its whisker their range. The yardstick is the best serial code (a black line), not
one thread of the parallel code; the dotted line is what perfect scaling of that code would give. A run that diverged is
a cross. One that missed the target takes longer than any axis: it stands in a strip of its own above the panel's values.
Lines of different methods are set apart by a few points, so that whiskers show; their values are at true thread counts.
"""

import math
import statistics
from dataclasses import dataclass, replace

from matplotlib import ticker
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from plot import choosing, naming, scales, styling
from plot.canvas import POINT, Block, Entry, Sheet


@dataclass
class Point:
    key: naming.Key
    values: list  # one per seed; infinite for a run that missed the target
    diverged: bool = False  # any seed did

    @property
    def threads(self):
        return max(1, self.key.threads)

    @property
    def serial(self):
        return self.key.threads == 0

    @property
    def line(self):
        return self.key._replace(threads=min(1, self.key.threads))

    @property
    def median(self):
        """Of the seeds; with an even number, one of the two middle runs missing the target means never."""
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
    """A scaling figure needs a parallel method at two thread counts."""
    return len({run.threads for run in runs if run.axes["scheme"] != "serial"}) > 1


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
        point.diverged |= run.status == "diverged"
    return list(cells.values())


def panels_of(runs):
    """[(panel, points)] of the panels that have something to show; targets need a finite point."""
    drawn = [(panel, gather(runs, panel)) for panel in PANELS]
    return [(panel, points) for panel, points in drawn if any(math.isfinite(point.median) for point in points)]


def in_short_unit(panel, points):
    """The same panel in seconds, milliseconds or minutes."""
    factor, unit = scales.time_unit(max(value for point in points for value in point.values if math.isfinite(value)))
    return (replace(panel, unit=unit),
            [replace(point, values=[value * factor for value in point.values]) for point in points])


def yardstick(panel, points):
    """(best value, what it is): the best serial code, or the best single thread where nothing ran serially."""
    for wanted, name in ((lambda p: p.serial, "serial"), (lambda p: p.threads == 1, "best at 1 thread")):
        values = [point.median for point in points if wanted(point) and math.isfinite(point.median)]
        if values:
            return (max(values) if panel.more_is_better else min(values)), name
    return math.nan, ""


def draw(runs, size, title, subtitle, footnotes):
    styling.use(size)
    shown = [in_short_unit(*pair) if pair[0].column == "seconds_to_target" else pair for pair in panels_of(runs)]
    if not shown:
        return None
    points = [point for _, drawn in shown for point in drawn]
    counts = sorted({point.threads for point in points if not point.serial})
    strokes = strokes_of(runs, points, size)
    faint = len({point.line for point in points if not point.serial}) > len(strokes.strong)
    notes = ["Strong: of each method the best variant, by the time to its loss; faint: the others."] if faint else []
    sheet = Sheet(size, title, subtitle, notes + footnotes, legend(points, shown, strokes))
    em = size.type * POINT
    stacked = not size.legend_right
    rows, columns = (len(shown), 1) if stacked else (1, len(shown))
    places = sheet.lay_out(columns, left=4.4 * em, bottom=(2.9 if stacked else 3.4) * em, gap=4.8 * em, rows=rows,
                           top=(1.3 if stacked else 1.7) * em, flat=0.72 if stacked else 1.0)
    margin = 1.42 if any(math.isinf(point.median) for point in points) else 1.18  # missed ones stand side by side
    for place, (panel, drawn) in zip(places, shown):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, panel, drawn, counts, strokes, margin)
        if not stacked or panel is shown[-1][0]:
            axes.set_xlabel("threads")
    return sheet.figure


def strokes_of(runs, points, size):
    """Strokes of the parallel methods' lines; strong are all, or the best variant of each method."""
    lines = {point.line for point in points if not point.serial}
    best = {key._replace(threads=1) for key in choosing.best_keys(runs, naming.keys(runs))}
    return styling.Strokes(lines, lines if choosing.readable(lines) else lines & best, size)


def draw_panel(axes, panel, points, counts, strokes, margin):
    size = strokes.size
    finite = [value for point in points for value in point.values if math.isfinite(value)]
    best, _ = yardstick(panel, points)
    ideal = [panel.ideal(best, count) for count in counts] if math.isfinite(best) else []
    low, high = scales.Scale().widened(min(finite + ideal), max(finite + ideal), 0.06, 0.08)
    edge = high * (high / low) ** 0.06  # the middle of the strip
    missing = any(math.isinf(point.median) for point in points)

    axes.set_xscale("log", base=2)
    axes.set_xlim(counts[0] / margin, counts[-1] * margin)
    scales.number_axis(axes.yaxis, low, edge * edge / high if missing else high, scales.Scale(), panel.form)
    if missing:  # the strip has no values
        axes.axhspan(high, edge * edge / high, color=styling.FAINT, alpha=0.55, linewidth=0, zorder=0)
        for minor in (False, True):
            axes.set_yticks([tick for tick in axes.yaxis.get_ticklocs(minor=minor) if low <= tick <= high], minor=minor)
    axes.xaxis.set_major_locator(ticker.FixedLocator(readable(counts)))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:.0f}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_title(panel.label + (f" ({panel.unit})" if panel.unit else ""), loc="left", color=styling.INK, pad=size.type * 0.7)
    axes.grid(True, which="major")

    if ideal:
        axes.add_line(Line2D(counts, ideal, **ideal_look(size)))
        axes.axhline(best, **yardstick_look(strokes))
    lines = {}
    for point in sorted(points, key=lambda point: styling.order(point.key)):
        if not point.serial and math.isfinite(point.median):
            lines.setdefault(point.line, []).append(point)
    for key, line in lines.items():
        if key in strokes.strong:
            step = min(0.35, 2.4 / len(strokes.strong)) * size.marker
            draw_line(axes, line, strokes, step * (strokes.strong.index(key) - (len(strokes.strong) - 1) / 2))
        else:
            axes.add_line(Line2D([p.threads for p in line], [p.median for p in line], marker=".", markersize=size.marker,
                                 **strokes.faint(key)))
    for count in counts:
        missed = [p for p in points if p.threads == count and not p.serial and math.isinf(p.median)]
        step = min(1.3 * size.marker, 0.8 * apart(axes, counts) / max(1, len(missed)))  # side by side, within its own column
        for index, point in enumerate(missed):
            lift = 1.0 if len(missed) < 3 else (edge / high) ** (0.4 if index % 2 else -0.4)
            mark(axes, edge * lift, point, strokes, step * (index - (len(missed) - 1) / 2))


def apart(axes, counts):
    """Points of paper between the nearest two thread counts."""
    places = [float(axes.transData.transform((count, 1.0))[0]) for count in counts]
    return min((after - before for before, after in zip(places, places[1:])), default=100.0) / axes.figure.dpi * 72


def aside(axes, points):
    """Data coordinates, moved to the right by so many points of paper."""
    return dict(transform=axes.transData + ScaledTranslation(points * POINT, 0, axes.figure.dpi_scale_trans))


def draw_line(axes, line, strokes, points_aside):
    """One method's finite points: a line, its dots, and whiskers over seeds."""
    size, colour, place = strokes.size, strokes.colour(line[0].key), aside(axes, points_aside)
    axes.add_line(Line2D([p.threads for p in line], [p.median for p in line], color=colour, linestyle=strokes.dash(line[0].key),
                         linewidth=size.stroke * 1.15, zorder=4, **place))
    for point in line:
        x, reached = point.threads, [value for value in point.values if math.isfinite(value)]
        axes.add_line(Line2D([x, x], [min(reached), max(reached)], color=colour, linewidth=size.stroke * 0.8, zorder=3, **place))
        if point.diverged:
            mark(axes, point.median, point, strokes, points_aside)
        else:
            axes.add_line(Line2D([x], [point.median], marker="o", color=colour, linestyle="", markersize=size.marker * 1.15,
                                 markeredgewidth=size.stroke * 0.4, markeredgecolor="white", zorder=5, **place))


def mark(axes, y, point, strokes, points_aside):
    """A cross for a diverged run, a hollow triangle for one that only missed its target."""
    size = strokes.size
    colour = strokes.colour(point.key) if point.line in strokes.strong else strokes.faint(point.key)["color"]
    axes.add_line(Line2D([point.threads], [y], marker="x" if point.diverged else "^", color=colour,
                         linestyle="", markersize=size.marker * (1.9 if point.diverged else 1.5),
                         markeredgewidth=size.stroke * 1.2, markerfacecolor="white", clip_on=False, zorder=7,
                         **aside(axes, points_aside)))


def readable(counts):
    """Thread counts that have room for a tick's number: neighbours at least a factor 1.25 apart."""
    kept = []
    for count in counts:
        if not kept or count >= kept[-1] * 1.25:
            kept.append(count)
    return kept


def ideal_look(size):
    return dict(color=styling.QUIET, linewidth=size.stroke * 0.8, linestyle=(0, (1.5, 2)), zorder=2)


def yardstick_look(strokes):
    return dict(color=styling.BLACK, linewidth=strokes.size.stroke * 2.0, linestyle="solid", zorder=2.5)


def legend(points, shown, strokes):
    size = strokes.size
    methods, marks = Block("method"), Block("other marks")
    name = yardstick(*shown[0])[1]
    if name:
        methods.entries.append(Entry(yardstick_look(strokes), name))
    for key in strokes.strong:
        look = dict(color=strokes.colour(key), linestyle=strokes.dash(key), linewidth=size.stroke * 1.5)
        methods.entries.append(Entry(look, key.label))
    if name:
        marks.entries.append(Entry(ideal_look(size), "ideal scaling"))
    mark = dict(color=styling.INK, linestyle="", markersize=size.marker * 1.6, markeredgewidth=size.stroke * 1.2)
    if any(point.diverged for point in points):
        marks.entries.append(Entry({**mark, "marker": "x"}, "diverged"))
    if any(math.isinf(point.median) and not point.diverged for point in points):
        marks.entries.append(Entry({**mark, "marker": "^", "markerfacecolor": "white"}, "target missed"))
    if any(len(point.values) > 1 for point in points):
        whisker = {**mark, "marker": "|", "markersize": size.type * 1.1, "markeredgewidth": size.stroke * 0.8}
        marks.entries.append(Entry(whisker, "range over seeds"))
    return [methods, marks]
