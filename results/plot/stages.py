#!/usr/bin/env python3
"""What each stage of speeding up brings: python3 results/plot/stages.py FILE.json [-o FILE.png] [--size column|page|slide]

FILE.json is what `stages_bench --benchmark_out=FILE.json` wrote. A column for each shape: above, the images per second of every stage, the
best repetition, on a logarithmic scale, with how many times the stage above it that is; below, what shares of a step its parts take,
medians. Exit status 0; 1 for a damaged file; 2 for a wrong command line; 69 without matplotlib; 74 for a full disk.
"""

import argparse
import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the package, not the one inside it

try:
    from plot import scales, styling
    from plot.canvas import POINT, Block, Entry, Sheet, save
    from plot.errors import ResultsError
except ImportError as missing:
    print(f"figures need matplotlib and numpy ({missing}); try: sudo apt-get install python3-matplotlib, then "
          "/usr/bin/python3 results/plot/stages.py", file=sys.stderr)
    sys.exit(69)

PARTS = {  # found as styling's colours were: apart for every eye
    "load": "#8C8C8C", "convolution": "#2666A6", "pooling": "#00BFFF", "backward": "#E65900", "update": "#EEDD00", "copies": "#660D66",
}
# Repetitions come in random order.
SHAPES = ["lenet-1", "lenet-2", "cnn-1", "cnn-2"]
STAGES = ["numpy", "plain", "vectorised", "fused", "buffered", "tuned-1", "tuned", "gpu-unfused", "gpu-fused", "gpu-buffered", "gpu-tuned",
          "cudnn", "cudnn-tf32"]
ADVICE = "name a file of stages_bench --benchmark_out=FILE.json"


@dataclass
class Stage:
    name: str
    rates: list = field(default_factory=list)  # images per second, of each repetition
    parts: dict = field(default_factory=dict)  # seconds, of each repetition

    @property
    def rate(self):
        return max(self.rates)

    def shares(self):
        """Of the parts' sum; empty where none were measured."""
        times = {part: median(values) for part, values in self.parts.items()}
        whole = sum(times.values())
        return {part: time / whole for part, time in times.items()} if whole > 0 else {}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="stages.py", description="Stages of speeding up a convolution with subsampling.")
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.png", help="beside it lies the .svg (default: FILE.png)")
    parser.add_argument("--size", choices=styling.SIZES, default="page")
    return parser.parse_args(arguments)


def read(path):
    """{shape: its stages}."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
        found = {}
        for row in rows:
            if row.get("run_type", "iteration") != "iteration":
                continue
            name, _, shape = "/".join(row["name"].split("/")[:2]).partition("/")
            if "images/s" not in row or not shape or name == "ceiling":
                continue
            stage = found.setdefault(shape, {}).setdefault(name, Stage(name))
            stage.rates.append(float(row["images/s"]))
            for part in PARTS:
                if part in row:
                    stage.parts.setdefault(part, []).append(float(row[part]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultsError(f"{path}: no results of a benchmark", str(error), ADVICE) from None
    if not found:
        raise ResultsError(f"{path}: no stage in it", "no row is called STAGE/SHAPE and has images/s", ADVICE)
    if set(found) & set(SHAPES):
        found = {shape: stages for shape, stages in found.items() if shape in SHAPES}  # larger batches of them are of a GPU alone
    known = sorted(found, key=lambda shape: (SHAPES.index(shape) if shape in SHAPES else len(SHAPES), shape))
    return {shape: list(found[shape].values()) for shape in known}


def order(shapes):
    """Names of stages in the order in which they build on one another; others by their rates."""
    names = {stage.name for stages in shapes.values() for stage in stages}
    rates = {name: min(stage.rate for stages in shapes.values() for stage in stages if stage.name == name) for name in names}
    return [name for name in STAGES if name in names] + sorted(names - set(STAGES), key=rates.get)


def draw(shapes, size):
    size = replace(size, legend_right=False)
    styling.use(size)
    names = order(shapes)
    used = [part for part in PARTS if any(stage.shares().get(part) for stages in shapes.values() for stage in stages)]
    legend = Block("parts of a step", [Entry(dict(color=PARTS[part], linewidth=size.type, solid_capstyle="butt"), part) for part in used])
    notes = ["Images per second: best repetition; in brackets, times the stage above. Shares: medians, measured in steps apart. "
             "A fused stage pools within its convolution."]
    sheet = Sheet(size, "Stages of speeding up a convolution with subsampling",
                  "A training step on a batch of 64 images: load, forward, back, update", notes, [legend])
    em = size.type * POINT
    places = sheet.lay_out(len(shapes), left=6.2 * em, right=1.3 * em, bottom=3.6 * em, gap=2.4 * em, rows=2, top=1.9 * em, flat=0.68)
    slowest = min(stage.rate for stages in shapes.values() for stage in stages)
    fastest = max(stage.rate for stages in shapes.values() for stage in stages)
    for column, (shape, stages) in enumerate(shapes.items()):
        by_name = {stage.name: stage for stage in stages}
        above, below = (sheet.figure.add_axes(places[row * len(shapes) + column]) for row in (0, 1))
        draw_rates(above, names, by_name, slowest, fastest, size)
        draw_shares(below, names, by_name)
        above.set_title(shape, loc="left", color=styling.INK, pad=size.type * 0.6, weight="bold")
        above.set_xlabel("images per second")
        below.set_xlabel("share of the step's time")
        for axes in (above, below):
            axes.set_ylim(len(names) - 0.4, -0.6)
            axes.set_yticks(range(len(names)), names if column == 0 else [""] * len(names))
            axes.tick_params(axis="y", length=0)
    return sheet.figure


def draw_rates(axes, names, stages, slowest, fastest, size):
    low, high = slowest / 2.5, fastest * 1.6
    scales.number_axis(axes.xaxis, low, high, scales.Scale(), scales.plain)
    axes.grid(True, which="major", axis="x")
    before = None
    for y, name in enumerate(names):
        if name not in stages:
            continue
        rate = stages[name].rate
        axes.barh(y, rate - low, left=low, height=0.7, color=styling.INK if before is None else "#2666A6")
        times = f" ({rate / before:.{0 if rate >= 9.5 * before else 1}f}×)" if before else ""
        text = brief(rate) + times
        inside = rate > (low * high) ** 0.5
        axes.annotate(text, (rate, y), xytext=(-size.type * 0.3 if inside else size.type * 0.3, 0), textcoords="offset points",
                      ha="right" if inside else "left", va="center_baseline", color="white" if inside else styling.INK,
                      fontsize=size.type * 0.82)
        before = rate


def brief(rate):
    """About two digits."""
    for unit, word in ((1e6, " M"), (1e3, " k")):
        if rate >= unit:
            return f"{rate / unit:.{1 if rate < 9.95 * unit else 0}f}{word}"
    return f"{rate:.0f}"


def draw_shares(axes, names, stages):
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    for y, name in enumerate(names):
        left = 0.0
        for part, share in (stages[name].shares() if name in stages else {}).items():
            axes.barh(y, share, left=left, height=0.7, color=PARTS[part])
            left += share


def main(arguments):
    options = parse(arguments)
    try:
        size = styling.SIZES[options.size]
        stem = (options.output or options.file).with_suffix("")
        for written in save(draw(read(options.file), size), size, stem, "Stages of speeding up"):
            print(written)
        return 0
    except ResultsError as error:
        print(error, file=sys.stderr)
        return error.exit_status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
