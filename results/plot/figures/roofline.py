"""Nonzeros per second against the machine's measured ceilings: read bandwidth, and random increments of the update policy.

Samples that stay in a cache pass the first, steps that write nothing the second. The number at a mark is its share of the lower one,
and the mark says which that is: round for increments, square for bandwidth. Shares of different ceilings are not compared.
"""

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import configurations, intervals
from plot.estimates.ceilings import Ceilings
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

CEILINGS = (("increments", "random increments"), ("read bandwidth", "read bandwidth"))


def draw(runs, size, title, subtitle, footnotes):
    ceilings = Ceilings(runs)
    chosen = [one for one in configurations.best_variants(configurations.configurations(runs))
              if one.key.on_threads_alone and one.positive("nonzeros_per_second")]
    if not chosen:
        raise NotDrawn("no run of CPU threads has nonzeros per second")
    styling.use(size)
    strokes = styling.Strokes([one.key for one in chosen], [one.key for one in chosen], size)
    note = ("Grey: the machine's ceilings at the nearest number of workers that hogwild info measured. At each mark: its share of the "
            "lower one, which the mark's form names: shares of different ceilings are no one number. Samples in a cache pass that of bandwidth, steps that write nothing that of increments.")
    sheet = Sheet(size, title, subtitle, [note] + footnotes, legend(strokes, size))
    em = size.type * POINT
    place, = sheet.lay_out(1, left=4.9 * em, bottom=3.4 * em, top=0.8 * em, right=em, flat=1.15)
    draw_panel(sheet.figure.add_axes(place), chosen, ceilings, strokes)
    return sheet.figure


def draw_panel(axes, chosen, ceilings, strokes):
    size = strokes.size
    rows = [(one, intervals.median(one.positive("nonzeros_per_second")), ceilings.limits(one)) for one in chosen]
    values = [value for _, rate, limits in rows for value in (rate, *limits.values())]
    scales.number_axis(axes.yaxis, *scales.Scale().widened(min(values), max(values), 0.06, 0.08), scales.Scale(), scales.counted)
    axes.set_ylabel("nonzeros per second")
    axes.set_xlim(-0.6, len(rows) - 0.4)
    axes.xaxis.set_major_locator(ticker.FixedLocator(range(len(rows))))
    axes.set_xticklabels([str(max(1, one.key.threads)) for one, _, _ in rows])
    axes.set_xlabel("threads, method by method")
    axes.tick_params(axis="x", length=0)
    axes.grid(True, which="major", axis="y")
    for x, (one, rate, limits) in enumerate(rows):
        for name, limit in limits.items():
            axes.add_line(Line2D([x - 0.42, x + 0.42], [limit, limit], zorder=2, **ceiling_look(name, size)))
        axes.add_line(Line2D([x], [rate], zorder=4, **{**strokes.dot(one.key), **mark_of(ceilings.lower(one), size)}))
    texts = [percent(ceilings.share(one)) for one, _, _ in rows]
    upright = points(axes, (1, values[0]))[0] - points(axes, (0, values[0]))[0] < size.type * 0.8 * scales.LETTER * (max(map(len, texts)) + 1)
    for x, ((_, rate, limits), text) in enumerate(zip(rows, texts)):
        write_share(axes, text, x, rate, limits.values(), upright, size)


def percent(share):
    """With two significant digits."""
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:#.2g} %"


def write_share(axes, text, x, rate, limits, upright, size):
    """Below the mark, or above where a ceiling or the axis lies below; `upright`: turned, since columns are narrow."""
    letters = size.type * 0.8
    length, gap = letters * (scales.LETTER * len(text) if upright else 1.0), size.marker * 1.5
    height = points(axes, (x, rate))[1]
    taken = [points(axes, (x, limit))[1] - height for limit in limits] + [points(axes, (x, axes.get_ylim()[0]))[1] - height]
    below = not any(-gap - length < place < 0 for place in taken)
    axes.annotate(text, xy=(x, rate), xytext=(0, -gap if below else gap), textcoords="offset points", ha="center", va="top" if below else "bottom",
                  rotation=90 if upright else 0, fontsize=letters, color=styling.QUIET, zorder=3)


def points(axes, place):
    """Points of paper, to the right and upwards."""
    return axes.transData.transform(place) / axes.figure.dpi * 72


def mark_of(ceiling, size):
    return dict(marker="o" if ceiling == "increments" else "s", linestyle="", markersize=size.marker * (1.5 if ceiling == "increments" else 1.35))


def ceiling_look(name, size):
    return dict(color=styling.QUIET, linewidth=size.stroke * 1.4, linestyle="solid" if name == "increments" else (0, (1.5, 1)))


def legend(strokes, size):
    block = Block("ceilings", [Entry(ceiling_look(name, size), text) for name, text in CEILINGS])
    methods = Block("method")
    for key in strokes.strong:
        if key.method not in [entry.label for entry in methods.entries]:
            methods.entries.append(Entry(strokes.dot(key, 1.5), key.method))
    marks = Block("share at a mark", [Entry(dict(color=styling.INK, **mark_of(name, size)), f"of {text}") for name, text in CEILINGS])
    return [methods, block, marks]
