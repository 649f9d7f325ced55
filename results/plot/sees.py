#!/usr/bin/env python3
"""What networks see: python3 results/plot/sees.py MODEL.safetensors... --images FILE.idx [--image N] -o FILE.png

A row for each model, as they are given. At its left are the filters of its first convolution, or the weights of a perceptron's
first units, as images. Then comes what each layer before a dense one makes of one image, a few channels of each map. Its scores
follow as shares of the softmax. Models of one run's stages show what learning adds. Save them by `hogwild run --step decay
--epochs 1 --save 1.safetensors`, `--epochs 2`, and so on, with one seed. (By default steps fall to nothing at a run's end, and
a shorter run is no stage of a longer one.) FILE.idx: MNIST's images, plain or .gz. Exit status 0; 1 for a damaged file; 2 for a
wrong command line; 69 without matplotlib; 74 for a full disk.
"""

import argparse
import gzip
import shlex
import struct
import sys
import zlib
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the package, not the one inside it

from plot.files import script

try:
    import numpy as np
    from plot.files import naming, networks, regular_file
    from plot.files.errors import Missing, ResultsError
    from plot.style import styling
    from plot.style.canvas import POINT, Sheet, save
except ImportError as missing:
    script.without("python3-matplotlib", missing, "figures need matplotlib and numpy", "results/plot/sees.py")

CHANNELS = 6  # of a map that are shown, as many of the filters
WEIGHTS = {"conv": "filters", "dense": "units"}  # what columns of weights are called
LEGEND = ["Weights of filters and units, a mean over channels: red adds where a pixel is bright, blue takes away, white is 0. "
          "Maps: black is 0 or less, white the brightest entry of a row's maps of that layer. Where a layer has more, the first "
          "ones are shown."]


def parse(arguments):
    parser = argparse.ArgumentParser(prog="sees.py", description="Filters and feature maps of saved networks.")
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL.safetensors")
    parser.add_argument("--images", type=Path, required=True, metavar="FILE.idx")
    parser.add_argument("--image", type=int, default=0, metavar="N", help="number of the image shown (default: 0)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.png", help="beside it lies the .svg")
    return parser.parse_args(arguments)


def image(path, number):
    """Image number `number` of an IDX file, of numbers from 0 to 1."""
    try:
        data = regular_file.read(path)
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        magic, count, height, width = struct.unpack(">4I", data[:16])
    except FileNotFoundError as error:
        raise Missing(f"{path}: cannot be read", error.strerror, "name a file such as t10k-images-idx3-ubyte.gz") from None
    except (OSError, EOFError, struct.error, zlib.error) as error:
        raise ResultsError(f"{path}: no images", getattr(error, "strerror", None) or str(error),
                           "name a file such as t10k-images-idx3-ubyte.gz") from None
    if magic != 0x803 or len(data) < 16 + count * height * width:
        raise ResultsError(f"{path}: no whole file of images", f"its magic is {magic:#x}, it has {len(data)} bytes",
                           "name a file such as t10k-images-idx3-ubyte.gz")
    if not 0 <= number < count:
        raise ResultsError(f"--image {number}", f"{path} has {count} images", "count from 0")
    begin = 16 + number * height * width
    return np.frombuffer(data[begin:begin + height * width], np.uint8).reshape(height, width) / 255


def panels(network, shown):
    """(title, pictures, whether they have a sign) of each column but the last; shares of the softmax."""
    maps = network(shown)
    flat = next((place for place, layer in enumerate(network.layers) if layer.kind == "dense"), len(maps))
    first = next((place for place, layer in enumerate(network.layers) if layer.kind in WEIGHTS))
    columns = [("image", [shown], False), (WEIGHTS[network.layers[first].kind], pictures(network, first, maps), True)]
    for layer, made in zip(network.layers[:flat], maps):
        if layer.kind != "dropout":
            columns.append((layer.text, list(np.moveaxis(made, 2, 0)), False))
    scores = maps[-1].reshape(-1)
    shares = np.exp(scores - scores.max())
    return columns, shares / shares.sum()


def pictures(network, place, maps):
    """What a layer's filters, or its units, weigh of the map that they look at, a mean over its channels."""
    layer, seen = network.layers[place], maps[place - 1].shape if place else network.shape
    weights = layer.weights if layer.kind == "conv" else layer.weights.reshape(*seen, -1)
    return list(np.moveaxis(weights.mean(axis=2), 2, 0))


