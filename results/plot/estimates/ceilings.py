"""What the runs' machine was measured to be able to do, and the share of it that a configuration uses.

Ceilings are those of `hogwild info --json`, at the nearest measured number of workers. One is what the bandwidth for reading brings at 8
bytes a nonzero (a column and a value). Where an update policy increments a shared buffer, the other is its random increments of one of
the nearest size.

    share = median nonzeros per second / the lower ceiling
"""

import math

from plot.estimates import intervals
from plot.files.axes import NO_SPARSE_ROWS
from plot.files.errors import NotDrawn

BYTES = 8  # of a stored nonzero: 32 bits of column, 32 of value


class Ceilings:
    """The ceilings of comparable runs are those of the first run that has any. Errors: NotDrawn where none has, or they
    cannot be read."""

    def __init__(self, runs):
        if any(run.axes["problem"] in NO_SPARSE_ROWS for run in runs):
            raise NotDrawn("the ceilings that are measured are those of sparse rows")
        self._found = next((run.ceilings for run in runs if run.ceilings), None)
        if self._found is None:
            raise NotDrawn("no ceilings.json of the runs' machine (a sweep measures it, or hogwild info --json > DIR/ceilings.json)")
        self._columns = next((data["columns"] for run in runs for data in [run.manifest.get("data")]
                              if isinstance(data, dict) and isinstance(data.get("columns"), int) and data["columns"] > 0), 1)
        try:
            policies = {""} | {row["update"] for row in self._found.get("increments", [])}
            readable = all(limit > 0 for policy in policies for limit in limits(self._found, policy, 1, 1).values())
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
            readable = False
        if not readable:
            raise NotDrawn("`measured` of ceilings.json is not as hogwild info --json prints it")

    def limits(self, one):
        """{name: nonzeros per second} of a configuration of CPU threads."""
        return limits(self._found, one.runs[0].axes["update"], max(1, one.key.threads), self._columns)

    def lower(self, one):
        """The name of the ceiling that a share is of."""
        return min(self.limits(one).items(), key=lambda limit: limit[1])[0]

    def share(self, one):
        """NaN where a GPU steps, or no run has nonzeros per second."""
        rates = one.positive("nonzeros_per_second")
        return intervals.median(rates) / min(self.limits(one).values()) if rates and one.key.on_threads_alone else math.nan


def limits(found, policy, threads, columns):
    """{name: nonzeros per second}; `policy`: empty where no policy increments."""
    read = nearest(found["bandwidth"], workers=threads)
    known = {"read bandwidth": read["read_bytes_per_second"] / BYTES}
    rows = [row for row in found.get("increments", []) if row["update"] == policy]
    increments = nearest(rows, workers=threads, floats=columns)
    if increments:
        known["increments"] = increments["per_second"]
    return known


def nearest(rows, **wanted):
    """The row with the nearest numbers, by ratio; None without rows."""
    apart = lambda row: sum(abs(math.log(row[name] / value)) for name, value in wanted.items())
    return min(rows, key=apart, default=None)
