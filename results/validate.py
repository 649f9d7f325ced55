#!/usr/bin/env python3
"""Checks result folders against schema.json and against each other: python3 results/validate.py DIR...

It checks more than types, units and names. Columns are those of the version that a file names (versions.py), so a file of an older one is
valid as it lies. Every row has its folder and every folder its row. A trace never goes back in time, and buckets of staleness do not
overlap. A run's row agrees with its manifest and with the end of its trace; a sweep's run's also with its row.csv. A sweep's journals,
optima, ceilings, choices and trials are as the program writes them. Prints each violation as `file:line: what (why); what to try`, the
first twenty at most, or how many runs are valid. Exit status 0 when there is no violation, else 1.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent)

import versions
from checked_files import ADVICE, check_json, check_table, describe, typed
from plot.files import script
from plot.files.axes import is_done
from plot.files.checking import violations
from plot.files.columns import ASKED, memory_of, update_of
from plot.files.naming import printable
from plot.files.schema import UNNAMED, load as load_schema, needed, resolve
from plot.files.tables import at, read_table
from sweep_files import check_ceilings, check_row, check_sweep, is_sweep, shards, unread

SHOWN = 20


def check_manifest(path, row, schema):
    found = []
    yield from check_json(path, "manifest", schema, found)
    if not found or row is None:
        return
    manifest, = found
    if manifest["run"] != row["run"]:
        yield describe(path, "run", manifest["run"], f"summary.csv calls it '{row['run']}'")
    if manifest["data"]["name"] != row["data"]:
        yield describe(path, "data.name", manifest["data"]["name"], f"summary.csv says '{row['data']}'")
    if manifest.get("ended", row)["status"] != row["status"]:
        yield describe(path, "ended.status", manifest["ended"]["status"], f"summary.csv says {row['status']}")
    yield from check_plan(path, manifest["plan"], row)
    yield from check_axes(path, manifest, row, schema)


def check_plan(path, plan, row):
    """An axis that means something is as the plan has it."""
    planned = {**plan, "update": update_of(plan)}
    named = {**row, "memory": memory_of(row)}
    for axis in ASKED:
        if named[axis] is not None and named[axis] != planned.get(axis, named[axis]):
            yield describe(path, f"plan.{axis}", planned[axis], f"summary.csv says {named[axis]}")


def check_axes(path, manifest, row, schema):
    """A manifest's axes are those of its row; version 1 has none."""
    version = manifest.get("schema", UNNAMED)
    if version == UNNAMED:
        return
    described = schema["$defs"]["summary_row"]["properties"]
    axes = [axis for axis in ASKED if axis != "seed" and axis in needed("summary_row", version, schema)]
    said = manifest.get("axes", {})
    for axis in axes:
        text = said.get(axis)
        if not isinstance(text, str) or typed(text, resolve(described[axis], schema)) != row[axis]:
            yield describe(path, f"axes.{axis}", text, f"summary.csv says {'nothing' if row[axis] is None else row[axis]}")
    for axis in said if version <= schema["version"] else ():
        if axis not in axes:
            yield describe(path, f"axes.{axis}", said[axis], f"no file of version {version} has this axis")


def check_version(path, version, schema):
    if version > schema["version"]:
        yield (f"{path}: of version {version} of the schema (this release knows {schema['version']} and those before); "
               "use the scripts of the release that wrote it")


def check_trace(path, row, schema, version):
    rows = []
    wrong = list(check_table(path, "trace_row", schema, rows, version))
    yield from wrong
    if wrong:
        return
    for (_, earlier), (line, later) in zip(rows, rows[1:]):
        for column in ("seconds", "epoch", "updates"):
            if later[column] < earlier[column]:
                yield describe(f"{path}:{line}", column, later[column], f"the observation before has {earlier[column]}")
    if row is None:
        return
    if not rows and is_done(row["status"]):
        yield f"{path}: no observations (the run is done); {ADVICE}"
    if rows:
        line, last = rows[-1]
        if row["updates"] is not None and last["updates"] > row["updates"]:
            yield describe(f"{path}:{line}", "updates", last["updates"], f"the whole run has {row['updates']}")
        if last["train_loss"] != row["train_loss"]:
            yield describe(f"{path}:{line}", "train_loss", last["train_loss"], f"summary.csv says {row['train_loss']}")


def check_staleness(path, definition, schema, version):
    """Buckets ascend within a device, or a layer on one, and none holds what another does."""
    rows, ends = [], {}
    wrong = list(check_table(path, definition, schema, rows, version))
    yield from wrong
    for line, row in () if wrong else rows:
        if row["to"] < row["from"]:
            yield describe(f"{path}:{line}", "to", row["to"], f"the bucket begins at {row['from']}")
        of = row["device"], row.get("layer")
        if row["from"] <= row["to"] and row["from"] <= ends.get(of, -1):
            yield describe(f"{path}:{line}", "from", row["from"], f"the {row['device']} bucket before ends at {ends[of]}")
        ends[of] = max(row["to"], ends.get(of, -1))


