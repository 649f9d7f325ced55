"""Who gets to the target sooner than the best serial code, and than the best synchronous code. It is speed-up against workers, a
panel for every data set and problem, from speedup.csv (docs/reference/figures.md).

The black line is the best serial code, at 1. The dotted one is what perfect scaling of it would give. The wide grey one is the best
synchronous scheme at each number of workers. Schemes have the looks of their methods (looks.py): the lines of synchronous ones are dashed.
Bands are the 95 % intervals of the ratio; one that reaches 0 ends in the grey strip below all values. There a scheme that never got to the
target stands, hollow, and neither line nor band goes through its number of workers. Where the tuner did something else with hot
coordinates than at most points of a line, the point is hollow.
"""

import math
from dataclasses import dataclass

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.figures import efficiency, wins_choices
from plot.files import naming
from plot.files.errors import NotDrawn, ResultsError
from plot.files.tables import read_table
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet
from plot.style.looks import LOOKS, Form, dealt, look_of, method_named

HEADER = ("data", "problem", "scheme", "kind", "workers", "speedup", "low", "high")
BAND = 0.15  # share of colour
APART = 1.09  # factor from one hollow mark to the next where several stand at one number of workers
BESIDE = 1.18  # factor of room left of the first number of workers and right of the last
PIECE = 1.06  # half of what a line takes that is one point wide, as a factor


@dataclass(frozen=True)
class Point:
    data: str
    problem: str
    scheme: str
    kind: str
    workers: int
    speedup: float  # 0: never got there
    low: float
    high: float  # infinite where the interval has no end
    method: str = ""  # of what stands here, of all that the scheme's name is of


def read(path):
    """Points of a speedup.csv; rows of which nothing can be said are left out."""
    table = read_table(path, links=False)
    missing = [name for name in HEADER if name not in table.header]
    if missing:
        raise ResultsError(f"{path}: no column {missing[0]}", "it is no speedup.csv", "run hogwild report again")
    found = []
    for line, row in table.rows:
        try:
            speedup, low, high = (float(row[name]) if row[name] else math.nan for name in ("speedup", "low", "high"))
            workers = int(row["workers"])
        except ValueError:
            raise ResultsError(f"{path}:{line}: a number is none", "another program wrote the line, or it was changed",
                               "run hogwild report again") from None
        if math.isfinite(speedup) and workers > 0:
            found.append(Point(row["data"], row["problem"], row["scheme"], row["kind"], workers, speedup, 0.0 if math.isnan(low) else low,
                               math.inf if math.isnan(high) else high))
    return found


def left_out(path):
    """A sentence on data sets and problems of whose rows nothing can be said, since serial code missed the target; [] where there are none."""
    named = lambda members: {heading[0] + heading[1]: None for heading, _ in in_panels(members)}
    said = named(read(path))
    rows = [Point(row["data"], row["problem"], row["scheme"], row["kind"], 1, 0.0, 0.0, 0.0) for _, row in read_table(path, links=False).rows]
    names = [name for name in named(rows) if name not in said]
    return [f"Left out, since serial code missed the target: {'; '.join(names)}."] if names else []


def draw(points, size, title, subtitle, footnotes):
    if len({point.workers for point in points}) < 2:
        raise NotDrawn("no target was reached with two numbers of workers")
    styling.use(size)
    panels = in_panels(points)
    looks, most = looks_of(points, size), wins_choices.usual(points)
    sheet = Sheet(size, title, subtitle, [notes(points)] + footnotes, legend(points, looks, most, size))
    em = size.type * POINT
    columns = 1 if len(panels) == 1 or not size.legend_right else 2
    rows = math.ceil(len(panels) / columns)
    places = sheet.lay_out(columns, left=4.6 * em, bottom=3.2 * em, gap=3.2 * em, rows=rows, top=1.9 * em,
                           flat=1.0 if rows == 1 else 0.68)
    for index, (place, (heading, members)) in enumerate(zip(places, panels)):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, members, looks, most, size)
        axes.set_title(sheet.row_label(*heading, 0.88 * sheet.panel_width), loc="left", color=styling.INK, pad=size.type * 0.6)
        if index % columns == 0:
            axes.set_ylabel("speed-up over best serial")
    return sheet.figure


