"""Counts of staleness as what a figure shows: a histogram and a tail, of all steps of a configuration, its seeds together.

Buckets of the files are exact below 64, then 32 for each power of two. The histogram's bins are one value wide below 16, then 4 for each
power of two. A bin's height is share / width: the share of the steps for one value of staleness, whatever the width. The tail
P(staleness >= s) is that of the files' own buckets, exact at the first value of each.
"""

EXACT = 16  # values that have a bin each
FINE = 4  # bins of each power of two above


def pooled(runs, device):
    """[(from, to, steps), ...], ascending: the steps of all runs together; empty where none counted any."""
    return merged(run.staleness.get(device, ()) for run in runs)


def pooled_layers(runs, device):
    """{number of a network's layer: its counts}, first layers first."""
    layers = sorted({layer for run in runs for of, layer in run.layers if of == device})
    return {layer: merged(run.layers.get((device, layer), ()) for run in runs) for layer in layers}


def merged(all_buckets):
    counts = {}
    for buckets in all_buckets:
        for low, high, steps in buckets:
            counts[low, high] = counts.get((low, high), 0) + steps
    return [(low, high, steps) for (low, high), steps in sorted(counts.items())]


def mean(buckets):
    """Over the steps; those of a bucket of several values stand for its middle."""
    return sum((low + high) / 2 * steps for low, high, steps in buckets) / sum(steps for _, _, steps in buckets)


def bin_of(value):
    """(first value, width) of the bin that holds it."""
    value = int(value)
    width = 1 if value < EXACT else 1 << (value.bit_length() - FINE.bit_length())
    return value // width * width, width


def histogram(buckets):
    """[(first value, width, share of the steps for one value), ...] of the bins that hold steps."""
    total, bins = sum(steps for _, _, steps in buckets), {}
    for low, _, steps in buckets:
        place = bin_of(low)
        bins[place] = bins.get(place, 0) + steps
    return [(first, width, steps / total / width) for (first, width), steps in sorted(bins.items())]


def tail(buckets):
    """[(s, share of the steps with a staleness of at least s), ...] at the first value of each bucket, from 0 on."""
    rest = total = sum(steps for _, _, steps in buckets)
    found = [(0, 1.0)]
    for low, _, steps in buckets:
        if low > 0:
            found.append((low, rest / total))
        rest -= steps
    return found
