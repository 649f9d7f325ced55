"""Heat maps: a cell's colour and its text say the same number, so that neither colours nor print are needed to read it.

The colours go from pale to dark in one hue, which survives every kind of colour vision and a grey printer. A cell without a value is
white, with a dash or what stands for it.
"""

import math

from matplotlib import colors as mcolors
from matplotlib import ticker
from matplotlib.patches import Rectangle

from plot.style import styling

DEEP, PALE = "#00224E", 0.07  # the darkest, and how much of it the palest cell has
LETTER = 0.68  # width of a letter, in type sizes, with a little room
DARK = 0.45  # lightness below which text is white


def colour(share):
    """The colour of a share from 0, pale, to 1, dark."""
    return styling.tint(DEEP, PALE + (1 - PALE) * min(1.0, max(0.0, share)))


def ink(fill):
    red, green, blue = mcolors.to_rgb(fill)
    return "white" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < DARK else styling.INK


def draw_map(axes, shares, texts, columns, rows, size):
    """`shares[row][column]`: 0 to 1, NaN for an empty cell. `texts[row][column]`: its text. `columns`, `rows`: names along
    the axes, rows from below."""
    room = axes.get_position().width * axes.figure.get_figwidth() * 72 / len(columns)
    fitting = lambda words: min(size.type * 0.86, room / (LETTER * max((len(word) for word in words), default=1)))
    inside = fitting([text for line in texts for text in line])
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(-0.5, len(rows) - 0.5)
    for y, (line, words) in enumerate(zip(shares, texts)):
        for x, (share, text) in enumerate(zip(line, words)):
            empty = math.isnan(share)
            fill = "white" if empty else colour(share)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=fill, edgecolor="white", linewidth=size.stroke))
            axes.text(x, y, text, ha="center", va="center", color=styling.QUIET if empty else ink(fill), fontsize=inside)
    axes.xaxis.set_major_locator(ticker.FixedLocator(range(len(columns))))
    axes.set_xticklabels(columns, fontsize=fitting([word for name in columns for word in name.split("\n")]))
    axes.yaxis.set_major_locator(ticker.FixedLocator(range(len(rows))))
    axes.set_yticklabels(rows)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