def in_panels(points):
    """[((data, ", hinge"), points)], data sets in their order in the file, and within one its problems."""
    panels = {}
    for point in points:
        panels.setdefault((point.data, point.problem), []).append(point)
    return [((naming.printable(naming.without_folder(data)), f", {naming.printable(problem)}"), members) for (data, problem), members in panels.items()]


def looks_of(points, size):
    """Line properties by scheme, those of its method; several that no figure knows share a colour and have dashes of their own."""
    schemes = {point.scheme: point for point in sorted(points, key=lambda point: (point.kind, point.scheme))}
    methods = {scheme: method_of(scheme, [point for point in points if point.scheme == scheme]) for scheme in schemes}
    own = {scheme: look_of(method) for scheme, method in methods.items()}
    dashes = dealt([(scheme, look.colour, look.form.dash) for scheme, look in own.items()])
    return {scheme: dict(color=look.colour, linewidth=size.stroke * 1.2, linestyle=dashes[scheme], marker="o",
                         **styling.face_of(look.form, look.colour, size)) for scheme, look in own.items()}


def method_of(scheme, points):
    """The method whose look a line has: the only one that stands behind its points, or the first of its scheme's."""
    known = method_named(scheme)
    behind = {naming.without_hot(point.method) for point in points if point.method}
    if known in LOOKS or naming.hot_part(known):
        return known
    return behind.pop() if len(behind) == 1 else next((method for method in LOOKS if method.startswith(f"{scheme} · ")), scheme)


def best_synchronous(points):
    """[(workers, speed-up)] of the best synchronous scheme at each number of workers; 0 where none got to the target."""
    best = {}
    for point in points:
        if point.kind == "sync":
            best[point.workers] = max(point.speedup, best.get(point.workers, 0.0))
    return sorted(best.items())


def stretches(line, value=lambda point: point.speedup):
    """What a line goes through without a break: its points between those that missed the target."""
    found = [[]]
    for point in line:
        if value(point) > 0:
            found[-1].append(point)
        elif found[-1]:
            found.append([])
    return [stretch for stretch in found if stretch]


