"""All figures of a report: drawn, or left out for a reason.

Each is one file of plot/ with draw(runs, size, title, subtitle, footnotes), which returns a figure or raises NotDrawn.
"""

from dataclasses import dataclass
from pathlib import Path

from plot.figures import bands, batches, delay, dialled, divergence, efficiency, memory_map, most_threads, roofline, scores, speedup, staleness, staleness_layers, times, tradeoff, wins
from plot.files.errors import NotDrawn, ResultsError
from plot.style.canvas import save


def draw_efficiency(runs, size, title, subtitle, footnotes):
    if not efficiency.worth_drawing(runs):
        raise NotDrawn("no method ran with two numbers of workers or on two devices")
    figure = efficiency.draw(runs, size, title, subtitle, footnotes)
    if figure is None:
        raise NotDrawn("no run has updates per second")
    return figure


@dataclass(frozen=True)
class Kind:
    name: str  # of its files
    title: str
    draw: object


KINDS = (
    Kind("loss", "Loss against time, epochs and updates", bands.draw),
    Kind("loss-most-threads", "Loss of each method with its most threads", most_threads.draw),
    Kind("score", "Score against time and epochs", scores.draw),
    Kind("time-to-target", "Time to target", times.draw),
    Kind("speed-up", "Speed-up against workers", speedup.draw),
    Kind("efficiency", "Updates per second, updates to target and time to target against workers", draw_efficiency),
    Kind("trade-off", "Statistical against hardware efficiency", tradeoff.draw),
    Kind("divergence", "Divergence by step size and workers", divergence.draw),
    Kind("staleness", "Staleness", staleness.draw),
    Kind("staleness-layers", "Staleness of a network's layers", staleness_layers.draw),
    Kind("batches", "Batches of CPU threads and a GPU", batches.draw),
    Kind("roofline", "Share of the machine's measured ceiling", roofline.draw),
    Kind("memory", "Kind of memory and update policy", memory_map.draw),
)
ACROSS_SETS = (
    Kind("dialled", "Speed-up against what was dialled", dialled.draw),
)
WINS = (
    Kind("wins", "Time to target against the best serial and the best synchronous code", wins.draw),
)
ACROSS_DELAYS = (
    Kind("delay", "Speed-up against the delay of each gradient", delay.draw),
)


@dataclass
class Drawn:
    kind: Kind
    paths: dict  # "png", "svg", "pdf" -> file; empty when it was not drawn
    reason: str = ""  # why it was not


def draw_all(runs, size, folder, suffix, title, subtitle, footnotes):
    """A Drawn for every kind, of comparable runs."""
    return draw_kinds(KINDS, runs, size, folder, suffix, title, subtitle, footnotes)


def draw_across_delays(runs, size, folder, suffix, title, subtitle, footnotes):
    """A Drawn for every kind, of runs that differ in their delay too."""
    return draw_kinds(ACROSS_DELAYS, runs, size, folder, suffix, title, subtitle, footnotes)


def draw_across_sets(sets, size, folder, suffix, title, subtitle, footnotes):
    """A Drawn for every kind, of several sets of comparable runs."""
    return draw_kinds(ACROSS_SETS, sets, size, folder, suffix, title, subtitle, footnotes)


def draw_wins(points, size, folder, title, subtitle, footnotes):
    """A Drawn for every kind, of the points of a speedup.csv."""
    return draw_kinds(WINS, points, size, folder, "", title, subtitle, footnotes)


def draw_kinds(kinds, runs, size, folder, suffix, title, subtitle, footnotes):
    """A figure that fails on what the files hold is left out with its error, not the report."""
    found = []
    for kind in kinds:
        try:
            figure = kind.draw(runs, size, title, subtitle, footnotes)
        except (NotDrawn, ResultsError) as why:
            found.append(Drawn(kind, {}, str(why)))
            continue
        paths = save(figure, size, Path(folder) / f"{kind.name}{suffix}", f"{title}: {kind.title}", pdf=True)
        found.append(Drawn(kind, {path.suffix[1:]: path for path in paths}))
    return found
