"""The table of verdicts.csv, as `hogwild compare` prints it: a speed-up with its interval, what follows from it, what it is made of.

A speed-up is 1 / ratio of a cost (time, updates) and the ratio of a rate. So above 1 is better for B in both.
"""

import math

from cells import duration, three_digits
from plot.files import naming
from plot.files.axes import OWN
from plot.files.columns import AXES
from plot.files.errors import ResultsError
from plot.files.tables import number, read_table
from plot.style.scales import counted
from report.combined import percent
from report.environment import csv_file
from report.markup import lines, tag
from report.tables import Cell, amount, exact, factor, table

METHOD = ("scheme", "update", "guard")
NEEDED = METHOD + ("metric", "a", "b", "against", "runs_a", "seeds", "reached_a", "reached_b", "median_a", "median_b", "expected_a",
                   "expected_b", "ratio", "ratio_low", "ratio_high", "verdict", "reason")
UNITS = {"time": duration, "updates": counted}  # of a metric that is a cost, by its first word
INTERVAL = "in brackets its 95 % interval (the wider of a bootstrap and a t interval, runs paired by seed)."
OF_COSTS = ("Speed-up: A's expected {what} over B's, so above 1 B needs less; {interval} Expected: what all runs spent over how many got there, "
            "so those that missed count with all they spent.")
OF_RATES = "Speed-up: B's rate over A's, so above 1 B does more in a second; {interval} Expected: what all runs did over their seconds."
PARTS = ("A speed-up is that of updates per second, up to the target (those of whole runs are another metric), times that of updates to the "
         "target.")
OF_CEILINGS = ("Ceiling share: nonzeros per second over the lower of what this machine was measured to read (8 bytes a nonzero) and, where an "
               "update policy increments a shared buffer, to increment at random. Samples in a cache pass the first, steps that write nothing the "
               "second.")
RULE = ("The verdict follows from the interval: FASTER or SLOWER where the whole of it lies on one side of 1, SAME where the whole of it lies "
        "within 5 % of 1, else UNDECIDED; more seeds narrow it.")


def verdicts(path, schema):
    """None where there is no such file; one of other columns is shown as it is."""
    if not path.is_file():
        return None
    try:
        found = read_table(path, links=False)
        if not set(NEEDED) <= set(found.header):
            return csv_file(path, schema)
        rows = [Row(row, f"{path}:{line}") for line, row in found.rows]
        torn = tag("p", found.torn) if found.torn else ""
        return lines(torn, *(part for metric in dict.fromkeys(row.cells["metric"] for row in rows)
                             for part in on_metric([row for row in rows if row.cells["metric"] == metric], found.header, schema)),
                     tag("p", RULE) if rows else "")
    except ResultsError as error:
        return tag("p", str(error))


def on_metric(rows, header, schema):
    """What stands in the section of the rows of one metric."""
    yield from explained(rows)
    yield verdict_table(rows, header, schema)


class Row:
    def __init__(self, cells, place):
        self.cells = self.axes = cells
        self._place = place
        self.is_rate = cells["metric"].endswith("-per-second")
        self.form = counted if self.is_rate else UNITS.get(cells["metric"].partition("-")[0], three_digits)

    def value(self, column):
        return number(self.cells.get(column, ""), f"{self._place}: {column}")

    def expected(self, side):
        """The expected value of A or B; infinite (for a rate: 0) where no run got there."""
        value = self.value(f"expected_{side}")
        return (0.0 if self.is_rate else math.inf) if math.isnan(value) else value

    def factor(self, column):
        """How many times as fast as A; NaN where neither got there. An empty end of an interval is infinite."""
        value = self.value(column)
        if math.isnan(value) and column == "ratio" and not any(0 < self.expected(side) < math.inf for side in "ab"):
            return math.nan
        value = math.inf if math.isnan(value) else value
        return value if self.is_rate else 0.0 if math.isinf(value) else 1 / value if value else math.inf


def explained(rows):
    """The sentences above the table: what A and B are, and how to read it."""
    said = lambda column: same(rows, column)
    folders = [naming.printable(said(side)) for side in "ab"]
    metric, against = (naming.printable(said(column)) for column in ("metric", "against"))
    one_folder = all(row.cells["a"] == row.cells["b"] for row in rows)
    a = against or ("the configuration in the column `against`" if one_folder else "the same configuration")
    a += "" if one_folder or not folders[0] else f" of {folders[0]}"
    if said_of_a(rows):
        of_a = measured(rows[0], "a")
        a += f" ({of_a.note}, expected {of_a.text})"
    b = "the configuration of each row" + ("" if one_folder or not folders[1] else f", of {folders[1]}")
    yield tag("p", f"A is {a}; B is {b}. Compared: {spaced(metric)}.")
    text = OF_RATES if rows[0].is_rate else OF_COSTS
    yield tag("p", text.format(what=spaced(metric.partition("-")[0]), interval=INTERVAL))
    if rows[0].cells["metric"].startswith("time-") and any(row.cells.get("updates_ratio") for row in rows):
        yield tag("p", PARTS)
    if any(row.cells.get(f"ceiling_share_{side}") for row in rows for side in "ab"):
        yield tag("p", OF_CEILINGS)


