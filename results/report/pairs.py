"""Pairs of runs that a verdict compares and that different machines measured, or one machine that was started again in between.

What a verdict compares wants one machine, in one go: machines of one kind differ, and so does a virtual machine's place on its host.
"""

from report.provenance import computer
from report.tuned import rows_of


def cautions(folder, runs):
    """A sentence, or none; `folder`: that of verdicts.csv, `runs`: those that lie in it."""
    rows = rows_of(folder / "verdicts.csv")
    places = {run.name: computer(run) for run in runs}
    split = sum(any(apart(*pair, places) for pair in zip(row.get("runs_a", "").split(), row.get("runs_b", "").split())) for row in rows)
    if not split:
        return []
    return [f"{split} of {len(rows)} verdicts compare runs of one seed that were measured on different machines, or on one that was started "
            "again in between: measure what is compared in one go (--stop-after and --shard take whole seeds)."]


def apart(a, b, places):
    return places.get(a, "") != places.get(b, "") and bool(places.get(a)) and bool(places.get(b))
