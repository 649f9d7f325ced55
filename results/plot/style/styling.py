"""Line widths, markers and sizes, and how a figure's lines are told apart. That is by their methods' looks (looks.py), but for curves of
a single method (CurveStrokes), which have colours of their own.

What varies within a method has other means. Its variants (batch, step size ...) have dashes. Its thread counts have markers and are the
paler the fewer they are. The device is the form of a line: plain for CPU threads, hollow for a GPU. For both it is the plain one inside
the hollow one. In the same way markers are filled, hollow and half filled.
"""

from dataclasses import dataclass

import matplotlib
from matplotlib import colors as mcolors
from matplotlib.patheffects import AbstractPathEffect, withStroke

from plot.files.naming import DEVICES as DEVICE_NAMES
from plot.files.naming import in_flight, natural, without_hot
from plot.style.looks import BLACK, HUES, INK, LOOKS, OTHER, dealt, look_of  # noqa: F401, some for figures

DEVICES = {"cpu": "#5577DD", "gpu": "#DD5500", "both": "#330077"}  # found by the same search, where a figure is about devices
MARKERS = ("o", "s", "^", "D", "v", "p", "<", "h", ">")  # never x: that is how a diverged run ends

QUIET, FAINT = "#5f5f5f", "#d9d9d9"


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


def add_size(parser, of=""):
    """The option of a script that draws."""
    parser.add_argument("--size", choices=SIZES, default="page",
                        help=f"{of}column: 3.5 in wide; page: 7.2 in; slide: 13.3 x 7.5 in (default: page)")


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


def order(key):
    """Where a line stands in a legend: the same in every figure."""
    known, method = list(LOOKS), without_hot(key.method)
    place = known.index(method) if method in known else len(known)
    device = list(DEVICE_NAMES).index(key.device)
    return device, place, key.method, natural(key.variant), key.threads, in_flight(key.grid)


class Strands(AbstractPathEffect):
    """A line of parallel strands: a white core of a share of its width, and in that perhaps one more of its own colour. Markers
    stay as they are."""

    def __init__(self, hollow, inner=0.0):
        super().__init__()
        self._hollow, self._inner = hollow, inner

    def draw_path(self, renderer, gc, path, affine, face=None):
        renderer.draw_path(gc, path, affine, face)
        if face is not None:  # a marker
            return
        for share, colour in ((self._hollow, "white"), (self._inner, gc.get_rgb())):
            if share:
                core = renderer.new_gc()
                core.copy_properties(gc)
                core.set_foreground(colour)
                core.set_linewidth(share * gc.get_linewidth())
                renderer.draw_path(core, path, affine)
                core.restore()


