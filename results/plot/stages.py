#!/usr/bin/env python3
"""What each stage of speeding up brings: python3 results/plot/stages.py FILE [-o FILE.png] [--size column|page|slide]

FILE is what `stages_bench --benchmark_out=FILE.json` wrote, or the table that it printed, FILE.txt, whose numbers have three digits. A
column for each shape. Above stand the images per second of every stage, the best repetition, on a logarithmic scale. Beside them stands how
many times the stage above it that is. Below stand what shares of a step its parts take, medians. Where the numbers come from stands above
and below, as the file says, or, where it does not, --command, --commit, --cpu, --cores, --gpu and --data. Exit status 0; 1 for a damaged
file; 2 for a wrong command line; 69 without matplotlib; 74 for a full disk.
"""

import argparse
import re
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from types import SimpleNamespace

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the package, not the one inside it

from plot.files import script

try:
    from plot.files import documents, naming, regular_file
    from plot.files.errors import Missing, ResultsError
    from plot.style import scales, styling
    from plot.style.canvas import POINT, Block, Entry, Sheet, save
except ImportError as missing:
    script.without("python3-matplotlib", missing, "figures need matplotlib and numpy", "results/plot/stages.py")

PARTS = {  # found as styling's colours were: apart for every eye
    "load": "#8C8C8C", "convolution": "#2666A6", "pooling": "#00BFFF", "backward": "#E65900", "update": "#EEDD00", "copies": "#660D66",
}
# Repetitions come in random order.
SHAPES = ["lenet-1", "lenet-2", "cnn-1", "cnn-2"]
STAGES = ["numpy", "plain", "vectorised", "fused", "buffered", "tuned-1", "tuned", "gpu-unfused", "gpu-fused", "gpu-buffered", "gpu-tuned",
          "cudnn", "cudnn-tf32"]
ORIGIN = {"command": "what measured", "commit": "of the program", "cpu": "its name", "cores": "that the program used", "gpu": "its name",
          "data": "whose images these are"}
UNITS = {"k": 1e3, "M": 1e6, "G": 1e9}
ADVICE = "name a file of stages_bench --benchmark_out=FILE.json, or the table that it printed"


@dataclass
class Stage:
    name: str
    rates: list = field(default_factory=list)  # images per second, of each repetition
    parts: dict = field(default_factory=dict)  # seconds, of each repetition

    @property
    def rate(self):
        return max(self.rates)

    @property
    def on_gpu(self):
        return self.name.startswith(("gpu", "cudnn"))

    def shares(self):
        """Shares of the parts' sum; empty where none were measured."""
        times = {part: median(values) for part, values in self.parts.items()}
        whole = sum(times.values())
        return {part: time / whole for part, time in times.items()} if whole > 0 else {}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="stages.py", description="Stages of speeding up a convolution with subsampling.")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.png", help="beside it lies the .svg (default: FILE.png)")
    styling.add_size(parser)
    for word, what in ORIGIN.items():
        parser.add_argument(f"--{word}", metavar="TEXT", help=f"where the file does not say it: {what}")
    return parser.parse_args(arguments)


def number(text):
    """`3.9 k`, `1,070`; None of what was not measured."""
    digits, _, unit = text.replace(",", "").partition(" ")
    return None if digits in ("", "-") else float(digits) * UNITS[unit] if unit else float(digits)


def table(lines):
    """The printed table as rows of the benchmark, and what is said above it."""
    titles, rows, context = [], [], {}
    for line in lines:
        cells = re.split(r"\s{2,}", line.strip())
        if titles and not line.strip():
            break
        if cells[0] == "stage/shape":
            titles = cells
        elif titles and not set(line) <= set("- "):
            row = dict(zip(titles, cells, strict=True))
            found = {"images/s": number(row["images/s"]), **{part: number(row.get(f"{part} us", "-")) for part in PARTS}}
            rows.append({"name": cells[0], **{key: value for key, value in found.items() if value is not None}})
        elif not titles and line.startswith("$ "):
            context["command"] = line[2:]
        elif not titles and (said := re.fullmatch(r"(\w+): (.*)", line)):
            context[said[1]] = said[2]
    return {"context": context, "benchmarks": rows}


