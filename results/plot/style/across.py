"""The x axis of the efficiency figure: thread counts and, to the right of them, a room for GPUs alone, which have no threads.

In the room each line has a place of its own, in the order of the legend. Where no run has threads it is the whole axis. A lone
thread count is such a room too.
"""

import matplotlib
from matplotlib import ticker

from plot.files import naming
from plot.files.axes import GPU
from plot.style import scales, styling

PLACE, LEAST, MOST = 0.08, 0.25, 0.5  # of the axis: what a line of a GPU takes; all of them at least and at most


class Across:
    def __init__(self, keys):
        self.counts = sorted({key.threads for key in keys if key.threads})
        self.lone = len(self.counts) == 1
        self.columns = [] if self.lone else self.counts  # where points of several lines stand
        self.threaded = sorted({key for key in keys if key.threads}, key=styling.order)
        self.gpus = sorted({key for key in keys if key.on_gpu_alone}, key=styling.order)
        self.places = len(self.gpus) + (len(self.threaded) if self.lone else 0)

    def scale(self, axes, margin):
        """Limits, numbers and the line between thread counts and GPUs. `margin`: factor beside the first and last count."""
        axes.set_xscale("log", base=2)
        self.left, self.right = (self.counts[0] / margin, self.counts[-1] * margin) if self.counts else (1.0, 1.0)
        share = min(MOST, max(LEAST, PLACE * len(self.gpus))) if self.gpus else 0.0
        if self.lone:
            share = len(self.gpus) / self.places
        self.end = self.right * (self.right / self.left) ** (share / (1 - share)) if self.counts else 2.0
        axes.set_xlim(self.left, self.end)
        texts = [str(count) for count in self.counts]
        at = [float(axes.transData.transform((count, 1.0))[0]) / axes.figure.dpi * 72 for count in self.counts]
        named = scales.apart(texts, at, matplotlib.rcParams["font.size"]) if texts else []
        ticks = {self.counts[place]: texts[place] for place in named}
        axes.xaxis.set_minor_locator(ticker.FixedLocator([count for count in self.counts if count not in ticks]))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
        if self.gpus and self.counts:
            ticks[inside(self.right, self.end, 0.5)] = naming.DEVICES[GPU]
            axes.axvline(self.right, color=styling.QUIET, linewidth=axes.spines["left"].get_linewidth(), zorder=1)
        axes.xaxis.set_major_locator(ticker.FixedLocator(list(ticks)))
        axes.set_xticklabels(ticks.values())
        axes.grid(True, which="major")
        for tick, value in zip(axes.xaxis.get_major_ticks(), ticks):
            if value not in self.counts:
                tick.gridline.set_visible(False)
                tick.tick1line.set_visible(False)

    def name(self, axes):
        """Below the counts, or below the room where there are none."""
        if self.counts:
            share = axes.transAxes.inverted().transform(axes.transData.transform((self.right, axes.get_ylim()[0])))[0]
            axes.set_xlabel("threads", x=share / 2)
        else:
            axes.set_xlabel("GPU, by streams × blocks")

    def place(self, key):
        """(left end, middle, right end) of a line in a room."""
        keys, low, high = (self.gpus, self.right, self.end) if key in self.gpus else (self.threaded, self.left, self.right)
        return tuple(inside(low, high, (keys.index(key) + part) / len(keys)) for part in (0.06, 0.5, 0.94))


def inside(low, high, share):
    return low * (high / low) ** share
