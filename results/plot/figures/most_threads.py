"""Loss as in bands.py, of each method with the most threads that it ran with: what more of them do where fewer come first.

Limits are those of the loss figure of the same runs.
"""

from plot.estimates import choosing, curves
from plot.figures import bands
from plot.files import naming
from plot.files.errors import NotDrawn


def draw(runs, size, title, subtitle, footnotes):
    return bands.draw(runs, size, title, subtitle, footnotes, gather)


def gather(runs):
    """The content of the loss figure with other strong curves."""
    keys = naming.keys(runs)
    largest = choosing.with_most_threads(runs, keys)
    if len(largest) == len(runs):
        raise NotDrawn("no method ran with two numbers of threads")
    content = curves.gather(runs)
    chosen = choosing.best_keys(largest, keys)
    if content.curves and all(curve.strong for curve in content.curves if curve.key in chosen):
        raise NotDrawn("the figure of the loss has every method with its most threads")
    for curve in content.curves:
        curve.strong = curve.key in chosen
    content.among = "most threads"
    return content
