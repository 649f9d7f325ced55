"""Loss against time, and against epochs and updates: the median over seeds, and a band from the best seed to the worst.

A curve is the lowest loss so far, or the loss as measured where the problem is not convex. Between two observations it is a
straight line. A seed that has ended stays where its curve ended. One that diverged counts as infinite from then on, so a median
ends where half of the seeds have diverged. An update is one sample consumed, so epochs and updates are one panel with two axes.
"""

import math

import numpy as np
from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import choosing, curves
from plot.figures import captions, convergence
from plot.files import naming
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Sheet

POINTS = 240  # along a curve
DEEP = 0.16  # share of colour in a band
MOST_BANDS = choosing.APART  # more of them cover each other


def draw(runs, size, title, subtitle, footnotes, gather=curves.gather):
    """`gather`: runs to the content, of which strong curves are drawn."""
    content = gather(runs)
    if not content.curves:
        raise NotDrawn("no run has a trace with a finite training loss")
    styling.use(size)
    strokes = styling.CurveStrokes(content.curves, size)
    sheet = Sheet(size, title, subtitle, [notes(content, strokes)] + footnotes, legend(content, strokes))
    em = size.type * POINT
    left, right = sheet.lay_out(2, left=4.9 * em, bottom=3.4 * em, top=2.9 * em, right=em * 0.6, gap=scales.BESIDE * em)
    by_time, by_epoch = convergence.panels(sheet, left, right, content)
    shown = [curve for curve in content.curves if curve.strong]
    factor = convergence.time_axis(by_time, shown)
    convergence.epoch_axis(by_epoch, max(float(curve.epoch[curve.end]) for curve in shown))
    update_axis(by_epoch, samples_of(runs), naming.counted_as(runs, "updates"))
    for panel, along in ((by_time, lambda curve: curve.seconds * factor), (by_epoch, lambda curve: curve.epoch)):
        panel.grid(True, which="major")
        for key in strokes.strong:
            draw_key(panel, [curve for curve in content.curves if curve.key == key], along, strokes, content)
        if math.isfinite(content.target):
            panel.axhline(content.target, **convergence.target_look(size))
    return sheet.figure


def draw_key(panel, seeds, along, strokes, content):
    """Median and band of one configuration's curves."""
    key, (low, high) = seeds[0].key, panel.get_xlim()
    first = min((value for curve in seeds for value in along(curve)[:curve.end + 1] if value > 0), default=low)
    last = np.median([along(curve)[curve.end] for curve in seeds])
    start = max(low, first) if low > 0 else low
    places = np.geomspace(start, max(last, start * 1.001), POINTS) if low > 0 else np.linspace(0, last, POINTS)
    if content.as_measured:  # of what goes up and down no peak is cut off
        seen = np.concatenate([along(curve) for curve in seeds])
        places = np.union1d(places, seen[(seen >= places[0]) & (seen <= places[-1])])
    heights = np.array([heights_at(curve, along(curve), places) for curve in seeds])
    median = np.median(heights, axis=0)
    drawn = np.isfinite(median)
    if not drawn.any():
        return
    look = strokes.line(key)
    if len(seeds) > 1 and len(strokes.strong) <= MOST_BANDS:
        panel.fill_between(places, heights.min(axis=0), np.minimum(heights.max(axis=0), content.high + abs(content.high)), linewidth=0,
                           color=strokes.colour(key), alpha=DEEP, zorder=2.2)
    every = len(places) // 4
    panel.add_line(Line2D(places[drawn], median[drawn],
                          **{**look, "markevery": slice(every // 2 + strokes.strong.index(key) * 7 % every, None, every)}))
    lost = next((curve for curve in seeds if curve.diverged), None)
    if not drawn[-1] and lost:
        end = int(np.flatnonzero(drawn)[-1])
        convergence.draw_end(panel, lost, places[end], min(median[end], content.high), places[end], strokes, content.high)


def heights_at(curve, x, places):
    """The height of its line, at each place; infinite after a divergence."""
    seen = np.isfinite(curve.height)
    heights = np.interp(places, x[seen], curve.line[seen])
    if curve.diverged:
        heights = np.where(places > x[curve.end], np.inf, heights)
    return heights


def samples_of(runs):
    """Updates of an epoch: as many as there are samples. NaN where no trace has a whole observation."""
    for run in runs:
        if run.trace and run.trace["epoch"].size and run.trace["epoch"][-1] > 0:
            return float(run.trace["updates"][-1] / run.trace["epoch"][-1])
    return math.nan


def update_axis(panel, samples, name):
    """Updates above the panel of epochs, by that name."""
    if not math.isfinite(samples):
        return
    above = panel.secondary_xaxis("top", functions=(lambda epochs: epochs * samples, lambda updates: updates / samples))
    above.xaxis.set_major_locator(ticker.MaxNLocator(5))
    above.xaxis.set_major_formatter(ticker.FuncFormatter(scales.counted))
    above.set_xlabel(name)
    above.spines["top"].set_visible(True)


def notes(content, strokes):
    seeds = not all(curve.typical for curve in content.curves)
    what, kept = ("the loss as measured", "last loss") if content.as_measured else ("the lowest loss so far", "lowest loss")
    text = f"Lines: {what}{', median over seeds' if seeds else ''}."
    if seeds and len(strokes.strong) <= MOST_BANDS:
        text += f" Bands: from the best seed to the worst; one that has ended keeps its {kept}."
    if not all(curve.strong for curve in content.curves):
        among = f" with its {content.among}" if content.among else ""
        text += f" Of each method{among} the first variant to " + (
            "reach the target (or nearest)." if content.to_target
            else f"complete {100 * (1 - choosing.NEAR):.0f} % of the fall to its lowest loss.")
    if any(curve.diverged for curve in content.curves if curve.strong):
        text += " A seed that diverged counts as infinite from then on."
    return " ".join([text] + captions.optimum(content))


def legend(content, strokes):
    """That of the convergence figure, without marks that are not here."""
    ends = {convergence.ENDS[curve.status][1] for curve in content.curves if curve.status in convergence.ENDS}
    crosses = {convergence.CROSS[1]} if any(curve.strong and curve.diverged for curve in content.curves) else set()
    blocks = convergence.legend(content, strokes)
    blocks[-1].entries = [entry for entry in blocks[-1].entries if entry.label not in {"another variant"} | ends - crosses]
    return blocks