def read(path):
    """({shape: its stages}, what the file says of ORIGIN)."""
    try:
        text = regular_file.read(path).decode("utf-8")
        document = table(text.splitlines()) if "stage/shape " in text else documents.of_json(text)
        origin = {word: str(document["context"][word]) for word in ORIGIN if word in document["context"]}
        found = {}
        for row in document["benchmarks"]:
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
    except FileNotFoundError as error:
        raise Missing(f"{path}: cannot be read", error.strerror, ADVICE) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultsError(f"{path}: no results of a benchmark", str(error), ADVICE) from None
    if not found:
        raise ResultsError(f"{path}: no stage in it", "no row is called STAGE/SHAPE and has images/s", ADVICE)
    if set(found) & set(SHAPES):
        found = {shape: stages for shape, stages in found.items() if shape in SHAPES}  # larger batches of them are of a GPU alone
    known = sorted(found, key=lambda shape: (SHAPES.index(shape) if shape in SHAPES else len(SHAPES), shape))
    return {shape: list(found[shape].values()) for shape in known}, origin


def order(shapes):
    """Names of stages in the order in which they build on one another; others by their rates."""
    names = {stage.name for stages in shapes.values() for stage in stages}
    rates = {name: min(stage.rate for stages in shapes.values() for stage in stages if stage.name == name) for name in names}
    return [name for name in STAGES if name in names] + sorted(names - set(STAGES), key=rates.get)


def subtitle(origin):
    machine = {"machine": {"cpu": origin.get("cpu"), "cores": origin.get("cores")}} if origin.get("cpu") else {}
    gpus = [{"name": origin["gpu"]}] if origin.get("gpu") else []
    facts = ["A step on 64 images: load, forward, back, update",
             naming.machine_name([SimpleNamespace(manifest={**machine, "gpus": gpus})])]
    facts += [f"data {naming.printable(origin['data'].partition(': ')[0])}"] if origin.get("data") else []
    commit = re.sub(r"^([0-9a-f]{8})[0-9a-f]{32}", r"\1", naming.printable(origin.get("commit") or ""))
    facts += [f"commit {commit}"] if commit else []
    return "  ·  ".join(facts)


def notes_of(shapes):
    """How the figure is drawn, and what it cannot show."""
    text = "Images per second: best repetition; in brackets, times the stage above. Shares: medians, measured in steps apart"
    stages = [stage for of_shape in shapes.values() for stage in of_shape]
    if any(stage.on_gpu and stage.shares() for stage in stages):
        text += ", of a GPU's stages in launches without a captured graph"
    whole = sorted({stage.name for stage in stages} - {stage.name for stage in stages if stage.shares()})
    if whole:
        text += f"; {', '.join(map(naming.printable, whole))}: none, since it tells the time of whole steps alone"
    return [text + ". A fused stage pools within its convolution."]


def label(name, origin):
    threads = origin.get("cores")
    return naming.printable(f"tuned, {threads} threads" if name == "tuned" and threads else name)


def draw(shapes, origin, size, command):
    size = replace(size, legend_right=False)
    styling.use(size)
    names = order(shapes)
    labels = [label(name, origin) for name in names]
    used = [part for part in PARTS if any(stage.shares().get(part) for stages in shapes.values() for stage in stages)]
    legend = Block("parts of a step", [Entry(dict(color=PARTS[part], linewidth=size.type, solid_capstyle="butt"), part) for part in used])
    measured = [naming.printable(origin["command"])] if origin.get("command") else []
    sheet = Sheet(size, "Stages of speeding up a convolution with subsampling", subtitle(origin),
                  notes_of(shapes) + naming.origin(measured, command), [legend])
    em = size.type * POINT
    left = max(sheet.width_of(text, size.type) for text in labels) + 0.8 * em
    places = sheet.lay_out(len(shapes), left=left, right=1.3 * em, bottom=3.6 * em, gap=2.4 * em, rows=2, top=1.9 * em, flat=0.68)
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
            axes.set_yticks(range(len(names)), labels if column == 0 else [""] * len(names))
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
    size = styling.SIZES[options.size]
    stem = (options.output or options.file).with_suffix("")
    shapes, origin = read(options.file)
    origin = {word: getattr(options, word) or "" for word in ORIGIN} | origin
    figure = draw(shapes, origin, size, "python3 results/plot/stages.py " + shlex.join(arguments))
    for written in save(figure, size, stem, "Stages of speeding up"):
        print(written)


if __name__ == "__main__":
    script.run(main)
