"""Axes: where a value stands on one, which round numbers label it, and how numbers are written."""

import math
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib import ticker

from plot.files.errors import NotDrawn
from plot.style.styling import FAINT

# Mantissas, the roundest first; the room that each needs; the hole that is better than numbers with more digits.
ROUND = [(np.array([mantissa]), 1.0, 1.0) for mantissa in (1.0, 5.0, 2.0, 3.0, 4.0, 7.0, 6.0, 8.0, 9.0)]
ROUND += [(np.arange(1.0, 10.0, step).round(3), 1.6, hole)
          for step, hole in ((0.5, 1.0), (0.1, 1.6), (0.05, 1.6), (0.01, 1.6), (0.005, 1.6), (0.001, 1.6))]
HOLE = 0.22  # of an axis: the longest stretch without a number
LINES_APART = {"x": 3.2, "y": 2.2}  # from one number to the next, in type sizes
LETTER, BETWEEN = 0.62, 0.5  # type sizes: width of a digit, least room between two texts
LONG_APART = 4.6  # from one number with a unit to the next along x, in type sizes


@dataclass(frozen=True)
class Scale:
    """Logarithmic in value - floor: the nearer to the floor, the more room a difference gets."""
    floor: float = 0.0

    def forward(self, values):
        """NaN, which is not drawn, at the floor and below."""
        above = np.asarray(values, dtype=float) - self.floor
        return np.log10(np.where(above > 0, above, np.nan))

    def inverse(self, places):
        return self.floor + 10.0 ** np.asarray(places, dtype=float)

    def share(self, value, low, high):
        """0 at low to 1 at high."""
        start, end = self.forward(low), self.forward(high)
        return (self.forward(value) - start) / (end - start)

    def widened(self, low, high, below, above, least=0.2):
        """Limits with a margin, as shares of their distance, which is `least` decades at least."""
        start, end = self.forward(low), self.forward(high)
        span = max(end - start, least)
        return float(self.inverse(start - below * span)), float(self.inverse(end + above * span))


def round_numbers(low, high, scale, least, hole):
    """Numbers in [low, high], the roundest first, none nearer to another than a share `least` of the axis. They go on
    until no stretch longer than `hole` is without one."""
    low = max(low, high * 1e-15)
    exponents = 10.0 ** np.arange(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    chosen, taken = [], np.array([0.0, 1.0])  # the axis' ends, and places of what was chosen
    for mantissas, room, longest in ROUND:
        values = np.outer(exponents, mantissas).ravel()
        values = values[(values >= low) & (values <= high)]
        places = scale.share(values, low, high)
        for place in taken[2:]:
            free = np.abs(places - place) >= room * least
            values, places = values[free], places[free]
        while values.size:
            value, place = values[0], places[0]
            chosen.append(float(value))
            taken = np.append(taken, place)
            free = np.abs(places[1:] - place) >= room * least
            values, places = values[1:][free], places[1:][free]
        if len(chosen) > 1 and np.diff(np.sort(taken)).max() <= longest * hole:
            break
    return sorted(chosen)


def number_axis(axis, low, high, scale, form):
    """Sets the axis to the scale and its limits, and writes as many round numbers along it as stay readable."""
    if not math.isfinite(high - low):
        raise NotDrawn("a number in its files is too large for an axis")
    axes, name = axis.axes, axis.axis_name
    getattr(axes, f"set_{name}scale")("function", functions=(scale.forward, scale.inverse))
    getattr(axes, f"set_{name}lim")(low, high)
    panel = axes.get_window_extent()
    points = (panel.width if name == "x" else panel.height) / axes.figure.dpi * 72
    apart = LONG_APART if name == "x" and form is duration else LINES_APART[name]
    gap = matplotlib.rcParams["font.size"] * apart / points
    major = round_numbers(low, high, scale, gap, HOLE)
    axis.set_major_locator(ticker.FixedLocator(major))
    axis.set_major_formatter(ticker.FuncFormatter(form))
    minor = round_numbers(low, high, scale, gap / 5, 2 * gap / 5)
    axis.set_minor_locator(ticker.FixedLocator([value for value in minor if value not in major]))
    axis.set_minor_formatter(ticker.NullFormatter())


def number_axis_with_strip(axes, low, high, form, below=False):
    """The y axis, logarithmic, and a grey strip for what is beyond any value: above `high`, or below `low`; returns its middle."""
    end, other = (low, high) if below else (high, low)
    edge = end * (end / other) ** 0.06
    far = edge * edge / end
    number_axis(axes.yaxis, *((far, high) if below else (low, far)), Scale(), form)
    axes.axhspan(end, far, color=FAINT, alpha=0.55, linewidth=0, zorder=0)
    for minor in (False, True):
        axes.set_yticks([tick for tick in axes.yaxis.get_ticklocs(minor=minor) if low <= tick <= high], minor=minor)
    return edge


def apart(texts, places, type_size):
    """Indices of the texts below an axis, centred at rising places in points of paper, that do not meet. Where two would, the later
    one goes, but the last of all stays."""
    free = lambda one, other: places[other] - places[one] >= type_size * (LETTER * (len(texts[one]) + len(texts[other])) / 2 + BETWEEN)
    last, kept = len(texts) - 1, []
    for index in range(last):
        if (not kept or free(kept[-1], index)) and free(index, last):
            kept.append(index)
    return kept + [last]


BESIDE = 3.2  # ems between two panels' axes, so that a number with its unit at the end of one keeps clear of the next one's first
WIDE = 1000  # longest over shortest time that one unit serves
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(value, _position=None):
    """0.02, 5, 10⁻⁵: a tick without a formula."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else ""
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    if -3 <= exponent < 4:
        return f"{value:.6g}".replace("-", "−")
    mantissa = value / 10.0 ** exponent
    power = f"10{str(exponent).translate(SUPERSCRIPTS)}"
    return power if abs(mantissa - 1) < 1e-6 else f"{mantissa:.3g}·{power}".replace("-", "−")


def counted(value, _position=None):
    """200 k, 1.5 M, 2 G: a rate or a count."""
    for unit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit * 0.9995:
            return f"{value / unit:.3g} {letter}"
    return f"{value:.3g}"


def duration(seconds, _position=None):
    """20 µs, 5 ms, 300 s: a time with its unit."""
    unit, name = next(((unit, name) for unit, name in ((1.0, "s"), (1e-3, "ms")) if seconds >= unit * 0.9995), (1e-6, "µs"))
    return f"{seconds / unit:.6g} {name}"


def time_form(seconds):
    """(factor, unit, tick text) that keep the numbers of a time axis short. Where its times are too far apart for one unit, every
    number has its own, and `unit` is empty."""
    longest, shortest = max(seconds), min((value for value in seconds if value > 0), default=1.0)
    if longest >= 0.8 and longest > WIDE * shortest:
        return 1.0, "", duration
    factor, unit = (1e3, "ms") if longest < 0.8 else (1.0, "s") if longest < 600 else (1 / 60.0, "min")
    return factor, unit, plain
