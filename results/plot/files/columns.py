"""Columns of summary.csv and trace.csv that several scripts name; schema.json lists them all."""

from plot.files.axes import LISTED, usual
from plot.files.checking import types_of
from plot.files.schema import columns, load, resolve

TRACE_COLUMNS = columns("trace_row")
SCORES = TRACE_COLUMNS[TRACE_COLUMNS.index("test_loss") + 1:TRACE_COLUMNS.index("optimality_bound")]  # a problem's own
SUMMARY_COLUMNS = columns("summary_row")
ASKED = SUMMARY_COLUMNS[SUMMARY_COLUMNS.index("problem"):SUMMARY_COLUMNS.index("status")]  # all that a run was asked for
SUMMARY = load()["$defs"]["summary_row"]["properties"]
NUMBERS = tuple(name for name in SUMMARY_COLUMNS if {"integer", "number"} & set(types_of(resolve(SUMMARY[name], load()))))  # else text
PARTS_OF_MEMORY = ("numbers", "rounding")  # of ASKED: in figures and tables a run's memory says them (memory_of)
USUAL = {part: usual(part) for part in PARTS_OF_MEMORY}
AXES = tuple(axis for axis in ASKED if axis not in PARTS_OF_MEMORY)


def memory_of(row):
    """What a row's memory is called: "host-int8-nearest". A row of version 2 or earlier calls it so itself."""
    rounds = row.get("rounding") not in (None, "", USUAL["rounding"])
    floats = row.get("numbers") in (None, "", USUAL["numbers"])
    return (row["memory"] or "") + f"-{row.get('numbers')}" * (rounds or not floats) + f"-{row.get('rounding')}" * rounds


def parts_of_memory(name):
    """{column: text} of a memory's name: the columns that version 3 has."""
    unknown = {"memory": name, **USUAL}
    known = next((each for each in LISTED["memories"] if each["name"] == name), unknown)
    return {column: known[column] for column in unknown}


def update_of(plan):
    """What summary.csv calls the update of a manifest's plan: racy, or racy+delayed where increments of hot coordinates are."""
    return "+".join(str(plan[name]) for name in ("update", "hot_updates") if plan.get(name))