def draw_panel(axes, points, looks, most, size):
    counts = sorted({point.workers for point in points})
    shown = [value for point in points for value in (point.speedup, point.low, point.high) if 0 < value < math.inf]
    low, high = scales.Scale().widened(min(shown + [1.0]), max(shown + [1.0, float(counts[-1])]), 0.06, 0.06)
    axes.set_xscale("log", base=2)
    axes.set_xlim(counts[0] / BESIDE, counts[-1] * BESIDE)
    axes.xaxis.set_major_locator(ticker.FixedLocator(counts))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel("workers")
    strip = any(point.speedup == 0 or point.low == 0 for point in points)
    edge = scales.number_axis_with_strip(axes, low, high, scales.plain, below=True) if strip else low
    if not strip:
        scales.number_axis(axes.yaxis, low, high, scales.Scale(), scales.plain)
    axes.grid(True, which="major")
    ends = [counts[0], counts[-1]]
    axes.add_line(Line2D(ends, ends, **efficiency.ideal_look(size)))
    axes.add_line(Line2D([counts[0] / BESIDE, counts[-1] * BESIDE], [1, 1], **serial_look(size)))
    for stretch in stretches(best_synchronous(points), lambda pair: pair[1]):
        places = stretch if len(stretch) > 1 else [(stretch[0][0] * by, stretch[0][1]) for by in (1 / PIECE, PIECE)]
        axes.add_line(Line2D(*zip(*places), **synchronous_look(size)))
    never = {}  # by workers: how many marks stand in the strip
    for scheme, look in looks.items():
        line = sorted((point for point in points if point.scheme == scheme), key=lambda point: point.workers)
        for stretch in stretches(line):
            draw_stretch(axes, stretch, (edge, high), look, most, size)
        for point in line:
            if point.speedup == 0:
                place = never[point.workers] = never.get(point.workers, -1) + 1
                beside = APART ** ((place + 1) // 2 * (-1) ** place)  # 1, left, right, further left ...
                axes.add_line(Line2D([point.workers * beside], [edge], zorder=4, **missed_look(look, size)))


def draw_stretch(axes, stretch, limits, look, most, size):
    """A line, its marks and its band."""
    workers, (edge, high) = [point.workers for point in stretch], limits
    ends = [max(point.low, edge) for point in stretch], [min(point.high, high) for point in stretch]
    if len(stretch) > 1:
        axes.fill_between(workers, *ends, color=look["color"], alpha=BAND, linewidth=0, zorder=2.2)
    else:  # a band has a width
        axes.vlines(workers, *ends, color=look["color"], linewidth=size.stroke * 0.8, zorder=3.5)
    alone = {"markersize": 1.6 * look["markersize"], "zorder": 3.9} if len(stretch) == 1 else {"zorder": 4}  # seen around another's mark
    axes.add_line(Line2D(workers, [point.speedup for point in stretch], **{**look, **alone}))
    for point in stretch:
        if wins_choices.unusual(point, most):
            axes.add_line(Line2D([point.workers], [point.speedup], zorder=5, **unusual_look(look, size)))


def unusual_look(look, size):
    return {**look, "fillstyle": "full", "markerfacecolor": "white", "markeredgecolor": look["color"], "markersize": size.marker * 1.3,
            "markeredgewidth": size.stroke * 0.9}


def serial_look(size):
    return dict(color=styling.BLACK, linewidth=size.stroke * 2.0, linestyle="solid", zorder=2.5)


def synchronous_look(size):
    return dict(color=styling.OTHER, linewidth=size.stroke * 4.4, linestyle="solid", alpha=0.6, zorder=3)


def missed_look(look, size):
    form = Form(look["linestyle"], look["markeredgecolor"], look["fillstyle"])
    return dict(color=look["color"], linestyle="", marker="^", markersize=size.marker * 1.6,
                **styling.hollow_of(form, size, size.stroke * 1.2))


def notes(points):
    text = ("Time to target of the best serial code over that of each scheme, a ratio of expected times over paired seeds; bands: its 95 % "
            "interval.")
    chosen = wins_choices.policies(points)
    text += f" Chosen point by point: {'; '.join(chosen)}." if chosen else ""
    for scheme, part in wins_choices.usual(points).items():
        text += f" Hot updates of {naming.printable(scheme)}: {part or 'direct'}, but at hollow circles."
    return text


def legend(points, looks, most, size):
    kinds = {point.scheme: point.kind for point in points}
    blocks = []
    for kind, heading in (("async", "asynchronous"), ("sync", "synchronous")):
        block = Block(heading)
        for scheme in (scheme for scheme in looks if kinds[scheme] == kind):
            block.entries.append(Entry(looks[scheme], naming.printable(scheme)))
            others = {naming.hot_part(point.method) for point in points if point.scheme == scheme and wins_choices.unusual(point, most)}
            if others:
                words = " or ".join(part or "direct" for part in sorted(others))
                block.entries.append(Entry({**unusual_look(looks[scheme], size), "linestyle": ""}, f"hot updates {words}"))
        blocks.append(block)
    marks = Block("other marks", [Entry(serial_look(size), "best serial")])
    if any(value > 0 for _, value in best_synchronous(points)):
        marks.entries.append(Entry(synchronous_look(size), "best synchronous"))
    marks.entries.append(Entry(efficiency.ideal_look(size), "ideal scaling"))
    if any(point.speedup == 0 for point in points):
        plain = dict(color=styling.INK, linestyle="", markeredgecolor="white", fillstyle="full")
        marks.entries.append(Entry(missed_look(plain, size), "target missed"))
    return blocks + [marks]
