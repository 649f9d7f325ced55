"""Folders of results -> runs. Knows the files and nothing about figures.

A run is a row of summary.csv, a folder with manifest.json and trace.csv, or both. After a crash the last run has a folder and no row
yet. In a sweep's folder a run that is complete has its row beside its trace too, as row.csv. That is read where there is no summary.csv
yet, and left out where summary.csv does not name it. Hidden folders are unfinished writes and no runs. What is missing or torn costs a
warning; only nothing at all is an error.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from plot.files.axes import INTERRUPTED, Ending, on_gpu_alone
from plot.files.columns import AXES, NUMBERS, PARTS_OF_MEMORY, TRACE_COLUMNS, memory_of
from plot.files.errors import Missing, ResultsError
from plot.files.manifests import axes_of, read_manifest, sound
from plot.files.samples import tell_apart
from plot.files.schema import UNNAMED, defaults, needed
from plot.files.tables import at, need_columns, number, read_table, whole

STALENESS_COLUMNS = ("device", "from", "to", "steps")
LAYER_COLUMNS = ("device", "layer", "from", "to", "steps")
MOST = 2**64  # steps, and updates that one was late
BATCH_COLUMNS = ("device", "seconds", "batch", "steps")
TOTALS = ("seconds", "updates", "updates_per_second", "train_loss", "target", "seconds_to_target", "updates_to_target")
NAME_A_FOLDER = "name a folder that hogwild run -o DIR wrote"  # as experiments/folder/summary_rows.cpp says


@dataclass
class Run(Ending):
    name: str
    folder: Path
    axes: dict  # axis -> text as written, empty where the axis does not apply
    status: str  # done, diverged, interrupted or failed
    totals: dict  # column -> float, NaN where empty
    not_atomic: bool = False  # an atomic increment of one device can be lost to the other
    trace: dict = field(default_factory=dict)  # column -> numpy array; empty when there is no trace
    staleness: dict = field(default_factory=dict)  # "cpu", "gpu" -> [(from, to, steps), ...], ascending; empty where nothing was counted
    layers: dict = field(default_factory=dict)  # (device, number of a network's layer) -> [(from, to, steps), ...]
    batches: dict = field(default_factory=dict)  # "cpu", "gpu" -> [(seconds, batch, steps), ...], the first batch first; empty where not both have some
    manifest: dict = field(default_factory=dict)
    ceilings: dict = field(default_factory=dict)  # `measured` of hogwild info --json on the run's machine; empty: unknown
    row: dict = field(default_factory=dict)  # of summary.csv, column -> text; empty for a run without one
    place: str = ""  # file and line of the row

    @property
    def threads(self):
        """CPU workers; a scheme without the axis has one, a GPU alone none."""
        if on_gpu_alone(self.axes["device"]):
            return 0
        try:
            return max(1, int(float(self.axes["threads"])))
        except (ValueError, OverflowError):
            return 1

    def value(self, column):
        """The number in any column of summary.csv; NaN where the field is empty or no such column is there."""
        return number(self.row.get(column, ""), f"{self.place}: {column}")

    @property
    def target_of(self):
        """What the run's target is of: "train_loss", or the name of a score."""
        named = self.row.get("target_of") or self.manifest.get("target_of")
        return named if isinstance(named, str) else "train_loss"

    @property
    def optimum(self):
        """The certified lower bound on F* that the run was given, or NaN."""
        value = self.manifest.get("optimum")
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan


@dataclass
class Results:
    folders: list
    runs: list = field(default_factory=list)
    warnings: list = field(default_factory=list)


