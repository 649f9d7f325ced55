"""A publication's numbers beside ours, as the [[paper]] tables of a sweep's file state them (docs/reference/sweep-file.md).

Ours is the median over the runs of one configuration that have all the values of `where`. With `over` it is that median divided by
the one of the runs that have the values of `over`. A time to a target that was missed took forever; of other columns only runs that
are done count. No verdict: machines and data differ, and each row says how far its two numbers compare.
"""

import math

from cells import three_digits
from plot.estimates import configurations, intervals
from plot.files import naming
from plot.files.axes import OBJECTIVE
from plot.files.columns import PARTS_OF_MEMORY, parts_of_memory
from report.markup import lines, tag

HEADS = ("what", "the publication", "here", "how far they compare")
ABOUT = ("The publication's numbers are as it states them, of its machine and its data. Ours are medians over seeds and "
         "ratios of such medians, in brackets their bootstrap 95 % intervals, of this folder's runs. Nothing here is a verdict: those compare "
         "expected costs.")
TEXTS = ("source", "hardware", "data", "what", "unit", "column", "note")


def paper(entries, groups):
    """A table, or None where the sweep's file states no number; `groups`: lists of runs, each of comparable ones."""
    if not isinstance(entries, list) or not entries:
        return None
    readable = [entry for entry in entries if complete(entry)]
    rows = [each for entry in readable for each in rows_of(entry, groups)]
    left_out = len(entries) - len(readable)
    head = tag("thead", tag("tr", [tag("th", text, scope="col") for text in HEADS]))
    return lines(tag("p", ABOUT),
                 tag("div", tag("table", head, tag("tbody", lines(*rows)), class_="paper"), class_="scroll") if rows else "",
                 tag("p", f"{left_out} [[paper]] tables of sweep.toml are incomplete, and not shown.") if left_out else "")


def complete(entry):
    """`hogwild sweep` refuses others; a file may have been changed since."""
    return (isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in TEXTS) and is_number(entry.get("value"))
            and isinstance(entry.get("where"), dict) and isinstance(entry.get("over", {}), dict))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < math.inf


def rows_of(entry, groups):
    """A row for each configuration of ours that the entry is about, without the one that others are divided by. There is one that
    says so where there is none."""
    found = [(one, members) for members in groups for one in matching(members, entry["where"])]
    shown = [(one, members) for one, members in found if not is_divisor(one, entry)] or found
    rows = []
    for one, members in shown:
        text, about = ours(entry, one, comparable(groups, members, entry))
        rows.append(row(entry, text, [one.key.label_with_workers] * (len(shown) > 1) + about, first=not rows))
    return rows or [row(entry, "no run matches", [])]


def is_divisor(one, entry):
    return "over" in entry and all(holds(run, entry["over"]) for run in one.runs)


def comparable(groups, members, entry):
    """The runs of the members' function, but for what both `where` and `over` name: shared negatives over own ones are of two by
    intent."""
    named = {option.replace("-", "_") for option in entry["where"].keys() & entry.get("over", {}).keys()}
    function = lambda runs: [runs[0].axes.get(axis, "") for axis in OBJECTIVE if axis not in named]
    return [run for each in groups if function(each) == function(members) for run in each]


def matching(runs, where):
    return configurations.configurations([run for run in runs if holds(run, where)])


def holds(run, where):
    asked = {option.replace("-", "_"): str(value) for option, value in where.items()}
    axes = run.axes
    if any(part in asked for part in PARTS_OF_MEMORY):
        axes = axes | parts_of_memory(axes["memory"])
    return all(same(axes.get(axis, ""), value) for axis, value in asked.items())


def same(axis, value):
    """Numbers as numbers: 1e-4 is 0.0001. What means nothing for a run is empty, and none (experiments/sweep/spec/paper_runs.h)."""
    try:
        return float(axis) == float(value)
    except ValueError:
        return (axis or "none") == value


def conditions(where):
    """"scheme hogwild, threads 10" """
    return naming.printable(", ".join(f"{option} {value}" for option, value in where.items())) or "every run"


def ours(entry, one, runs):
    """The number as text, and what to know of it; `runs`: those among which the divisor is."""
    about = [naming.data_name(one.runs[0]), naming.machine_name(one.runs)]
    upper = values(one, entry["column"])
    if "over" not in entry:
        found = list(upper.values())
        return amount(intervals.median(found), entry["unit"]), [counted(one, upper, intervals.median_interval(found))] + about
    below = matching(runs, entry["over"])
    if len(below) != 1:
        return "no ratio", [f"{len(below) or 'no'} configurations match {conditions(entry['over'])}"] + about
    lower = values(below[0], entry["column"])
    both = upper.keys() & lower.keys()
    if not both or min(lower[seed] for seed in both) <= 0:
        return "no ratio", ["no seed has both"] + about
    pairs = [{seed: measured[seed] for seed in both} for measured in (upper, lower)]
    ratio = intervals.ratio_of_medians(*(intervals.median(list(measured.values())) for measured in pairs))
    return amount(ratio, entry["unit"]), [counted(one, both, intervals.ratio_of_medians_interval(*pairs))] + about


def values(one, column):
    """{seed: value} of a configuration's runs."""
    if column.startswith(("seconds_to_", "updates_to_")) and any(looked(run, column) for run in one.runs):
        return one.censored(column)
    found = {configurations.seed(run): run.value(column) for run in one.runs if run.done}
    return {seed: value for seed, value in found.items() if math.isfinite(value)}


def looked(run, column):
    """Whether the run was told what to reach, so that nothing means never."""
    return math.isfinite(run.value("target") if column.endswith("_to_target") else run.optimum)


def counted(one, used, interval):
    """"[0.31, 0.35], 4 of 5 seeds" """
    low, high = interval
    seeds = len({configurations.seed(run) for run in one.runs})
    share = f"{seeds} seed{'s' * (seeds > 1)}" if len(used) == seeds else f"{len(used)} of {seeds} seeds"
    return f"[{number(low)}, {number(high)}], {share}" if len(used) > 1 and low == low else share


def amount(value, unit):
    if value != value:
        return "nothing measured"
    return naming.printable(f"{number(value)} {unit}") if math.isfinite(value) else "missed"


def number(value):
    return three_digits(value) if math.isfinite(value) else "missed"


def row(entry, text, about, first=True):
    """The first of several rows of one entry alone says what it is about."""
    if not first:
        return tag("tr", tag("td"), tag("td"), cell(text, about), tag("td"))
    over = f", over {conditions(entry['over'])}" if "over" in entry else ""
    shown = lambda key: naming.printable(entry[key])
    return tag("tr", cell(shown("what"), [shown("source"), conditions(entry["where"]) + over], name=None),
               cell(f"{entry['value']:,} {shown('unit')}", [shown("data"), shown("hardware")]), cell(text, about),
               tag("td", shown("note")))


def cell(text, about, name="b"):
    return tag("td", tag(name, text) if name else text, [tag("small", sentence) for sentence in about])