def verdict_table(rows, header, schema):
    notes = schema.get("$defs", {}).get("verdict_row", {}).get("properties", {})
    note = lambda column: notes.get(column, {}).get("description", "")
    axes = [axis for axis in AXES if axis in header and axis not in METHOD] + ["seeds"]
    alike = [axis for axis in axes if len(rows) > 1 and same(rows, axis)]
    named = [column for column in ("a", "b", "against") if not same(rows, column)]
    if all(row.cells["a"] == row.cells["b"] for row in rows):
        named = [column for column in named if column not in ("a", "b")]
    own = lambda column: (spaced(column), note(column), lambda row: plain(row.cells[column]))
    of_method = [axis for axis in axes if axis not in alike and axis not in OWN and one_each(rows, axis)]
    columns = [own(column) for column in named]
    columns.append(("method", "scheme, update policy and guard; below, what all of its rows have", lambda row: Cell(
        naming.base_method(row), note=", ".join(f"{spaced(axis)} {plain(row.cells[axis]).text}" for axis in of_method if row.cells[axis]))))
    columns += [own(axis) for axis in axes if axis not in alike and axis not in of_method]
    columns += [("verdict", note("verdict"), judged),
                ("speed-up", "how many times as fast as A [95 % interval]", speed_up),
                ("= updates/s", "hardware efficiency's part of the speed-up", lambda row: inverse(row, "seconds_per_update_ratio")),
                ("× 1/updates", "statistical efficiency's part: updates that A needs over those of B",
                 lambda row: inverse(row, "updates_ratio"))]
    for side in "b" if said_of_a(rows) else "ab":
        columns.append((f"expected {side.upper()}", f"{note('expected_a')}; below, the median over the paired runs, and how many got there where not "
                        "all did", lambda row, side=side: measured(row, side)))
    for name, words, share in (("staleness", "median / 99 % / largest, medians over the paired runs", False),
                               ("gpu_staleness", "likewise, of a GPU's steps", False), ("lost_share", note("lost_share_a"), True),
                               ("ceiling_share", note("ceiling_share_a"), True)):
        show = share_of if share else quantiles
        for side in "ab":
            columns.append((f"{spaced(name)} {side.upper()}", words, lambda row, name=name, side=side, show=show: show(row, name, side)))
    said = [f"{spaced(axis)} {plain(rows[0].cells[axis]).text}" for axis in alike]
    shown = []
    for head, words, show in columns:
        cells = [show(row) for row in rows]
        if head.endswith(" A") and len(rows) > 1 and len({cell.sort for cell in cells}) == 1:
            said += [f"{head} {cells[0].text}"] if cells[0].sort else []
        else:
            shown.append(((head, words), cells))
    return lines(tag("p", f"In every row: {', '.join(said)}.", class_="quiet") if said else "",
                 table([head for head, _ in shown], list(zip(*(cells for _, cells in shown)))))


def one_each(rows, axis):
    """Whether all rows of a method say the same, of two rows of one method or more."""
    found = {}
    for row in rows:
        found.setdefault(naming.base_method(row), []).append(row.cells[axis])
    return all(len(set(texts)) == 1 for texts in found.values()) and any(len(texts) > 1 for texts in found.values())


def same(rows, column):
    """What all rows say in a column; empty where they differ."""
    texts = {row.cells[column] for row in rows}
    return texts.pop() if len(texts) == 1 else ""


def said_of_a(rows):
    """Whether A is the same runs for every row, which is then said above the table."""
    return len(rows) > 1 and all(same(rows, column) for column in ("metric", "against", "runs_a"))


def spaced(name):
    return naming.printable(name).replace("_", " ").replace("-", " ")


def plain(text):
    """A value as it was written, a number with four digits unless it is whole."""
    try:
        value = float(text)
    except ValueError:
        return Cell(naming.printable(text) or "–", number=not text)
    return Cell(naming.printable(text) if value.is_integer() and len(text) < 10 else f"{value:.4g}", text, number=True)


def judged(row):
    return Cell(naming.printable(row.cells["verdict"]), note=naming.printable(row.cells["reason"]))


def speed_up(row):
    value = row.factor("ratio")
    if math.isnan(value):
        return Cell("–", "", number=True)
    ends = sorted(row.factor(column) for column in ("ratio_low", "ratio_high"))
    return Cell(factor(value), exact(value), f"[{factor(ends[0])}, {factor(ends[1])}]", True)


def inverse(row, column):
    value = row.value(column)
    return amount(1 / value if value else math.nan, factor)


def measured(row, side):
    """An expected value, below it the median, and how many runs got there where that is not all."""
    text = {}
    for of in ("median", "expected"):
        value = row.value(f"{of}_{side}")
        text[of] = (0.0 if row.is_rate else math.inf) if math.isnan(value) else value
    reached, seeds = row.value(f"reached_{side}"), row.value("seeds")
    share = f", {reached:.0f}/{seeds:.0f}" if reached < seeds else ""
    return amount(text["expected"], row.form, f"median {amount(text['median'], row.form).text}{share}")


def quantiles(row, name, side):
    values = [row.value(f"{name}_{part}_{side}") for part in ("p50", "p99", "max")]
    if math.isnan(values[0]):
        return Cell("–", "", number=True)
    return Cell(" / ".join("–" if math.isnan(value) else three_digits(value) for value in values), repr(values[0]), number=True)


def share_of(row, name, side):
    return amount(row.value(f"{name}_{side}"), percent)
