"""What a convergence figure says below itself about how it is drawn."""

import math

from plot.estimates.choosing import NEAR
from plot.files.naming import NOT_ATOMIC, printable
from plot.style.scales import plain

BEST = ": of each method and number of workers the best variant is; the report's table has all."  # what `left_out` ends with


def notes(content):
    """[what lines and marks are, what else holds]: two notes, since the sheet cuts long ones."""
    found = optimum(content)
    diverged = [curve for curve in content.curves if curve.diverged]
    if diverged:
        found.append("A run that diverged is drawn as observed, to the cross where it left the panel; dotted: on the way to "
                     "the first loss that was no number.")
    at_once = [printable(curve.name) for curve in diverged if not curve.observed.size]
    if at_once:
        found.append(f"{', '.join(at_once[:3])}{' ...' if len(at_once) > 3 else ''} diverged before the first observation.")
    if any(NOT_ATOMIC in curve.key.variant for curve in content.curves if curve.strong):
        found.append(overwrite())
    if has_outside(content):
        found.append("Small triangles at the upper edge: single observations outside of the panel.")
    return [note for note in (lines(content) if content.steady else "", " ".join(found)) if note]


def optimum(content):
    """What the axis of losses is measured from, and what lies above it."""
    found = []
    if math.isfinite(content.optimum):
        found.append(f"F* = {content.optimum:.7g}: {content.certified}.")
    elif content.scale.floor:
        found.append("The axis of losses is stretched towards the lowest one, because no bound on the optimum is known.")
    if math.isfinite(content.start):
        found.append(f"Above the panels: the start, at {plain(float(f'{content.start:.3g}'))}.")
    return found


def left_out(count, rest="; the report's table has all."):
    """[that so many configurations are not shown]; nothing where all are."""
    return [f"{count} more configuration{' is' if count == 1 else 's are'} not shown{rest}"] if count else []


def overwrite(mark="Not atomic"):
    """What the mark at a kind of memory means."""
    return f"{mark}: CPU and GPU increments can overwrite each other, since the link has no atomics."


def lines(content):
    """Which lines are strong, which are faint, and what dots and markers are."""
    chosen = not all(curve.strong for curve in content.curves)
    seeds = not all(curve.typical for curve in content.curves)
    what = "the loss as measured" if content.as_measured else "the lowest loss so far"
    text = f"Lines: {what}{', of the seed with the middle result' if seeds else ''}."
    if chosen:
        several = len({curve.key.device for curve in content.curves}) > 1
        text += f" Strong: of each method{' on each device' if several else ''} the variant that was first to " + (
            "reach the target (or came nearest)." if content.to_target
            else f"complete {100 * (1 - NEAR):.0f} % of the fall to its lowest loss.")
    faint = ["variants"] * chosen + ["seeds"] * (seeds and (chosen or not content.raw))
    if faint:
        text += f" Faint: the other {' and '.join(faint)}."
    if content.raw and (seeds or not content.as_measured):
        whose = "" if not seeds else ", of the other seeds" if content.as_measured else ", of every seed"
        text += f" Small dots: every observation{whose}{', of the strong variants' if chosen else ''}."
    if any(curve.strong and curve.key.workers for curve in content.curves):
        text += " Markers on lines stand at a few observations and tell numbers of workers apart."
    return text


def has_outside(content):
    return content.raw and any((curve.observed > content.high).any() for curve in content.steady if curve.strong)
