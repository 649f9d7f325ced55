#!/usr/bin/env python3
"""The table of experiments/rivals: python3 results/rivals.py FILE.csv...

Per method and number of threads, medians over seeds: epochs/s, time to target, epochs to target, and the useful speed-up:
best serial's time to target over this one. `-`: no seed reached the target (a share like 2/3: some did). `*`: the best
step lay at the edge of the tuning grid.
"""
import csv
import statistics
import sys


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(row, column):
    return float(row[column]) if row[column] else None


def summary(rows):
    """Medians of one (method, threads)."""
    reached = [r for r in rows if r["seconds_to_target"]]
    epoch = float(rows[0]["updates"]) / float(rows[0]["epochs"])
    median = lambda values: statistics.median(values) if values else None
    return {
        "epochs_per_second": median([number(r, "epochs_per_second") for r in rows]),
        "seconds": median([number(r, "seconds_to_target") for r in reached]) if 2 * len(reached) > len(rows) else None,
        "epochs": median([number(r, "updates_to_target") / epoch for r in reached]) if 2 * len(reached) > len(rows) else None,
        "share": f"{len(reached)}/{len(rows)}",
        "all": len(reached) == len(rows),
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
        if cell["seconds"] is None:
            time = epochs = speed = "-" if cell["share"].startswith("0/") else cell["share"]
        else:
            note = "" if cell["all"] else f" ({cell['share']})"
            time = f"{cell['seconds'] * 1e3:.3g} ms{note}"
            epochs = f"{cell['epochs']:.2f}"
            speed = f"{serial / cell['seconds']:.2f}" if serial else "-"
        edge = "\\*" if cell["edge"] else ""
        print(f"| {method}{edge} | {threads} | {cell['epochs_per_second']:.3g} | {time} | {epochs} | {speed} |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        table(name)
