#!/usr/bin/env python3
"""The table of experiments/scripts/devices: python3 results/devices.py FILE.csv... [--draw [--size column|page|slide] [--out DIR]]

One table for each data set, medians over seeds. updates/s: of all workers, of CPU threads, of the GPU. `keeps`: the share of
what that device reaches alone, with the same update policy. CPU threads alone are on host memory, the GPU on the same kind.
Time and epochs to the target above the table, and the time to the gap 1e-1; `of`: the epochs that were given. Speed-up:
serial's time to the target over this one; over better device: that of the better of the two alone. A seed that missed a target
took forever; `-`: so did the median; a share like (2/3): how many seeds reached it. `*`: the best step or batch lay at the edge
of its grid. `not atomic`: the link has no atomics, so an atomic increment of one side can be lost to the other. Staleness, mean
/ 99 % quantile: steps of other threads that wrote between a thread's read and its write; of the GPU likewise. Below: what
cannot run, what did not end, and why.

--draw: the figure of each table, as PNG and SVG beside the first file. Exit codes: 1, a file is damaged; 69, a file or
matplotlib is missing; 74, a figure cannot be written.
"""
import argparse
import math
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from cells import data_name, loss, print_head, print_row, three_digits, time
from plot.files import naming, script, writing
from plot.files.axes import SIDES
from plot.files.combinations import Combinations, median
from plot.files.columns import NUMBERS, memory_of
from plot.files.errors import ResultsError
from plot.files.manifests import read_manifest, sound
from plot.files.tables import need_columns, need_numbers, read_table

NEEDED = ("method", "at_edge", "device", "memory", "status", "reason", "seconds", "updates", "gpu_updates", "seconds_to_target")


@dataclass
class Measured:
    """What files say about one data set."""
    rows: list = field(default_factory=list)
    manifests: list = field(default_factory=list)  # where the rows come from: FILE.json beside FILE.csv, where there is one

    @property
    def machine(self):
        return naming.machine_name(self.manifests)


def read(paths):
    """{data: Measured} of all files."""
    groups = {}
    for path in map(Path, paths):
        table = read_table(path)
        need_columns(table, NEEDED)
        need_numbers(table, NUMBERS)
        if table.torn:
            print(f"warning: {table.torn}", file=sys.stderr)
        if not table.rows:
            raise ResultsError(f"{path} has no rows", "its measurement ended early", "measure it again")
        for _, row in table.rows:
            groups.setdefault(data_name(row), Measured()).rows.append({**row, "memory": memory_of(row)})
        beside = path.with_suffix(".json")
        if beside.exists():
            groups[data_name(table.rows[0][1])].manifests.append(SimpleNamespace(manifest=sound_manifest(beside)))
    return groups


def sound_manifest(path):
    warnings = []
    manifest = sound(read_manifest(path), path, "manifest", warnings)
    for warning in warnings:
        print(f"warning: {naming.printable(warning)}", file=sys.stderr)
    return manifest


def amount(value, form=three_digits):
    return form(value) if math.isfinite(value) else "-"


def rate(value):
    """"139 M", "45.2 k"."""
    factor, letter = (1e6, "M") if value >= 0.9995e6 else (1e3, "k")
    return amount(value / factor, lambda number: f"{three_digits(number)} {letter}")


def percent(value):
    return amount(value, lambda number: f"{three_digits(100 * number)} %")


def times(combination, target):
    seconds = combination.seconds_to(target)
    return time(median(seconds), sum(map(math.isfinite, seconds)), len(seconds))


def epochs(combination):
    reached = median(combination.epochs_to_target())
    return f"{amount(reached, lambda number: f'{number:.2f}')} of {combination.text('epochs')}"


def staleness(combination, prefix):
    values = [[float(row[f"{prefix}staleness_{name}"]) for row in combination.sampled if row[f"{prefix}staleness_{name}"]]
              for name in ("mean", "p99")]
    return " / ".join(amount(median(found)) for found in values) if any(values) else "-"


def line(combination, all_of_them, with_staleness):
    rates = [rate(median(combination.rates(device))) for device in (None, *SIDES)]
    kept = [percent(all_of_them.kept(combination, device)) for device in SIDES]
    stale = [staleness(combination, prefix) for prefix in ("", "gpu_")] if with_staleness else []
    speed_up = all_of_them.serial / median(combination.seconds_to())
    return [combination.device, combination.memory + (" (not atomic)" if combination.not_atomic else ""),
            combination.method + ("\\*" if combination.at_edge else ""), combination.text("threads"),
            "-" if combination.text("streams") == "-" else f"{combination.text('streams')} x {combination.text('blocks')}",
            *rates, *kept, *stale, times(combination, "target"), epochs(combination),
            three_digits(speed_up) if 0 < speed_up < math.inf else "-", amount(all_of_them.over_better_device(combination)),
            times(combination, "1e-1")]


def table(name, measured, combinations):
    rows = [row for one in combinations for row in one.measured]
    facts = next((loss(row) for row in rows if row["target"]), "no run")
    stale = any(one.sampled for one in combinations)
    print(f"\n{naming.printable(f'{name}: {facts}; {measured.machine}')}\n")
    print_head("device", "memory", "method", "threads", "streams x blocks", "updates/s", "CPU", "GPU", "CPU keeps", "GPU keeps",
               *(["CPU staleness", "GPU staleness"] if stale else []), "time to target", "epochs to target",
               "speed-up over best serial", "over better device", "time to 1e-1")
    for one in combinations:
        if one.measured:
            print_row(*map(naming.printable, line(one, combinations, stale)))
    print()
    for status, where, reason in combinations.troubles():
        print(naming.printable(f"- {status}: {where} ({reason})"))
    for command in naming.commands(measured.manifests):
        print(f"- measured: {command}")


def draw(groups, options, command):
    try:
        from plot.figures import memory_kinds
        from plot.style.canvas import save
        from plot.style.styling import SIZES
    except ImportError as missing:
        script.without("python3-matplotlib", missing, "the figure needs matplotlib and numpy", command.removeprefix("python3 "))
    folder, size = Path(options.out or Path(options.files[0]).parent), SIZES[options.size]
    writing.made(folder)
    for name, measured in groups.items():
        combinations = Combinations(measured.rows)
        if not any(one.measured for one in combinations):
            raise ResultsError(f"{name}: no figure", "no run was measured", "see the reasons above")
        footnotes = naming.origin(naming.commands(measured.manifests), command)
        figure, title = memory_kinds.draw(combinations, size, name, measured.machine, footnotes)
        for path in save(figure, size, folder / f"memory-kinds{'-' + naming.slug(name) if len(groups) > 1 else ''}", title):
            print(path)


def main(arguments):
    parser = argparse.ArgumentParser(prog="devices.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.csv", help="what experiments/scripts/devices wrote")
    parser.add_argument("--draw", action="store_true", help="draw the figure too")
    parser.add_argument("--size", choices=("column", "page", "slide"), default="page")
    parser.add_argument("--out", metavar="DIR", help="where the figures go (default: the first file's folder)")
    options = parser.parse_args(arguments)
    groups = read(options.files)
    for name, measured in groups.items():
        table(name, measured, Combinations(measured.rows))
    if options.draw:
        draw(groups, options, "python3 results/devices.py " + shlex.join(arguments))


if __name__ == "__main__":
    script.run(main)
