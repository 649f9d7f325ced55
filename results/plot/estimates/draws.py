"""Bootstrap draws of a few seeds, and which of them are the ends of a 95 % interval: those of `hogwild compare`, bit for bit.

A draw takes n of n seeds with replacement. Plain percentiles of draws are too narrow for small n, so the ends lie at the levels

    Phi(-sqrt(n / (n - 1)) t) and one minus it,     t: the 0.975 quantile of Student with n - 1 degrees of freedom

Random numbers are counter-based (Philox 4x32-10) with a fixed key: the same files give the same numbers, here and there.
Sources: Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015), 4.3. Salmon, Moraes, Dror,
Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Abramowitz and Stegun 26.7.3 and 26.7.4.
"""

import math
from functools import lru_cache

import numpy as np

DRAWS = 10000
KEY = 0x636F6D70617265  # "compare"
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def philox(counters, key):
    """128 random bits of each counter; four columns of 32 bits in 64."""
    first, second, third, fourth = (counters[:, place] for place in range(4))
    left, right = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        low, high = np.uint64(0xD2511F53) * first, np.uint64(0xCD9E8D57) * third
        first, second, third, fourth = ((high >> HALF) ^ second ^ np.uint64(left), high & LOW, (low >> HALF) ^ fourth ^ np.uint64(right), low & LOW)
        left, right = (left + 0x9E3779B9) & 0xFFFFFFFF, (right + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack([first, second, third, fourth], axis=1)


@lru_cache(maxsize=None)
def draws(count):
    """Row by row which seeds a draw takes, as places 0 to count - 1."""
    blocks = []
    for start in range(0, count, 4):
        counters = np.zeros((DRAWS, 4), dtype=np.uint64)
        counters[:, 0], counters[:, 1] = np.arange(DRAWS), start
        blocks.append(philox(counters, KEY))
    return (np.concatenate(blocks, axis=1)[:, :count] * np.uint64(count) >> HALF).astype(np.intp)


@lru_cache(maxsize=None)
def times_drawn(count):
    """How many times each draw takes each seed."""
    return np.stack([(draws(count) == place).sum(axis=1) for place in range(count)], axis=1).astype(float)


@lru_cache(maxsize=None)
def rank(count):
    """How many of the draws, in order, lie beyond either end; 2 seeds or more."""
    level = 0.5 * math.erfc(math.sqrt(count / (count - 1)) * student(0.95, count - 1) / math.sqrt(2))
    return int(level * DRAWS)


def within(x, degrees):
    """P(|t| <= x) of Student's t."""
    angle = math.atan(x / math.sqrt(degrees))
    odd = degrees % 2
    term, total = math.cos(angle) if odd else 1.0, 0.0
    for k in range(odd, degrees - 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


@lru_cache(maxsize=None)
def student(share, degrees):
    """The x with P(|t| <= x) = share."""
    below, above = 0.0, 1.0
    while within(above, degrees) < share:
        above *= 2
    while above - below > 1e-12 * above:
        middle = 0.5 * (below + above)
        below, above = (middle, above) if within(middle, degrees) < share else (below, middle)
    return 0.5 * (below + above)