def check_batches(path, schema, version):
    """Time and steps never fall within a device, whose batches change from row to row."""
    rows, before = [], {}
    wrong = list(check_table(path, "batches_row", schema, rows, version))
    yield from wrong
    for line, row in () if wrong else rows:
        last = before.get(row["device"])
        for column in ("seconds", "steps") if last else ():
            if row[column] < last[column]:
                yield describe(f"{path}:{line}", column, row[column], f"the {row['device']} row before says {last[column]}")
        if last and row["batch"] == last["batch"]:
            yield describe(f"{path}:{line}", "batch", row["batch"], "as in the row before: no change")
        before[row["device"]] = row


def check_run(folder, row, schema):
    if not folder.is_dir():
        yield f"{folder}: no such folder (summary.csv names it); {ADVICE}"
        return
    version = versions.of_run(folder)
    yield from check_version(folder / "manifest.json", version, schema)
    yield from check_manifest(folder / "manifest.json", row, schema)
    yield from check_trace(folder / "trace.csv", row, schema, version)
    for definition in ("staleness_row", "layer_staleness_row"):
        counts = folder / f"{definition.removesuffix('_row')}.csv"
        if counts.exists():
            yield from check_staleness(counts, definition, schema, version)
    if (folder / "batches.csv").exists():
        yield from check_batches(folder / "batches.csv", schema, version)
    if (folder / "row.csv").exists():
        yield from check_row(folder / "row.csv", row, schema, version)


def check_runs(folder, summary, seen, schema, version):
    """Checks one summary.csv; `seen` gets the runs that it names."""
    rows, own = [], set()
    yield from check_table(summary, "summary_row", schema, rows, version)
    for line, row in rows:
        name, place = row["run"], f"{summary}:{line}"
        if name is None or name in own or name in (".", "..") or "/" in name:
            yield describe(place, "run", name, "must be a folder name that no other row has")
            continue
        own.add(name)
        issued, lost = row["increments_issued"], row["increments_lost"]
        if isinstance(issued, int) and isinstance(lost, int) and lost > issued:
            yield describe(place, "increments_lost", lost, f"only {issued} were issued")
        sound = not any(True for _ in violations(row, schema["$defs"]["summary_row"], schema))
        yield from check_run(folder / name, row if sound else None, schema)
    seen |= own


def check_folder(folder, schema, sweep=False):
    """Yields every violation of one DIR. `sweep`: it is part of a sweep, whose file may no longer ask for all runs that are there."""
    folder, seen = Path(folder), set()
    sweep = sweep or is_sweep(folder)
    summaries, verdicts, version = shards(folder, "summary", ".csv"), folder / "verdicts.csv", versions.of_tables(folder)
    yield from check_version(folder, version, schema)
    yield from check_ceilings(folder, schema)
    if verdicts.exists():
        yield from check_table(verdicts, "verdict_row", schema, [], version)
        if not summaries:
            return
    if (folder / "speedup.csv").exists():
        yield from check_table(folder / "speedup.csv", "speedup_row", schema, [], version)
    for summary in summaries or [folder / "summary.csv"]:
        yield from check_runs(folder, summary, seen, schema, version)
    for child in sorted(folder.iterdir()) if folder.is_dir() else ():
        if child.name not in seen and not child.name.startswith(".") and (child / "trace.csv").exists():
            if not sweep:
                yield f"{child}: no row (summary.csv does not name it); {ADVICE}"
            yield from check_run(child, None, schema)
    if is_sweep(folder):
        yield from check_sweep(folder, schema, version)
        if (folder / "tuning").exists():  # many folders: an archive may leave them out
            yield from check_folder(folder / "tuning", schema, sweep=True)


def main(arguments):
    parser = argparse.ArgumentParser(prog="validate.py", description="Checks result folders against results/schema.json.")
    parser.add_argument("folders", nargs="+", metavar="DIR", help="a folder that `hogwild run -o DIR`, `hogwild compare -o DIR` or a sweep wrote")
    folders = list(map(Path, parser.parse_args(arguments).folders))
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
        tables = [table for table in (at(folder / name) for folder in folders) if table.exists()]
        count = sum(len(read_table(table).rows) for table in tables)
        counts += [f"{count} {word}{'' if count == 1 else 's'}"] if tables else []
    print(f"{', '.join(counts)} valid{unread(folders)}")
    return 0


if __name__ == "__main__":
    script.run(main)
