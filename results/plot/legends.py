"""Legends that name devices: the methods of each, and what its workers' markers mean."""

from plot.canvas import Block, Entry
from plot.naming import DEVICES


def methods(strokes, look, chosen=False, workers=False):
    """The strong lines: in one block or, where a GPU steps, in one for each device. `look`: Line2D properties of a key.
    `chosen`: every line is named, with its `workers` or without; else those that differ in their workers alone are one."""
    blocks, named = {}, {}
    for key in strokes.strong:
        blocks.setdefault(key.device, [])
        if chosen:
            blocks[key.device].append(Entry(look(key), key.label_with_workers if workers else key.label))
        else:
            named[key.device, key.label] = key  # of several the one with the most workers
    for (device, label), key in named.items():
        blocks[device].append(Entry({**look(key), "marker": ""}, label))
    if set(blocks) == {"cpu"}:
        return [Block("method, best variant" if chosen else "method", blocks["cpu"])]
    return [Block(DEVICES[device], entries) for device, entries in blocks.items()]


def workers(strokes):
    """What markers mean: thread counts, and streams × blocks of a GPU alone."""
    threads, grids = Block("threads"), Block("streams × blocks")
    for block, known, of in ((threads, strokes.thread_counts, lambda key: key.threads), (grids, strokes.grids, lambda key: key.grid)):
        for own in known:
            key = next((key for key in strokes.strong if of(key) == own), None)
            if key:
                block.entries.append(Entry(strokes.in_ink(key), str(own)))
    return [threads, grids]