class Strokes:
    """How each line (naming.Key) is drawn, given all keys of the figure and those that are drawn strongly."""

    def __init__(self, keys, strong, size):
        self.strong = sorted(set(strong), key=order)  # runs come in random order; figures of one folder agree
        self.size = size
        self.thread_counts = sorted({key.threads for key in keys if key.threads})
        self.grids = sorted({key.grid for key in keys if key.grid}, key=in_flight)
        self._dashes = dealt([((key.family, key.variant), (self.colour(key), key.device), look_of(key.method).form.dash)
                              for key in self.strong])

    def colour(self, key):
        return look_of(key.method).colour

    def dash(self, key):
        return self._dashes[key.family, key.variant]

    def strength(self, key):
        """0 for the fewest threads, or streams × blocks, to 1 for the most; 1 for serial, and for the only line of its method."""
        alone = sum(other.family == key.family for other in self.strong) == 1
        place, count = self._workers(key)
        return 1.0 if alone or count < 2 else place / (count - 1)

    def depth(self, key):
        """The share of its colour that a line has, the paler the fewer its workers."""
        return 0.6 + 0.4 * self.strength(key)

    def _workers(self, key):
        """(place of its workers among those of the figure, how many there are), (0, 0) where nothing is counted."""
        known, own = (self.grids, key.grid) if key.grid else (self.thread_counts, key.threads)
        return (known.index(own), len(known)) if own else (0, 0)

    def line(self, key):
        """Line2D properties of a strong line. Serial is the yardstick: wide, and below the others, which may
        coincide with it. It has no threads, so it has no marker and no tint."""
        size = self.size
        if key.serial:
            return dict(color=self.colour(key), linestyle=self.dash(key), linewidth=size.stroke * 2.3, zorder=3)
        strength = self.strength(key)
        colour = tint(self.colour(key), self.depth(key))
        return dict(color=colour, zorder=4 + strength,
                    **self.form(key, size.stroke * (0.85 + 0.35 * strength)), **self.marker(key, colour))

    def form(self, key, width):
        """Dashes and width of a line, and its strands where a GPU steps."""
        dash = self.dash(key)
        if key.on_threads_alone:
            return dict(linestyle=dash, linewidth=width)
        wide, strands = (2.3, Strands(0.5)) if key.on_gpu_alone else (3.6, Strands(0.68, 0.28))
        if dash != "solid":  # dashes are multiples of the width
            dash = dash[0], tuple(1.1 * length / wide for length in dash[1])
        return dict(linestyle=dash, linewidth=wide * width, path_effects=[strands], dash_capstyle="butt", solid_capstyle="butt")

    def marker(self, key, colour):
        """That of its workers; none where no workers are counted."""
        if not (key.threads or key.grid):
            return {}
        return dict(marker=MARKERS[self._workers(key)[0] % len(MARKERS)], **self.face(key, colour))

    def face(self, key, colour):
        """A marker is filled, in the form of its method, hollow or half filled, by device."""
        if key.on_threads_alone:
            return face_of(look_of(key.method).form, colour, self.size)
        size = self.size
        look = dict(markersize=size.marker * 1.3, markeredgewidth=size.stroke * 0.8, markeredgecolor=colour)
        if key.on_gpu_alone:
            return dict(look, markerfacecolor="white")
        return dict(look, fillstyle="left", markerfacecolor=colour, markerfacecoloralt="white")

    def dot(self, key, factor=1.0):
        """A round mark of a method, whatever its workers; so many times the usual size."""
        look = self.face(key, self.colour(key))
        return dict(color=self.colour(key), marker="o", linestyle="", **{**look, "markersize": look["markersize"] * factor})

    def dotted(self, key):
        """A line with such marks, for a legend of methods where marks are no workers."""
        return {**self.dot(key, 1.15), **self.form(key, self.size.stroke * 1.5)}

    def in_ink(self, key, pale=True):
        """The marker of a line's workers, as pale as it is there, for a legend of workers of every method."""
        ink = tint(INK, self.depth(key)) if pale else INK
        plain = key._replace(method="")  # whose marks have the plain form
        return {**self.line(key), "color": ink, "linestyle": "solid", **self.marker(plain, ink)}

    def faint(self, key):
        return dict(color=tint(self.colour(key), 0.45), linewidth=self.size.stroke * 0.5, zorder=2.5, alpha=0.7)

    def dots(self, key):
        return dict(color=tint(self.colour(key), 0.6), linestyle="", marker=".", markersize=self.size.marker * 0.7,
                    markeredgewidth=0, zorder=2.4, alpha=0.6)


class CurveStrokes(Strokes):
    """For curves, which cross. Where all but serial's are of one method on one device, the first axis that was varied has the
    colours, that of the method first. Dashes tell the rest apart."""

    def __init__(self, curves, size):
        strong = [curve.key for curve in curves if curve.strong]
        self._hues = hues(strong)
        super().__init__([curve.key for curve in curves], strong, size)

    def colour(self, key):
        own = super().colour(key)
        return own if key.serial else self._hues.get(key.varied_first, own)


def hues(keys):
    """{value of the first axis that was varied: colour}; nothing where keys are of several methods or devices."""
    keys = sorted((key for key in keys if not key.serial), key=order)
    if len({key.family for key in keys}) != 1:
        return {}
    own = look_of(keys[0].method).colour
    others = [colour for colour in HUES.values() if colour != own]
    first = dict.fromkeys(key.varied_first for key in keys)
    return dict(zip(first, [own, *others[::3], *others[1::3], *others[2::3]]))  # since neighbours are shades of one hue


def face_of(form, colour, size):
    """Line2D properties of a filled mark of that form."""
    return dict(markersize=size.marker, markeredgewidth=size.stroke * (0.3 if form.rim == "white" else 0.55), markeredgecolor=form.rim,
                fillstyle=form.coloured, markerfacecolor=colour, markerfacecoloralt=INK)


def hollow_of(form, size, width):
    """Line2D properties of a hollow mark, or of a cross, whose strokes are so wide. Its coloured part is white, and the rim
    goes around its strokes."""
    rim = {} if form.rim == "white" else dict(path_effects=[withStroke(foreground=form.rim, linewidth=width + size.stroke * 0.7)])
    return dict(markeredgewidth=width, fillstyle=form.coloured, markerfacecolor="white", markerfacecoloralt=INK, **rim)


def tint(colour, share):
    """So much of the colour, the rest white: opaque, so that crossing lines do not mix into a third colour."""
    return mcolors.to_hex([1 - share * (1 - channel) for channel in mcolors.to_rgb(colour)])
