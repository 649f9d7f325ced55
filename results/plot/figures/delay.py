"""Speed-up over the best serial code with the same delay, against that delay: where locks and turns catch up with lock-free updates.

A delay is added to each gradient (--delay). So the more of it, the less a method's own cost weighs, up to the dotted line at the
number of threads. Each method has one line, at the largest number of threads that it ran with at two delays or more. Points,
whiskers and what missed its target are as in the speed-up figure. No delay has a room of its own, left of the log axis.
Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011, whose last experiment this is.
"""

import math
from dataclasses import dataclass

from plot.estimates import configurations
from plot.figures import efficiency, speedup
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

ROOM, BESIDE = 0.18, 0.05  # of the span of delays: the room for none of it, what is left free at either end


@dataclass
class Point(efficiency.Point):
    place: float = 0.0  # on the axis of delays

    @property
    def x(self):
        return self.place

    @property
    def line(self):
        """There is one number of threads of each method."""
        return self.key


@dataclass
class Cell:
    """What ran with one delay."""
    serial: object  # Configuration: the best
    others: list  # of Configuration: parallel methods on CPU threads


class Along:
    """The axis of delays, as Across is one of threads."""
    gpus, lone = (), False

    def __init__(self, delays):
        self.first, self.last = min(filter(None, delays)), max(delays)
        self.span = max(1.0, math.log10(self.last / self.first))
        self.none = self.first / 10 ** (ROOM * self.span)
        self.columns = sorted(map(self.place, set(delays)))

    def place(self, delay):
        return delay or self.none

    def scale(self, axes, _):
        """Limits and numbers, the same in every panel."""
        beside = 10 ** (BESIDE * self.span)
        scales.number_axis(axes.xaxis, self.columns[0] / beside, self.last * beside, scales.Scale(), scales.duration)
        axes.grid(True, which="major")
        if self.none in self.columns:
            between = math.sqrt(self.none * self.first)
            axes.axvline(between, color=styling.QUIET, linewidth=axes.spines["left"].get_linewidth(), zorder=1)
            for minor in (False, True):
                axes.set_xticks([tick for tick in axes.xaxis.get_ticklocs(minor=minor) if tick > between], minor=minor)
            axes.set_xticks([self.none, *axes.xaxis.get_ticklocs()])
            axes.xaxis.set_major_formatter(lambda value, _=None: "0" if value < between else scales.duration(value))


def draw(runs, size, title, subtitle, footnotes):
    cells = cells_of(runs)
    threads = largest(cells)
    if not threads:
        raise NotDrawn("no method ran on CPU threads, beside serial code, with two delays or more")
    along = Along(cells)
    shown = [panel for panel in (panel_of(cells, threads, along, of) for of in (speedup.by_rate, speedup.by_time)) if panel]
    if not shown:
        raise NotDrawn("serial code has no updates per second")
    styling.use(size)
    points = [point for panel in shown for point in panel.points]
    strokes = styling.Strokes([point.key for point in points], [point.key for point in points], size)
    counts = sorted(set(threads.values()))
    sheet = Sheet(size, title, subtitle, [notes(points, cells, threads)] + footnotes, legend(points, strokes, counts))
    em = size.type * POINT
    stacked = not size.legend_right
    rows, columns = (len(shown), 1) if stacked else (1, len(shown))
    places = sheet.lay_out(columns, left=4.4 * em, bottom=3.4 * em, gap=4.8 * em, rows=rows, top=1.7 * em, right=0.6 * em,
                           flat=0.85 if stacked else 1.0)
    ideals = [((along.columns[0], along.last), (count, count)) for count in counts]
    for place, panel in zip(places, shown):
        axes = sheet.figure.add_axes(place)
        speedup.draw_panel(axes, panel, along, ideals, strokes)
        axes.set_xlabel("delay of each gradient")
    return sheet.figure


def cells_of(runs):
    """{delay: Cell}, rising, of delays with which serial code and another method ran."""
    found = {}
    for run in runs:
        found.setdefault(naming.delay(run), []).append(run)
    cells = {}
    for delay in sorted(filter(math.isfinite, found)):
        members = configurations.configurations(found[delay])
        serial = configurations.best_serial(members)
        others = [one for one in configurations.best_variants(members) if one.key.on_threads_alone and not one.key.serial]
        if serial and others:
            cells[delay] = Cell(serial, others)
    return cells


def largest(cells):
    """{method: threads}: the largest number of threads that it ran with at two delays or more."""
    ran = {}
    for delay, cell in cells.items():
        for one in cell.others:
            ran.setdefault((one.key.threads, one.key.method), []).append(delay)
    return {method: threads for (threads, method), delays in sorted(ran.items()) if len(delays) > 1}


def panel_of(cells, threads, along, of):
    """One panel of all delays, from speedup's of each; None where serial code has nothing to compare."""
    label, points = "", []
    for delay, cell in cells.items():
        panel = of([one for one in cell.others if one.key.threads == threads.get(one.key.method)], cell.serial)
        if panel:
            label = panel.label
            points += [Point(point.key._replace(variant=""), point.values, point.diverged, along.place(delay))
                       for point in panel.points]
    return speedup.Panel(label, points) if points else None


def notes(points, cells, threads):
    text = f"Against the best serial code with the same delay (black, 1). {speedup.what_points_are(points)}"
    lone = {one.key.method for cell in cells.values() for one in cell.others} - set(threads)
    if lone:
        text += f" Without a line, since it ran with one delay alone: {', '.join(sorted(lone))}."
    return text + speedup.batches([one for cell in cells.values() for one in (cell.serial, *cell.others)])


def legend(points, strokes, counts):
    """Methods, with their numbers of threads where these differ; `counts`: all of them."""
    several = len(counts) > 1
    words = " or ".join(map(str, counts)) + f" thread{'' if counts == [1] else 's'}"
    methods = Block("method" if several else f"method, {words}",
                    [Entry(strokes.dotted(key), key.label_with_workers if several else key.label) for key in strokes.strong])
    return [methods, speedup.marks(points, strokes, "serial, same delay", f"ideal, {words}")]
