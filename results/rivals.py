#!/usr/bin/env python3
"""The table of experiments/scripts/rivals: python3 results/rivals.py FILE.csv...

Numbers are medians over seeds, per method and number of threads. They are epochs/s, and time and epochs to the target
above the table. The useful speed-up is best serial's time to it over this one. The last are the times to the gaps 1e-1
and 1e-3. A seed that missed a target took forever; `-`: so did the median; a share like (2/3): how many seeds reached
it. `*`: the best step, batch or exchange lay at the edge of its grid. `+`: tuned at another number of threads.
"""
import math
import statistics
import sys

import cells
from cells import data_name, loss, number, print_head, print_row, rows_of, three_digits
from plot.files.axes import listed, names_of


def summary(rows, targets):
    """Medians of one (method, threads)."""
    epoch = float(rows[0]["updates"]) / float(rows[0]["epochs"])
    median = lambda column: statistics.median(number(row, column) for row in rows)
    return {
        "epochs_per_second": median("epochs_per_second"),
        "seconds": {target: median(f"seconds_to_{target}") for target in targets},
        "reached": {target: sum(1 for row in rows if row[f"seconds_to_{target}"]) for target in targets},
        "runs": len(rows),
        "epochs": median("updates_to_target") / epoch,
        "edge": rows[0]["at_edge"] == "1",
        "tuned_at": int(rows[0]["tuned_at"]),
    }


def time(cell, target):
    return cells.time(cell["seconds"][target], cell["reached"][target], cell["runs"])


def order(key):
    """Serial first, then lock-free, locks, synchronous; a method's batches or exchanges together, by threads."""
    method, threads = key
    name = method.rstrip("0123456789 ")
    first = (*listed("schemes", kind="serial"), *(f"hogwild {update}" for update in names_of("update")), *names_of("guard"), "round-robin")
    return (first.index(name) if name in first else len(first), name, threads, method)


def table(path):
    rows = rows_of(path)
    if not rows:
        sys.exit(f"{path} has no rows (its measurement ended early); measure it again")
    others = [fraction for fraction in ("1e-1", "1e-3") if f"seconds_to_{fraction}" in rows[0]]
    groups = {}
    for row in rows:
        groups.setdefault((row["method"], int(row["threads"])), []).append(row)
    found = {key: summary(members, ["target", *others]) for key, members in groups.items()}
    serial = found[("serial", 1)]["seconds"]["target"]
    print(f"\n{data_name(rows[0])}: {loss(rows[0])}\n")
    titles = ["method", "threads", "epochs/s", "time to target", "epochs to target", "speed-up over best serial"]
    titles += [f"time to {fraction}" for fraction in others]
    print_head(*titles)
    for (method, threads), cell in sorted(found.items(), key=lambda item: order(item[0])):
        epochs = f"{cell['epochs']:.2f}" if math.isfinite(cell["epochs"]) else "-"
        ratio = serial / cell["seconds"]["target"]
        speed = f"{ratio:.2f}" if 0 < ratio < math.inf else "-"
        marks = ("\\*" if cell["edge"] else "") + ("+" if cell["tuned_at"] != threads else "")
        print_row(method + marks, str(threads), three_digits(cell["epochs_per_second"]), time(cell, "target"), epochs, speed,
                  *(time(cell, fraction) for fraction in others))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        try:
            table(name)
        except OSError as error:
            print(f"{name}: cannot be read ({error.strerror}); name a file that experiments/scripts/rivals wrote", file=sys.stderr)
            sys.exit(69)