def draw(models, shown, called, size, command):
    """`models`: (name, network), all of the same layers. `called`: what the image is."""
    size = replace(size, legend_right=False)
    styling.use(size)
    rows = [(name, *panels(network, shown)) for name, network in models]
    titles = [title for title, _, _ in rows[0][1]]
    sheet = Sheet(size, "What a network sees", f"{called} through {len(rows)} saved model{'s' if len(rows) > 1 else ''}, layer by layer",
                  LEGEND + naming.origin([], command), [])
    em = size.type * POINT
    side = (size.width - 2.6 * em) / (len(titles) + 1)
    whole = sheet.lay_out(len(titles) + 1, left=1.4 * em, right=0.2 * em, bottom=1.4 * em, gap=1.6 * em, top=2.8 * em,
                          flat=1.25 * side * len(rows) / size.panel_height)
    for r, (name, columns, shares) in enumerate(rows):
        for c, (title, pictures, signed) in enumerate(columns):
            axes = sheet.figure.add_axes(part(whole[c], r, len(rows)))
            axes.imshow(tiled(pictures[:CHANNELS]), cmap="RdBu_r" if signed else "gray", interpolation="nearest",
                        **limits(pictures[:CHANNELS], signed))
            axes.set_xticks([])
            axes.set_yticks([])
            if r == 0:
                axes.set_title(heading(title, len(pictures)), fontsize=size.type * 0.8)
            if c == 0:
                axes.set_ylabel(naming.printable(name), fontsize=size.type * 0.8)
        bars = sheet.figure.add_axes(part(whole[len(titles)], r, len(rows)))
        bars.barh(range(len(shares)), shares, color=styling.INK)
        bars.invert_yaxis()
        bars.set_xlim(0, 1)
        bars.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        bars.set_yticks(range(len(shares)))
        bars.tick_params(labelsize=size.type * 0.6, labelbottom=r + 1 == len(rows))
        if r == 0:
            bars.set_title("share of\nthe softmax", fontsize=size.type * 0.8)
    return sheet.figure


def heading(title, pictures):
    """The layer, and how many of its maps are shown."""
    if pictures == 1:
        return title
    shown = f"{CHANNELS} of {pictures}" if pictures > CHANNELS else str(pictures)
    return f"{shown} {title}" if title in WEIGHTS.values() else f"{title}\n{shown} maps"


def part(rectangle, row, rows):
    """One of `rows` below each other in a rectangle, a gap between them."""
    x, y, width, height = rectangle
    return x, y + height * (rows - 1 - row) / rows, width, height / rows * 0.92


def limits(pictures, signed):
    most = max(float(np.abs(picture).max()) for picture in pictures) or 1.0
    return {"vmin": -most if signed else 0.0, "vmax": most}


def tiled(pictures):
    """Pictures of one size in two columns, a gap between them, or the one there is."""
    if len(pictures) == 1:
        return pictures[0]
    height, width = pictures[0].shape
    down = (len(pictures) + 1) // 2
    whole = np.full((down * (height + 1) - 1, 2 * width + 1), np.nan)
    for k, picture in enumerate(pictures):
        y, x = k // 2 * (height + 1), k % 2 * (width + 1)
        whole[y:y + height, x:x + width] = picture
    return whole


def main(arguments):
    options = parse(arguments)
    shown = image(options.images, options.image)
    models = [(path.stem, networks.read(path)) for path in options.models]
    for path, (_, network) in zip(options.models, models):
        if network.shape != (*shown.shape, 1):
            raise ResultsError(f"{path}: of other images", f"its are {network.shape}, {options.images} has {shown.shape}",
                               "name the images that it was trained on")
        if network.text != models[0][1].text:
            raise ResultsError(f"{path}: of other layers", f"its are {network.text}, {options.models[0]} has "
                               f"{models[0][1].text}, and a column shows one layer at several stages", "name models of one --network")
    size = styling.SIZES["page"]
    called = naming.printable(f"Image {options.image} of {options.images.name}")
    figure = draw(models, shown, called, size, "python3 results/plot/sees.py " + shlex.join(arguments))
    for written in save(figure, size, options.output.with_suffix(""), "What networks see"):
        print(written)


if __name__ == "__main__":
    script.run(main)
