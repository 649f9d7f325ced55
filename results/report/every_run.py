"""The table of every run: rows and numbers of summary.csv, none left out."""

import math

from cells import duration
from plot.files import naming
from plot.style.scales import counted
from report import shares
from report.combined import percent, score
from report.tables import Cell, amount, table

HEADS = (
    ("run", "its folder, with manifest.json and trace.csv"), ("data", ""),
    ("objective", "what not all runs minimise, but for the data"), ("method", ""), ("variant", ""), ("workers", ""),
    ("seed", ""), ("step size", "of the first update"), ("status", "how it ended"), ("seconds", "with the copies of snapshots"),
    ("updates/s", ""), ("training loss", "at the last observation"), ("test score", "at the last observation: share predicted wrongly, or root mean squared error"),
    ("time to target", ""), ("updates to target", ""), ("waited", "time that workers were ready and had no core, over all their time"),
    ("shares", "the least and the greatest part of the samples that a worker stepped through, over an equal one"),
    ("put off", "exchanges of replicas that came when another worker was at the same coordinates, of those that were due"), ("reason", "why it was not done"),
)


def every_run(runs, keys):
    """`keys`: {id(run): naming.Key}"""
    objectives = naming.terms([run.axes for run in runs], but=("data",))
    heads = [(naming.counted_as(runs, name), note) for name, note in HEADS]
    return table(heads, [row(run, keys[id(run)], objective) for run, objective in zip(runs, objectives)])


def row(run, key, objective):
    missed = math.inf if math.isfinite(run.value("target")) else math.nan
    reached = lambda column: value if math.isfinite(value := run.value(column)) else missed
    return [
        Cell(naming.printable(run.name)), Cell(naming.data_name(run)), Cell(objective),
        Cell(key.method), Cell(key.variant), Cell(key.workers or "1"),
        whole(run, "seed"), amount(run.value("step_size"), lambda value: f"{value:.4g}"), Cell(naming.printable(run.status)),
        amount(run.value("seconds"), duration), amount(run.value("updates_per_second"), counted),
        amount(run.value("train_loss"), lambda value: f"{value:.6g}"), score(run.value),
        amount(reached("seconds_to_target"), duration), amount(reached("updates_to_target"), counted),
        amount(waited(run), percent), shares.cell(run), amount(put_off(run), percent), Cell(naming.printable(run.row.get("reason", ""))),
    ]


def whole(run, column):
    text = naming.printable(run.axes[column])
    return Cell(text or "–", text, number=True)


def waited(run):
    """Share of its workers' time that a run waited for cores; NaN where nothing says so."""
    seconds, lost = run.value("seconds"), run.value("core_wait_seconds")
    return lost / (seconds * max(1, run.threads)) if seconds > 0 and lost == lost else math.nan


def put_off(run):
    """Share of the exchanges that were due; NaN where none was."""
    counts = run.manifest.get("worker_exchanges") or []
    due, later = (sum(each[what] for each in counts) for what in ("due", "put_off"))
    return later / due if due else math.nan
