#!/usr/bin/env python3
"""The table of experiments/rivals: python3 results/rivals.py FILE.csv...

Per method and number of threads, medians over seeds: epochs/s, time to target, epochs to target, and the useful speed-up:
best serial's time to target over this one. A seed that missed the target took forever; `-`: so did the median; a share
like (2/3): how many seeds reached it. `*`: the best step lay at the edge of the tuning grid.
"""
import csv
import math
import statistics
import sys


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(row, column):
    """A missed target took forever."""
    return float(row[column]) if row[column] else math.inf


def summary(rows):
    """Medians of one (method, threads)."""
    epoch = float(rows[0]["updates"]) / float(rows[0]["epochs"])
    median = lambda column: statistics.median(number(row, column) for row in rows)
    reached = sum(1 for row in rows if row["seconds_to_target"])
    return {
        "epochs_per_second": median("epochs_per_second"),
        "seconds": median("seconds_to_target"),
        "epochs": median("updates_to_target") / epoch,
        "share": "" if reached == len(rows) else f" ({reached}/{len(rows)})",
        "edge": rows[0]["at_edge"] == "1",
    }


def table(path):
    rows = rows_of(path)
    groups = {}
    for row in rows:
        groups.setdefault((row["method"], int(row["threads"])), []).append(row)
    cells = {key: summary(members) for key, members in groups.items()}
    serial = cells[("serial", 1)]["seconds"]
    print(f"\n{rows[0]['data'].rsplit('/', 1)[-1]}: {rows[0]['problem']}, lambda {rows[0]['l2']}, target {float(rows[0]['target']):.5g}\n")
    print("| method | threads | epochs/s | time to target | epochs to target | speed-up over best serial |")
    print("|---|---|---|---|---|---|")
    for (method, threads), cell in cells.items():
        time = epochs = speed = "-" + cell["share"].replace(" (0/3)", "")
        if math.isfinite(cell["seconds"]):
            time = f"{cell['seconds'] * 1e3:.3g} ms{cell['share']}"
            epochs = f"{cell['epochs']:.2f}"
            speed = f"{serial / cell['seconds']:.2f}" if math.isfinite(serial) else "-"
        edge = "\\*" if cell["edge"] else ""
        print(f"| {method}{edge} | {threads} | {cell['epochs_per_second']:.3g} | {time} | {epochs} | {speed} |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        table(name)
