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
from cells import data_name, loss, number, print_head, print_row, three_digits
from plot.files import script
from plot.files.axes import is_serial, listed, names_of
from plot.files.columns import NUMBERS
from plot.files.errors import ResultsError
from plot.files.naming import printable
from plot.files.tables import need_columns, need_numbers, read_table, whole

NEEDED = ("method", "tuned_at", "at_edge", "problem", "data", "l2", "threads", "epochs", "updates", "epochs_per_second", "target",
          "seconds_to_target", "updates_to_target")
COUNTED = ("threads", "tuned_at", "epochs")


def read(path):
    """The rows of a file, whose numbers are numbers."""
    table = read_table(path)
    need_columns(table, NEEDED)
    need_numbers(table, NUMBERS)
    if table.torn:
        print(f"warning: {printable(table.torn)}", file=sys.stderr)
    for line, row in table.rows:
        for name in COUNTED:
            if whole(row[name] or "0", f"{path}:{line}: {name}") < 1:
                raise ResultsError(f"{path}:{line}: {name}: '{row[name]}'", "it is 1 or more", "restore the file as the program wrote it")
    if not any(is_serial(row["method"]) and float(row["threads"]) == 1 for _, row in table.rows):
        raise ResultsError(f"{path} has no serial run", "speed-ups are over it", "name a file that experiments/scripts/rivals wrote to its end")
    return [row for _, row in table.rows]


def summary(rows, targets):
    """Medians of one (method, threads)."""
    epoch = number(rows[0], "updates") / float(rows[0]["epochs"])
    median = lambda column: statistics.median(number(row, column) for row in rows)
    return {
        "epochs_per_second": median("epochs_per_second"),
        "seconds": {target: median(f"seconds_to_{target}") for target in targets},
        "reached": {target: sum(1 for row in rows if row[f"seconds_to_{target}"]) for target in targets},
        "runs": len(rows),
        "epochs": median("updates_to_target") / epoch if 0 < epoch < math.inf else math.inf,
        "edge": rows[0]["at_edge"] == "1",
        "tuned_at": int(float(rows[0]["tuned_at"])),
    }


def time(cell, target):
    return cells.time(cell["seconds"][target], cell["reached"][target], cell["runs"])


def order(key):
    """Serial first, then lock-free, locks, synchronous; a method's batches or exchanges together, by threads."""
    method, threads = key
    name = method.rstrip("0123456789 ")
    first = (*listed("schemes", kind="serial"), *(f"hogwild {update}" for update in names_of("update")), *names_of("guard"),
             *listed("schemes", kind="sync", repeatable=False))
    return (first.index(name) if name in first else len(first), name, threads, method)


def table(path):
    rows = read(path)
    others = [fraction for fraction in ("1e-1", "1e-3") if f"seconds_to_{fraction}" in rows[0]]
    groups = {}
    for row in rows:
        groups.setdefault((row["method"], int(float(row["threads"]))), []).append(row)
    found = {key: summary(members, ["target", *others]) for key, members in groups.items()}
    serial = found[("serial", 1)]["seconds"]["target"]
    print(f"\n{printable(f'{data_name(rows[0])}: {loss(rows[0])}')}\n")
    titles = ["method", "threads", "epochs/s", "time to target", "epochs to target", "speed-up over best serial"]
    titles += [f"time to {fraction}" for fraction in others]
    print_head(*titles)
    for (method, threads), cell in sorted(found.items(), key=lambda item: order(item[0])):
        epochs = f"{cell['epochs']:.2f}" if math.isfinite(cell["epochs"]) else "-"
        ratio = over(serial, cell["seconds"]["target"])
        speed = f"{ratio:.2f}" if 0 < ratio < math.inf else "-"
        marks = ("\\*" if cell["edge"] else "") + ("+" if cell["tuned_at"] != threads else "")
        print_row(printable(method) + marks, str(threads), three_digits(cell["epochs_per_second"]), time(cell, "target"), epochs, speed,
                  *(time(cell, fraction) for fraction in others))


def over(one, other):
    return one / other if other > 0 else math.nan


def main(paths):
    if not paths:
        sys.exit(__doc__)
    for path in paths:
        table(path)


if __name__ == "__main__":
    script.run(main)
