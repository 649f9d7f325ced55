"""Blocks of legends that figures share: the methods of each device, what markers of workers mean, and marks that are no method."""

import math

from plot.files.axes import THREADS
from plot.files.naming import DEVICES
from plot.style import styling
from plot.style.canvas import Block, Entry


def methods(strokes, look=None, chosen="", workers=False):
    """The strong lines: in one block or, where a GPU steps, in one for each device. `look`: Line2D properties of a key; none: its
    line. `chosen`: what each is of its method, and every line is named, with its `workers` or without. "": lines that differ in
    their workers alone are one."""
    blocks, named = {}, {}
    for key in strokes.strong:
        blocks.setdefault(key.device, [])
        if chosen:
            blocks[key.device].append(Entry((look or strokes.line)(key), key.label_with_workers if workers else key.label))
        else:
            named[key.device, key.label] = key  # of several the one with the most workers
    for (device, label), key in named.items():
        blocks[device].append(Entry(look(key) if look else {**strokes.line(key), "marker": ""}, label))
    if set(blocks) == {THREADS}:
        return [Block(f"method, {chosen}" if chosen else "method", blocks[THREADS])]
    return [Block(DEVICES[device], entries) for device, entries in blocks.items()]


def workers(strokes, pale=True):
    """What markers mean: thread counts, and streams × blocks of a GPU alone. `pale`: as marks of fewer are in the figure."""
    threads, grids = Block("threads"), Block("streams × blocks")
    for block, known, of in ((threads, strokes.thread_counts, lambda key: key.threads), (grids, strokes.grids, lambda key: key.grid)):
        for own in known:
            key = min((key for key in strokes.strong if of(key) == own), key=strokes.depth, default=None)
            if key:
                block.entries.append(Entry(strokes.in_ink(key, pale), str(own)))
    return [threads, grids]


def outcomes(points, size, whisker):
    """Entries of crosses, hollow marks and whiskers, as far as the points of an efficiency figure have them; `whisker`: what one is called."""
    found, mark = [], dict(color=styling.INK, linestyle="", markersize=size.marker * 1.6, markeredgewidth=size.stroke * 1.2)
    if any(math.isinf(point.median) and not point.diverged for point in points):
        found.append(Entry({**mark, "marker": "^", "markerfacecolor": "white"}, "target missed"))
    if any(point.diverged for point in points):
        found.append(Entry({**mark, "marker": "x"}, "diverged"))
    if any(len(point.values) > 1 for point in points):
        found.append(Entry({**mark, "marker": "|", "markersize": size.type * 1.1, "markeredgewidth": size.stroke * 0.8}, whisker))
    return found