def read_results(folders):
    """Every run of every folder, in the order of summary.csv, runs without a row last."""
    results = Results([Path(folder) for folder in folders])
    for folder in results.folders:
        if not folder.is_dir():
            what = "is no folder" if folder.exists() else "is not there"
            raise Missing(f"{folder} {what}", "results are read from a folder that holds summary.csv", NAME_A_FOLDER)
        read_folder(folder, results)
    results.warnings += tell_apart(results.runs)
    if not results.runs:
        summaries = [at(folder / "summary.csv") for folder in results.folders if at(folder / "summary.csv").exists()]
        if summaries:
            raise ResultsError(f"{', '.join(map(str, summaries))} has no rows", "no run of it ended", "run again")
        raise Missing(f"{', '.join(map(str, results.folders))} holds no results", "it has no summary.csv", NAME_A_FOLDER)
    return results


def read_folder(folder, results):
    named, before, passed = set(), len(results.runs), 0
    summary = at(folder / "summary.csv")
    if summary.exists():
        for line, row in rows_of(summary, results.warnings):
            named.add(row["run"])
            results.runs.append(read_run(folder, row, f"{summary}:{line}", results.warnings))
    for child in sorted(folder.iterdir()):
        if child.name in named or child.name.startswith(".") or not (child / "trace.csv").is_file():
            continue
        complete = child / "row.csv"
        if not complete.is_file():
            results.runs.append(read_unfinished_run(child, results.warnings))
        elif summary.exists():
            passed += 1
        else:
            results.runs += [read_run(folder, row, f"{complete}:{line}", results.warnings) for line, row in rows_of(complete, results.warnings)]
    if passed:
        results.warnings.append(f"{folder}: {passed} complete run{'s' if passed > 1 else ''} left out (summary.csv does not have "
                                f"{'them' if passed > 1 else 'it'}: the sweep's file no longer asks for {'them' if passed > 1 else 'it'}, or "
                                "the sweep has not ended since it does); run the sweep to its end for a table of all that it asks for")
    add_ceilings(folder, results.runs[before:], results.warnings)


def read_rows(summary, warnings):
    """The runs of a summary.csv by their rows alone: without traces and manifests."""
    return [run_of(summary.parent, row, f"{summary}:{line}") for line, row in rows_of(summary, warnings)]


def rows_of(path, warnings):
    """[(line, row), ...] of a summary.csv or a row.csv; columns that an older program did not write have their defaults. A
    memory is called by all that it is."""
    return [(line, named_memory(row)) for line, row in whole_rows(path, "summary_row", warnings)]


def named_memory(row):
    """The row with its memory's name in place of the memory's parts."""
    return {**{column: text for column, text in row.items() if column not in PARTS_OF_MEMORY}, "memory": memory_of(row)}


def whole_rows(path, name, warnings):
    """[(line, {column: text}), ...] of a table, with every column that schema.json has for `name` today."""
    table = read_table(path)
    need_columns(table, needed(name, UNNAMED))
    if table.torn:
        warnings.append(table.torn)
    absent = {column: text for column, text in defaults(name).items() if column not in table.header}
    return [(line, {**row, **absent}) for line, row in table.rows] if absent else table.rows


def add_ceilings(folder, runs, warnings):
    """Every shard of a sweep measured its own machine: a run has the ceilings of a machine like its own."""
    for path in sorted(folder.glob("ceilings*.json")):
        try:
            found = sound(read_manifest(path), path, "ceilings", warnings)
        except ResultsError as error:
            warnings.append(str(error))
            continue
        for run in runs:
            if not run.ceilings and machine_of(found) == machine_of(run.manifest) is not None:
                run.ceilings = found.get("measured") or {}


def machine_of(facts):
    machine = facts.get("machine")
    return (machine.get("cpu"), machine.get("cores")) if isinstance(machine, dict) else None


def read_run(folder, row, place, warnings):
    run = run_of(folder, row, place)
    read_files(run, warnings)
    return run


