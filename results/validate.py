#!/usr/bin/env python3
"""Checks result folders against schema.json and against each other: python3 results/validate.py DIR...

Beyond types, units and names: headers are exact, every row has its folder and every folder its row, a trace never goes
back in time, and a run's row agrees with its manifest and with the end of its trace. Prints each violation as
`file:line: what (why); what to try`, the first twenty at most, or how many runs are valid. Exit status 0 when there is no
violation, else 1.
"""

import argparse
import json
import re
import signal
import sys
from itertools import islice
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent)

from checking import resolve, types_of, violations
from plot.errors import ResultsError
from plot.naming import printable
from plot.tables import read_table, read_text

SHOWN = 20
MUST_AGREE = ("problem", "scheme", "update", "guard", "device", "memory", "placement", "threads", "streams", "blocks", "hot",
              "hot_rule", "bridge_rule", "bridge_pause", "delay", "epochs", "l2", "batch", "exchange", "seed", "step", "step_size")
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")  # Python alone would read 1_0 and nan as numbers too
ADVICE = "see results/schema.json, and run it again if the file was edited"


def load_schema():
    return json.loads((Path(__file__).resolve().parent / "schema.json").read_text(encoding="utf-8"))


def typed(text, schema):
    """A CSV field as a JSON value: empty is null; what cannot be converted stays a string, which the schema refuses."""
    if text == "":
        return None
    if not NUMBER.fullmatch(text):
        return text
    types = types_of(schema)
    for name, convert in (("integer", int), ("number", float)):
        if name in types:
            try:
                return convert(text)
            except ValueError:
                return text
    return text


def describe(place, where, value, why):
    shown = "empty" if value is None else repr(value) if isinstance(value, str) else str(value)
    return f"{place}: {where + ' ' if where else ''}{shown} ({why}); {ADVICE}"


def check_table(path, schema_name, schema, rows):
    """Yields the violations of a CSV file; appends its rows, as (line, JSON values), to `rows`."""
    row_schema = schema["$defs"][schema_name]
    try:
        table = read_table(path)
    except ResultsError as error:
        yield str(error)
        return
    if table.header != row_schema["required"]:
        differing = next((pair for pair in zip(table.header, row_schema["required"]) if pair[0] != pair[1]), None)
        what = (f"column '{differing[0]}' stands where '{differing[1]}' belongs" if differing
                else f"{len(table.header)} columns instead of {len(row_schema['required'])}")
        yield f"{path}:1: {what} (the header is fixed); {ADVICE}"
        return
    if table.torn:
        yield table.torn
    for line, fields in table.rows:
        row = {name: typed(text, resolve(row_schema["properties"][name], schema)) for name, text in fields.items()}
        rows.append((line, row))
        for where, value, why in violations(row, row_schema, schema):
            yield describe(f"{path}:{line}", where, value, why)


def check_manifest(path, row, schema):
    try:
        manifest = json.loads(read_text(path))
    except ResultsError as error:
        yield str(error)
        return
    except ValueError as error:
        yield f"{path}: not JSON ({error}); {ADVICE}"
        return
    wrong = list(violations(manifest, schema["$defs"]["manifest"], schema))
    for where, value, why in wrong:
        yield describe(path, where, value, why)
    if wrong or row is None:
        return
    if manifest["run"] != row["run"]:
        yield describe(path, "run", manifest["run"], f"summary.csv calls it '{row['run']}'")
    if manifest["data"]["name"] != row["data"]:
        yield describe(path, "data.name", manifest["data"]["name"], f"summary.csv says '{row['data']}'")
    for axis in MUST_AGREE:
        if row[axis] is not None and row[axis] != manifest["plan"][axis]:
            yield describe(path, f"plan.{axis}", manifest["plan"][axis], f"summary.csv says {row[axis]}")


def check_trace(path, row, schema):
    rows = []
    wrong = list(check_table(path, "trace_row", schema, rows))
    yield from wrong
    if wrong:
        return
    for (_, earlier), (line, later) in zip(rows, rows[1:]):
        for column in ("seconds", "epoch", "updates"):
            if later[column] < earlier[column]:
                yield describe(f"{path}:{line}", column, later[column], f"the observation before has {earlier[column]}")
    if row is None:
        return
    if not rows and row["status"] == "done":
        yield f"{path}: no observations (the run is done); {ADVICE}"
    if rows:
        line, last = rows[-1]
        if row["updates"] is not None and last["updates"] > row["updates"]:
            yield describe(f"{path}:{line}", "updates", last["updates"], f"the whole run has {row['updates']}")
        if last["train_loss"] != row["train_loss"]:
            yield describe(f"{path}:{line}", "train_loss", last["train_loss"], f"summary.csv says {row['train_loss']}")


def check_run(folder, row, schema):
    if not folder.is_dir():
        yield f"{folder}: no such folder (summary.csv names it); {ADVICE}"
        return
    yield from check_manifest(folder / "manifest.json", row, schema)
    yield from check_trace(folder / "trace.csv", row, schema)


def check_folder(folder, schema):
    """Yields every violation of one DIR."""
    folder = Path(folder)
    summary, verdicts = folder / "summary.csv", folder / "verdicts.csv"
    rows, seen = [], set()
    if verdicts.exists():
        yield from check_table(verdicts, "verdict_row", schema, [])
        if not summary.exists():
            return
    yield from check_table(summary, "summary_row", schema, rows)
    for line, row in rows:
        name, place = row["run"], f"{summary}:{line}"
        if name is None or name in seen or name in (".", "..") or "/" in name:
            yield describe(place, "run", name, "must be a folder name that no other row has")
            continue
        seen.add(name)
        issued, lost = row["increments_issued"], row["increments_lost"]
        if isinstance(issued, int) and isinstance(lost, int) and lost > issued:
            yield describe(place, "increments_lost", lost, f"only {issued} were issued")
        sound = not any(True for _ in violations(row, schema["$defs"]["summary_row"], schema))
        yield from check_run(folder / name, row if sound else None, schema)
    for child in sorted(folder.iterdir()) if folder.is_dir() else ():
        if child.name not in seen and not child.name.startswith(".") and (child / "trace.csv").exists():
            yield f"{child}: no row (summary.csv does not name it); {ADVICE}"
            yield from check_run(child, None, schema)


def main(arguments):
    parser = argparse.ArgumentParser(prog="validate.py", description="Checks result folders against results/schema.json.")
    parser.add_argument("folders", nargs="+", metavar="DIR", help="a folder that `hogwild run -o DIR` or `hogwild compare -o DIR` wrote")
    folders = parser.parse_args(arguments).folders
    schema = load_schema()
    found = (violation for folder in folders for violation in check_folder(folder, schema))
    shown = 0
    for shown, violation in enumerate(islice(found, SHOWN), start=1):
        print(printable(violation))
    if shown == SHOWN and next(found, None) is not None:
        print(f"more violations follow (only the first {SHOWN} are shown); fix these first")
    if shown:
        return 1
    counts = []
    for name, word in (("summary.csv", "run"), ("verdicts.csv", "verdict")):
        tables = [Path(folder) / name for folder in folders if (Path(folder) / name).exists()]
        count = sum(len(read_table(table).rows) for table in tables)
        counts += [f"{count} {word}{'' if count == 1 else 's'}"] if tables else []
    print(f"{', '.join(counts)} valid")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    sys.exit(main(sys.argv[1:]))
