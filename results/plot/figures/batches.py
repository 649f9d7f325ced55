"""How many samples the steps of CPU threads and of a GPU took, against time, where a rule let them follow the devices' speeds.

A panel for each configuration, a line for each device of each seed, from batches.csv. Beneath its name stands the share of the samples,
and of the steps, that the GPU took.
"""

import math

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import configurations, intervals
from plot.figures import captions
from plot.files.errors import NotDrawn
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

MOST = 3  # panels
CALLED = {"cpu": "CPU threads", "gpu": "GPU"}


def draw(runs, size, title, subtitle, footnotes):
    panels, left_out = choose(configurations.configurations(runs))
    if not panels:
        raise NotDrawn("no run changed its batches; --device both --batch-rule adaptive does, of networks")
    styling.use(size)
    legend = [Block("device", [Entry(look(device, size), CALLED[device]) for device in CALLED])]
    sheet = Sheet(size, title, subtitle, notes(left_out) + footnotes, legend)
    em = size.type * POINT
    places = sheet.lay_out(len(panels), left=4.9 * em, bottom=3.4 * em, top=3.8 * em, right=em, flat=0.75)
    batches = [batch for one in panels for run in one.runs for changes in run.batches.values() for _, batch, _ in changes]
    for place, one in zip(places, panels):
        axes = sheet.figure.add_axes(place)
        draw_panel(axes, one, min(batches), max(batches), size)
        small = size.type * 0.85
        name = "\n".join(sheet.fit(one.key.label_with_workers, sheet.panel_width, small, 2))
        axes.set_title(f"{name}\n{shares(one)}", loc="left", color=styling.INK, pad=size.type * 0.5, fontsize=small)
    return sheet.figure


def changed(run):
    return any(len(changes) > 1 for changes in run.batches.values())


def choose(found):
    """(configurations with a run that changed its batches, how many more there are)."""
    those = [one for one in found if any(changed(run) for run in one.runs)]
    return those[:MOST], len(those) - len(those[:MOST])


def shares(one):
    """What the GPU did, in the middle over seeds."""
    def share(part, whole):
        found = [part(run) / whole(run) for run in one.runs if whole(run) > 0]
        return f"{100 * intervals.median(found):.0f} %" if found else "–"

    samples = share(lambda run: run.value("gpu_updates"), lambda run: run.value("updates"))
    steps = share(lambda run: run.value("gpu_step_count"), lambda run: run.value("cpu_step_count") + run.value("gpu_step_count"))
    return f"GPU: {samples} of the samples, {steps} of the steps"


def look(device, size):
    return {"color": styling.DEVICES[device], "linewidth": size.stroke}


def draw_panel(axes, one, least, most, size):
    end = 0
    for run in one.runs:
        seconds = run.value("seconds")
        for device, changes in run.batches.items():
            times = [time for time, _, _ in changes]
            until = max(seconds if math.isfinite(seconds) else 0, times[-1])
            end = max(end, until)
            values = [batch for _, batch, _ in changes]
            axes.add_line(Line2D(times + [until], values + values[-1:], drawstyle="steps-post", alpha=0.8, **look(device, size)))
    axes.set_xlim(0, end or 1)
    axes.set_yscale("log", base=2)
    axes.set_ylim(least / 1.3, most * 1.3)
    axes.yaxis.set_major_formatter(scales.counted)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(4))
    axes.xaxis.set_major_formatter(scales.duration)
    axes.set_xlabel("time")
    axes.set_ylabel("samples of a step")
    axes.grid(True, which="major")


def notes(left_out):
    found = ["A line for each device of each seed. Shares: median over seeds."]
    return found + captions.left_out(left_out)
