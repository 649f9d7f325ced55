"""Colours, line widths, markers, sizes and number formats: one method, one colour; one thread count, one marker and tint.

The palette is Okabe and Ito's (2008), told apart with every common colour blindness; its yellow is darkened, because
#F0E442 disappears as a thin line on white. A known method keeps its colour in every figure, so that two figures can be
read side by side; others take what is left. Thread counts have markers too, methods beyond the palette have dashes.
"""

import math
from dataclasses import dataclass

import matplotlib
from matplotlib import colors as mcolors
from matplotlib import ticker

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILLION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#D9C400", "#0072B2", "#D55E00", "#CC79A7")
PALETTE = (VERMILLION, BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW, BLACK)
DASHES = ("solid", (0, (4, 1.4)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))
KNOWN = {
    "serial": (BLACK, DASHES[0]),
    "hogwild · racy": (VERMILLION, DASHES[0]),
    "hogwild · atomic": (BLUE, DASHES[0]),
    "hogwild · locked": (GREEN, DASHES[0]),
    "hogwild · locked-read": (GREEN, DASHES[1]),
    "hogwild · global-lock": (YELLOW, DASHES[0]),
    "round-robin": (PURPLE, DASHES[0]),
    "minibatch": (SKY, DASHES[0]),
    "local-sgd": (ORANGE, DASHES[0]),
}
MARKERS = ("o", "s", "^", "D", "v", "p", "<", "h", ">")  # never x: that is how a diverged run ends

INK, QUIET, FAINT = "#1a1a1a", "#5f5f5f", "#d9d9d9"


@dataclass(frozen=True)
class Size:
    """A place of publication; lengths in inches, type and strokes in points."""
    width: float
    panel_height: float
    type: float
    stroke: float
    marker: float
    legend_right: bool
    dpi: int
    height: float = 0.0  # of the whole sheet; 0: as high as its content


SIZES = {
    "column": Size(3.5, 1.75, 6.2, 0.8, 2.3, False, 400),
    "page": Size(7.2, 2.9, 7.6, 1.05, 3.3, True, 300),
    "slide": Size(13.333, 3.0, 14.0, 2.0, 6.4, True, 144, 7.5),
}


def use(size):
    """Settings for every figure. Text is text: a `$` in a name must not start a formula."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({
        "text.parse_math": False,
        "axes.formatter.use_mathtext": False,
        "svg.hashsalt": "hogwild",
        "svg.fonttype": "path",
        "font.family": "DejaVu Sans",
        "font.size": size.type,
        "axes.labelsize": size.type,
        "axes.labelpad": size.type * 0.4,
        "axes.titlesize": size.type,
        "xtick.labelsize": size.type * 0.92,
        "ytick.labelsize": size.type * 0.92,
        "axes.linewidth": size.stroke * 0.55,
        "axes.edgecolor": QUIET,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": QUIET,
        "ytick.color": QUIET,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.major.width": size.stroke * 0.55,
        "ytick.major.width": size.stroke * 0.55,
        "xtick.minor.width": size.stroke * 0.35,
        "ytick.minor.width": size.stroke * 0.35,
        "xtick.major.size": size.type * 0.4,
        "ytick.major.size": size.type * 0.4,
        "xtick.minor.size": size.type * 0.22,
        "ytick.minor.size": size.type * 0.22,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.color": FAINT,
        "grid.linewidth": size.stroke * 0.4,
        "lines.solid_capstyle": "round",
        "lines.solid_joinstyle": "round",
        "figure.dpi": 100,
    })


class Strokes:
    """How each (method, threads) is drawn."""

    def __init__(self, methods, thread_counts, size):
        self.methods = sorted(set(methods))  # runs come in random order; figures of one folder agree
        self.thread_counts = sorted(set(thread_counts))
        self.size = size
        self._colours = assign_colours(self.methods)

    def colour(self, method):
        return self._colours[method][0]

    def dash(self, method):
        return self._colours[method][1]

    def strength(self, threads):
        """0 for the fewest threads to 1 for the most."""
        last = len(self.thread_counts) - 1
        return self.thread_counts.index(threads) / last if last > 0 else 1.0

    def tint(self, colour, threads):
        """Few threads are pale, all of them full: opaque, so that crossing lines do not mix into a third colour."""
        share = 0.42 + 0.58 * self.strength(threads)
        return mcolors.to_hex([1 - share * (1 - channel) for channel in mcolors.to_rgb(colour)])

    def marker(self, threads):
        return MARKERS[self.thread_counts.index(threads) % len(MARKERS)]

    def line(self, method, threads, serial):
        """Line2D properties. Serial is the yardstick: it has no threads, so it has no marker and no tint."""
        size = self.size
        if serial:
            return dict(color=self.colour(method), linestyle=self.dash(method), linewidth=size.stroke * 1.35, zorder=6)
        return dict(color=self.tint(self.colour(method), threads), linestyle=self.dash(method),
                    linewidth=size.stroke * (0.75 + 0.35 * self.strength(threads)), marker=self.marker(threads),
                    markersize=size.marker, markeredgewidth=size.stroke * 0.3, markeredgecolor="white",
                    zorder=3 + self.strength(threads))


def assign_colours(methods):
    """{method: (colour, dash)}; every pair once as long as there are enough of them."""
    assigned = {method: KNOWN[method] for method in methods if method in KNOWN}
    free = [(colour, dash) for dash in DASHES for colour in PALETTE if (colour, dash) not in assigned.values()]
    for method in methods:
        variants = KNOWN.get(method.split(",")[0])  # "minibatch, batch 64" has the colour of "minibatch"
        if method not in assigned and variants in free:
            assigned[method] = variants
            free.remove(variants)
    for index, method in enumerate(method for method in methods if method not in assigned):
        assigned[method] = free[index % len(free)]
    return assigned


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


def time_unit(longest_seconds):
    """(factor, unit) that keep the numbers of a time axis short."""
    return (1e3, "ms") if longest_seconds < 0.8 else (1.0, "s") if longest_seconds < 600 else (1 / 60.0, "min")


def log_ticks(axis, low, high, form=plain):
    """Numbers on a log axis as densely as they stay readable: every 1-2-5, else decades, else every few decades."""
    panel = axis.axes.get_window_extent()
    length, label = (panel.width, 3.2) if axis.axis_name == "x" else (panel.height, 2.2)
    room = length / axis.axes.figure.dpi * 72 / (matplotlib.rcParams["font.size"] * label)
    decades = math.log10(high / low)
    few = ((1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0),) if decades < 0.9 else ()
    subs = next((subs for subs in few + ((1.0, 2.0, 5.0), (1.0, 3.0)) if decades * len(subs) <= room), (1.0,))
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=max(2, int(room))))
    axis.set_major_formatter(ticker.FuncFormatter(form))
    axis.set_minor_locator(ticker.LogLocator(base=10, subs=range(2, 10), numticks=12) if decades < 8
                           else ticker.NullLocator())
    axis.set_minor_formatter(ticker.NullFormatter())