def run_of(folder, row, place):
    name = row["run"]
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise ResultsError(f"{place}: run '{name}' is not a folder name", "it must name a folder beside summary.csv",
                           "restore the file as the program wrote it")
    for column in NUMBERS:
        number(row[column], f"{place}: {column}")
    return Run(name, folder / name, {axis: row[axis] for axis in AXES}, row["status"],
               {total: number(row[total], place) for total in TOTALS}, row["cpu_gpu_increments"] == "not atomic", row=row, place=place)


def read_unfinished_run(folder, warnings):
    run = Run(folder.name, folder, dict.fromkeys(AXES, ""), INTERRUPTED, dict.fromkeys(TOTALS, math.nan))
    read_files(run, warnings)
    run.axes = axes_of(run.manifest)
    warnings.append(f"{folder}: drawn as interrupted (summary.csv has no row for it); run it again for a whole one")
    return run


def read_files(run, warnings):
    """Adds the manifest, the trace and the counts of staleness; one of the first two that is missing is worth a warning."""
    try:
        path = run.folder / "manifest.json"
        run.manifest = sound(read_manifest(path), path, "manifest", warnings)
    except ResultsError as error:
        warnings.append(str(error))
    run.staleness = read_counts(run.folder / "staleness.csv", STALENESS_COLUMNS, warnings)
    run.layers = read_counts(run.folder / "layer_staleness.csv", LAYER_COLUMNS, warnings)
    run.batches = read_batches(run.folder / "batches.csv", warnings)
    if not (run.folder / "trace.csv").exists():
        warnings.append(f"{run.folder}: no curve (trace.csv is missing, status {run.status}); run it again")
        return
    try:
        run.trace = read_trace(run.folder / "trace.csv", warnings)
    except ResultsError as error:
        warnings.append(str(error))


def read_trace(path, warnings):
    rows = whole_rows(path, "trace_row", warnings)
    return {column: np.array([number(row[column], f"{path}:{line}") for line, row in rows], dtype=float)
            for column in TRACE_COLUMNS}


def read_counts(path, columns, warnings):
    """Reads a file that is there; a damaged one is worth a warning."""
    try:
        return read_staleness(path, columns, warnings) if path.exists() else {}
    except ResultsError as error:
        warnings.append(str(error))
        return {}


def read_batches(path, warnings):
    """Reads the file of a device's batches, whole numbers from when on they hold; a damaged one is worth a warning."""
    if not path.exists():
        return {}
    try:
        table = read_table(path)
        need_columns(table, BATCH_COLUMNS)
        if table.torn:
            warnings.append(table.torn)
        found = {}
        for line, row in table.rows:
            place = f"{path}:{line}"
            change = number(row["seconds"], place), whole(row["batch"], place), whole(row["steps"], place)
            if not (0 <= change[0] < math.inf and change[1] > 0 and change[2] >= 0):
                raise ResultsError(f"{place}: not a batch", f"{row['batch']} samples from {row['seconds']} s on", "restore the file as the program wrote it")
            found.setdefault(row["device"], []).append(change)
        return found
    except ResultsError as error:
        warnings.append(str(error))
        return {}


def read_staleness(path, columns, warnings):
    """{device, or device and layer: buckets}. A file of no steps at all is none; buckets that make no sense
    are an error, since a share is of all steps."""
    table = read_table(path)
    need_columns(table, columns)
    if table.torn:
        warnings.append(table.torn)
    found = {}
    for line, row in table.rows:
        place = f"{path}:{line}"
        low, high, steps = bucket = tuple(number(row[column], place) for column in columns[-3:])
        of = (row["device"], whole(row["layer"], place)) if "layer" in columns else row["device"]
        buckets = found.setdefault(of, [])
        if not (0 <= low <= high < MOST and 0 < steps < MOST and low.is_integer() and steps >= 1 and (not buckets or low > buckets[-1][1])):
            raise ResultsError(f"{place}: not a bucket of staleness", f"{row['steps']} steps from {row['from']} to {row['to']}",
                               "restore the file as the program wrote it")
        buckets.append(bucket)
    return found
