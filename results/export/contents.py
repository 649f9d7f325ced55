"""What every format gets of a run: curves of trace.csv, totals of summary.csv, axes as parameters, times as seconds since 1970.

A curve is a column of trace.csv. One that is empty throughout has no curve, since nothing measured it (no test data, no certified
optimum). But train_loss always has one: where that is empty the loss was not finite. A gap is NaN. A step is the samples consumed.
"""

import calendar
import math
import re
import time
from dataclasses import dataclass, field

from plot.files.columns import AXES, SCORES
from plot.files.errors import ResultsError

CURVES = ("train_loss", "test_loss", *SCORES, "optimality_bound", "epoch")
TEXTS = ("run", "status", "reason", "cpu_gpu_increments", "target_of")  # of summary.csv, beside the axes; all others are numbers
STARTED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
MOST_STEPS = 2**63 - 1  # of the formats, signed 64 bits


@dataclass
class Contents:
    run: object  # plot.files.reading.Run
    started: float  # seconds since 1970; 0 where no manifest says when
    seconds: float  # how long it ran
    step: int  # samples consumed at its end
    points: list = field(default_factory=list)  # of (seconds, step, {column: value}), in the order of trace.csv
    totals: dict = field(default_factory=dict)  # column of summary.csv -> value; what is empty there or a curve is not here
    parameters: dict = field(default_factory=dict)  # axis -> text; what is empty there is not here

    @property
    def ended(self):
        return self.started + self.seconds

    @property
    def curves(self):
        """{column: [(seconds, step, value)]}"""
        found = {}
        for seconds, step, values in self.points:
            for column, value in values.items():
                found.setdefault(column, []).append((seconds, step, value))
        return found


def contents(results):
    """A Contents for each run. Errors: ResultsError where two runs share a name, or numbers make no sense."""
    found = {}
    for run in results.runs:
        if run.name in found:
            raise ResultsError(f"{run.folder.parent}: run '{run.name}' stands twice", "its name must be its own",
                               "restore summary.csv as the program wrote it")
        found[run.name] = of_run(run, results.warnings)
    return list(found.values())


def of_run(run, warnings):
    points = observations(run)
    drawn = points[0][2] if points else ()
    totals = {column: run.value(column) for column in run.row if column not in AXES + TEXTS and column not in drawn}
    totals = {column: value for column, value in totals.items() if not math.isnan(value)}
    last_seconds, last_step = points[-1][:2] if points else (0.0, 0)
    return Contents(run, started(run, warnings), totals.get("seconds", last_seconds), steps(run, totals.get("updates", last_step)), points,
                    totals, {axis: text for axis, text in run.axes.items() if text})


def observations(run):
    if not run.trace:
        return []
    columns = [column for column in CURVES if column == "train_loss" or any(value == value for value in run.trace[column])]
    found = []
    for index, (seconds, updates) in enumerate(zip(run.trace["seconds"].tolist(), run.trace["updates"].tolist())):
        if not math.isfinite(seconds):
            raise damaged(run, f"an observation at {seconds} seconds")
        found.append((seconds, steps(run, updates), {column: float(run.trace[column][index]) for column in columns}))
    return found


def steps(run, updates):
    if not 0 <= updates <= MOST_STEPS:
        raise damaged(run, f"{updates} updates")
    return int(updates)


def damaged(run, what):
    return ResultsError(f"{run.folder}: {what}", "no run wrote this", "restore its files as the program wrote them")


def started(run, warnings):
    """When the manifest says that it began."""
    text = run.manifest.get("started")
    try:
        if isinstance(text, str) and STARTED.fullmatch(text):
            return float(calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ")))
    except ValueError:  # a month 13
        pass
    warnings.append(f"{run.folder}: its times begin in 1970 (manifest.json does not say when it started); run it again")
    return 0.0
