"""Speed-up over the best serial code, set by set, where one thing was dialled: the data, L2 or the problem.

Each method stands with the most workers that it ran with, against the best serial code of the same set: at 1, the black line. Points
and whiskers are as in the speed-up figure; lines only lead the eye from one set to the next.
"""

import math
import re
from dataclasses import dataclass

from matplotlib import ticker

from plot.estimates import configurations
from plot.figures import efficiency, speedup
from plot.files import naming
from plot.files.axes import OBJECTIVE
from plot.files.columns import SCORES
from plot.files.errors import NotDrawn
from plot.style import legends, styling
from plot.style.canvas import POINT, Sheet

WORDS = {"l2": "L2", "l1": "L1", "damp_above": "damped above", "delay": "delay of each gradient"}
NAMES = {axis: WORDS.get(axis, axis.replace("_", " ")) for axis in OBJECTIVE}
MARGIN = 1.5  # factor beside the first and the last place, which are powers of two


@dataclass
class Point(efficiency.Point):
    at: int = 1

    @property
    def x(self):
        return self.at


@dataclass
class Columns:
    """The part of Across that draw_missed asks for."""
    columns: list


def draw(sets, size, title, subtitle, footnotes):
    """`sets`: lists of runs, each of comparable ones."""
    name, labels, sets = in_order(sets)
    panels, shown = {}, []
    for index, runs in enumerate(sets):
        for panel in panels_of(configurations.configurations(runs), shown):
            all_sets = panels.setdefault(panel.label, speedup.Panel(panel.label, []))
            all_sets.points += [Point(line_of(point.key), point.values, point.diverged, 2 ** index) for point in panel.points]
    if not panels:
        raise NotDrawn("no set has both serial code and another method")
    styling.use(size)
    points = [point for panel in panels.values() for point in panel.points]
    lines = {point.line for point in points}
    strokes = styling.Strokes(lines, lines, size)
    sheet = Sheet(size, title, subtitle, notes(points, shown) + targets(labels, sets) + footnotes, legend(points, strokes))
    em = size.type * POINT
    below = 2.2 + 1.2 * max(label.count("\n") + 1 for label in labels)
    places = sheet.lay_out(1, left=4.4 * em, bottom=below * em, rows=len(panels), top=1.7 * em, flat=0.75)
    room = 0.95 * sheet.panel_width / (len(labels) - 1 + 2 * math.log2(MARGIN))
    named = ["\n".join(sheet.row_label(line, "", room) for line in label.split("\n")) for label in labels]
    for place, panel in zip(places, panels.values()):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, panel, named, strokes)
        axes.set_xlabel(name)
    return sheet.figure


def in_order(sets):
    """(name of what was dialled, a label for each set, the sets), by rising numbers."""
    differ = [axis for axis in NAMES if len({runs[0].axes[axis] for runs in sets}) > 1]
    if len(differ) != 1:
        raise NotDrawn(f"{' and '.join(NAMES[axis] for axis in differ)} differ at once" if differ else "nothing was dialled")
    axis, = differ
    if axis == "data":
        name, labels = data_labels([naming.data_name(runs[0]) for runs in sets])
        order = [naming.natural(label.replace("\n", " ")) for label in labels]
    elif axis == "network":
        name, labels = network_labels([naming.printable(runs[0].axes[axis]) for runs in sets])
        order = [naming.natural(runs[0].axes[axis]) for runs in sets]
    else:
        name, labels = NAMES[axis], [naming.short(runs[0].axes[axis], 3) for runs in sets]
        order = [naming.natural(runs[0].axes[axis]) for runs in sets]
    places = sorted(range(len(sets)), key=lambda place: order[place])
    return name, [labels[place] for place in places], [sets[place] for place in places]


def data_labels(names):
    """("data: features, zipf", ["20000\\n0.5", ...]): of each name what the others do not have, a line each."""
    words = [re.split(r"[:,]", name) for name in names]
    common = set(words[0]).intersection(*words)
    own = [[word.partition("=") for word in each if word not in common] for each in words]
    keys = {tuple(key for key, _, value in each if value) for each in own}
    if len(keys) == 1 and all(len(each) == len(*keys) for each in own):
        return f"data: {', '.join(*keys)}", ["\n".join(value for _, _, value in each) for each in own]
    return NAMES["data"], ["\n".join("".join(word) for word in each) for each in own]


def network_labels(names):
    """("network: layers that not all have", ["dense 16 relu", ...]): such layers of each text, a line each. All
    layers where these do not tell them apart."""
    layers = [re.split(r"\s*;\s*", name.rstrip("; ")) for name in names]
    common = set(layers[0]).intersection(*layers)
    own = ["\n".join(layer for layer in each if layer not in common) for each in layers]
    if common and all(own) and len(set(own)) == len(set(names)):
        return f"{NAMES['network']}: layers that not all have", own
    return NAMES["network"], ["\n".join(each) for each in layers]


def panels_of(found, shown):
    """As of speed-up against workers, of the most workers; adds the configurations to `shown`, serial code first."""
    serial, chosen = configurations.best_serial(found), {}
    for one in configurations.best_variants([one for one in found if not one.key.serial]):
        most = chosen.setdefault(one.key.family, one)
        chosen[one.key.family] = max(most, one, key=lambda each: (each.key.threads, naming.in_flight(each.key.grid)))
    if serial is None or not chosen:
        return []
    found = list(chosen.values())
    shown += [serial, *found]
    return [panel for panel in (speedup.by_rate(found, serial), speedup.by_time(found, serial)) if panel]


def line_of(key):
    """A method on a device, whatever its workers are in a set."""
    return key._replace(variant="", threads=min(1, key.threads), grid="")


def draw_panel(axes, panel, labels, strokes):
    size, places = strokes.size, [2 ** index for index in range(len(labels))]
    axes.set_xscale("log", base=2)
    axes.set_xlim(places[0] / MARGIN, places[-1] * MARGIN)
    axes.xaxis.set_major_locator(ticker.FixedLocator(places))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xticklabels(labels)
    low, edge = speedup.ratio_axis(axes, panel, size)
    axes.grid(True, which="major")
    axes.axhline(1.0, **efficiency.yardstick_look(strokes))
    room = 0.6 * efficiency.apart(axes, places)
    step = min(1.2 * size.marker, room / len(strokes.strong))
    for index, key in enumerate(strokes.strong):
        line = sorted((point for point in panel.points if point.line == key and math.isfinite(point.median)), key=lambda point: point.at)
        if line:
            efficiency.draw_line(axes, line, strokes, step * (index - (len(strokes.strong) - 1) / 2))
    efficiency.draw_missed(axes, panel.points, Columns(places), strokes, edge, low)


def notes(points, shown):
    workers = {one.key.workers for one in shown if not one.key.serial}
    most = min(workers) if len(workers) == 1 else "the most workers of each method"
    return [f"With {most}, against the best serial code of the same set (black, 1). {speedup.what_points_are(points)} "
            "Lines lead the eye." + speedup.batches(shown)]


def targets(labels, sets):
    """[those on a score], where they differ from set to set."""
    found = {}
    for label, runs in zip(labels, sets):
        named = {f"{run.target_of.replace('_', ' ')} {run.value('target'):.4g}" for run in runs if run.target_of in SCORES}
        found[label.replace("\n", ", ")] = " and ".join(sorted(named))
    said = "; ".join(f"{label}: {text}" for label, text in found.items() if text)
    return [f"Targets: {said}."] if len(set(found.values())) > 1 else []


def legend(points, strokes):
    return legends.methods(strokes, strokes.dotted) + [speedup.marks(points, strokes, "best serial", "")]
