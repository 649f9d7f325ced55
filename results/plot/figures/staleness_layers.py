"""How stale each layer of a network is when a step writes it. It is the mean over steps, a line for each variant and
number of workers.

A step reads layer after layer on its way forward, goes back, and then writes layer after layer in the same order. So each layer has
a time of its own in which others write it. It is drawn from layer_staleness.csv, all seeds together. CPU threads and the GPU each
count the steps of their own device, and have a panel each.
"""

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.estimates import choosing, configurations
from plot.estimates.staleness_counts import mean, pooled_layers
from plot.figures import captions
from plot.files import naming
from plot.files.axes import SIDES
from plot.files.errors import NotDrawn
from plot.style import legends, scales, styling
from plot.style.canvas import POINT, Sheet


def draw(runs, size, title, subtitle, footnotes):
    panels, left_out = choose(configurations.configurations(runs))
    if not panels:
        raise NotDrawn("no run of several workers counted the staleness of a network's layers; --telemetry sampled does")
    styling.use(size)
    shown = list(dict.fromkeys(one.key for lines in panels.values() for one, _ in lines))
    strokes = styling.Strokes(shown, shown, size)
    sheet = Sheet(size, title, subtitle, notes(left_out) + footnotes, legends.methods(strokes) + legends.workers(strokes))
    em = size.type * POINT
    places = sheet.lay_out(1, left=4.9 * em, bottom=3.4 * em, top=(0.6 if len(panels) == 1 else 2.0) * em, right=em, rows=len(panels), flat=0.75)
    for place, (device, lines) in zip(places, panels.items()):
        layers = sorted({layer for _, means in lines for layer in means})
        axes = sheet.figure.add_axes(place)
        draw_axes(axes, layers, max(max(means.values()) for _, means in lines))
        if len(panels) > 1:
            axes.set_title(naming.DEVICES[device], loc="left", color=styling.INK, pad=size.type * 0.5)
        for one, means in lines:
            at = [place for place, layer in enumerate(layers) if layer in means]
            axes.add_line(Line2D(at, [means[layers[place]] for place in at], **strokes.line(one.key)))
    return sheet.figure


def choose(found):
    """({device that counted: [(configuration, {layer: mean staleness}), ...]}, how many more were counted)."""
    counted = [one for one in found if not one.key.serial and any(run.layers for run in one.runs)]
    kept, panels = configurations.told_apart(counted)[:choosing.APART], {}
    for device in SIDES:
        lines = [(one, {layer: mean(buckets) for layer, buckets in pooled_layers(one.runs, device).items()}) for one in kept]
        if any(means for _, means in lines):
            panels[device] = [(one, means) for one, means in lines if means]
    return panels, len(counted) - len(kept)


def draw_axes(axes, layers, highest):
    axes.set_xlim(-0.4, len(layers) - 0.6)
    axes.xaxis.set_major_locator(ticker.FixedLocator(range(len(layers))))
    axes.set_xticklabels([str(layer) for layer in layers])
    axes.set_ylim(0, max(1.0, highest) * 1.08)
    axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(scales.counted))
    axes.set_xlabel("layer with weights, by its number")
    axes.set_ylabel("mean staleness")
    axes.grid(True, which="major")


def notes(left_out):
    found = ["Staleness of a layer: steps of others that wrote it between a step's first look at it and its own writing of it. Mean over all "
             "steps of all seeds."]
    return found + captions.left_out(left_out, captions.BEST)
