"""What a problem is scored by against time and epochs: test error, root of the mean squared error, value of a cut, rank correlation.

Lines are as bands.py draws the loss. They are the median over seeds of the best score so far, with a band from the best seed to
the worst. For problems that are not convex it is the score as measured (the best would be of a model that the test samples chose).
Better is down where a lower score is better, and up where a higher one is. Where a problem has several scores, the one that the
target is of is drawn, else the first.
"""

import math

import numpy as np
from matplotlib import ticker

from plot.estimates import choosing, curves
from plot.figures import bands, convergence
from plot.files import naming
from plot.files.axes import HIGHER_IS_BETTER
from plot.files.columns import SCORES
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Sheet

NAMES = {"test_error": "test error", "test_rmse": "test RMSE", "train_rmse": "training RMSE", "cut_value": "value of the cut",
         "cut_accuracy": "known classes found", "spearman_men": "rank correlation on MEN", "spearman_ws353": "rank correlation on WS-353",
         "analogy_accuracy": "analogies solved"}
MARGIN = 0.06  # of the axis, beyond the best and the worst
DECADE = 10  # the worst over the best, from which on an axis is logarithmic


def draw(runs, size, title, subtitle, footnotes):
    score = scored_by(runs)
    content = gather(runs, score)
    styling.use(size)
    strokes = styling.CurveStrokes(content.curves, size)
    sheet = Sheet(size, title, subtitle, [notes(content, strokes)] + footnotes, bands.legend(content, strokes))
    em = size.type * POINT
    left, right = sheet.lay_out(2, left=5.4 * em, bottom=3.4 * em, top=1.2 * em, right=em * 0.6, gap=scales.BESIDE * em)
    by_time = sheet.figure.add_axes(left)
    by_epoch = sheet.figure.add_axes(right, sharey=by_time)
    height_axis(by_time, content, score)
    by_epoch.tick_params(labelleft=False)
    shown = [curve for curve in content.curves if curve.strong]
    factor = convergence.time_axis(by_time, shown)
    convergence.epoch_axis(by_epoch, max(float(curve.epoch[curve.end]) for curve in shown))
    for panel, along in ((by_time, lambda curve: curve.seconds * factor), (by_epoch, lambda curve: curve.epoch)):
        panel.grid(True, which="major")
        for key in strokes.strong:
            bands.draw_key(panel, [curve for curve in content.curves if curve.key == key], along, strokes, content)
        if math.isfinite(content.target):
            panel.axhline(content.target, **convergence.target_look(size))
    return sheet.figure


def height_axis(axes, content, score):
    """Logarithmic where scores span a decade, so that the best, which are near each other, are told apart."""
    if content.low > 0 and content.high >= DECADE * content.low:
        axes.set_ylabel(f"{NAMES[score]}, log scale")
        limits = scales.Scale().widened(content.low, content.high, MARGIN, MARGIN)
        return scales.number_axis(axes.yaxis, *limits, scales.Scale(), scales.plain)
    higher = score in HIGHER_IS_BETTER
    axes.set_ylabel(NAMES[score])
    room = MARGIN * ((content.high - content.low) or abs(content.high) or 1.0)
    axes.set_ylim((content.high + room, content.low - room) if higher else (content.low - room, content.high + room))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(6))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda height, at: scales.plain(-height if higher else height, at)))


def scored_by(runs):
    """The score that the target is of, else the first, that an observation of these runs has."""
    targets = {run.target_of for run in runs}
    for score in sorted(SCORES, key=lambda score: score not in targets):
        if any(run.trace and np.isfinite(run.trace[score]).any() for run in runs):
            return score
    raise NotDrawn("no run was scored: --test names samples to score by, of a text --similarity and --analogies name questions")


def gather(runs, score):
    """Curves whose heights are scores, or, where higher is better, what they are below zero."""
    keys = naming.keys(runs)
    sign, target = choosing.sign_of(score), choosing.common_target(runs, score)
    found, missing = [], []
    for run in runs:
        height = sign * run.trace[score] if run.trace else np.array([])
        if np.isfinite(height).any():
            found.append(curves.Curve(keys[id(run)], run.name, run.status, run.trace["seconds"], run.trace["epoch"], height,
                                      as_measured=curves.moves_on(run)))
        else:
            missing.append(run)
    curves.mark_typical(found, target)
    if not choosing.readable(curve.key for curve in found):
        strong = choosing.best_keys(runs, keys, score)
        for curve in found:
            curve.strong = curve.key in strong
    if not any(curve.strong for curve in found):
        raise NotDrawn("no run that a figure of all would show was scored")
    content = curves.Content(found, math.nan, "", target, missing, to_target=math.isfinite(target))
    drawn = np.concatenate([curve.line[np.isfinite(curve.line)][1 if curve.started else 0:] for curve in found if curve.strong])
    reach = drawn[:0] if math.isnan(target) else [target]
    content.low, content.high = (float(edge(np.append(drawn, reach))) for edge in (np.min, np.max)) if drawn.size else (0.0, 1.0)
    return content


def notes(content, strokes):
    seeds = not all(curve.typical for curve in content.curves)
    what, kept = ("the score as measured", "last score") if content.as_measured else ("the best score so far", "best score")
    text = f"Lines: {what}{', median over seeds' if seeds else ''}. What runs start with may lie outside."
    if seeds and len(strokes.strong) <= bands.MOST_BANDS:
        text += f" Bands: from the best seed to the worst; one that has ended keeps its {kept}."
    if not all(curve.strong for curve in content.curves):
        text += " Of each method the first variant to " + (
            "reach the target (or nearest)." if content.to_target
            else f"complete {100 * (1 - choosing.NEAR):.0f} % of the rise or fall to its best score.")
    return text
