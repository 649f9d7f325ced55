"""The table of configurations: medians over seeds and their intervals, straight from summary.csv."""

import math

from cells import duration, three_digits
from plot.estimates import configurations, costs, intervals, momentum
from plot.estimates.ceilings import Ceilings
from plot.files import naming
from plot.files.axes import SIDES
from plot.files.columns import SCORES
from plot.files.errors import NotDrawn
from plot.style.scales import counted
from report.markup import lines, tag
from report.tables import Cell, amount, exact, factor, table

MOST = 24  # rows; of more the best variant of each method and number of workers comes first, and all of them on demand
HEADS = (
    ("method", "scheme, update policy and guard"),
    ("variant", "the other axes, where they were varied"),
    ("device", "whose workers stepped"),
    ("workers", "CPU threads; streams × blocks on a GPU alone"),
    ("runs", "runs that are done, of all; diverged, failed and interrupted ones stay in every statistic"),
    ("time to target", "median over seeds [bootstrap 95 % interval]; a seed that missed it took forever"),
    ("speed-up", "best serial's expected time to target over this one's [95 % interval], as in the verdicts"),
    ("updates/s", "hardware efficiency: samples per second, median over seeds [bootstrap 95 % interval]"),
    ("share of ceiling", "nonzeros per second of CPU threads, median over seeds, over the lower of the machine's measured ceilings, which stands "
     "below: read bandwidth, random increments of the update policy"),
    ("updates to target", "statistical efficiency: samples until the target, median"),
    ("reached", "runs that reached the target, of all"),
    ("expected time", "seconds of all runs, to the target or to their end, over the number of runs that reached it"),
    ("to 1e-1", "median time to F* + 1e-1 (F(w0) - F*)"),
    ("to 1e-2", "median time to F* + 1e-2 (F(w0) - F*)"),
    ("to 1e-3", "median time to F* + 1e-3 (F(w0) - F*)"),
    ("training loss", "at the last observation, median"),
    ("test score", "at the last observation, median: share predicted wrongly, or root mean squared error"),
    ("staleness", "of CPU threads: median / 99 % quantile over steps, medians over seeds"),
    ("GPU staleness", "of a GPU's steps: likewise"),
    ("momentum", "that the staleness of CPU threads' steps amounts to, all seeds together: mean / (1 + mean); exponential steps of M workers "
     "have 1 - 1/M. Off by: the share of the steps that would have to be as stale as others for it to be a momentum"),
    ("GPU momentum", "that the staleness of a GPU's steps amounts to: likewise. Beside threads it is of the GPU's own steps alone, as theirs is of threads'"),
    ("lost", "increments lost, of those issued (exact telemetry), median"),
    ("in barriers", "share of the time that workers waited in barriers, median"),
)


def combined(found, caption):
    """`found`: configurations of runs whose losses are comparable."""
    serial = configurations.best_serial(found)
    devices = len({one.key.device for one in found}) > 1
    share = share_of_ceiling(found)
    rows_of = lambda some: [row(one, serial, devices, share) for one in some]
    heads = [(naming.counted_as([run for one in found for run in one.runs], name), note) for name, note in HEADS]
    best = configurations.best_variants(found)
    if len(found) <= MOST or len(best) == len(found):
        return table(heads, rows_of(found), caption)
    return lines(table(heads, rows_of(best), f"{caption} Of each method and number of workers the best variant."),
                 tag("details", tag("summary", f"All {len(found)} configurations"), table(heads, rows_of(found))))


def share_of_ceiling(found):
    """What gives each configuration its share and the name of the lower ceiling; NaN of all where no ceilings were measured."""
    try:
        ceilings = Ceilings([run for one in found for run in one.runs])
    except NotDrawn:
        return lambda one: (math.nan, "")
    return lambda one: (ceilings.share(one), ceilings.lower(one))


def row(one, serial, devices, share=lambda one: (math.nan, "")):
    done = sum(run.done for run in one.runs)
    with_target = configurations.has_target([one])
    times = one.times()
    return [
        Cell(one.key.method), Cell(one.key.variant), Cell(naming.DEVICES[one.key.device] if devices else ""), workers(one),
        Cell(f"{done}/{len(one.runs)}", exact_share(done, len(one.runs)), troubles(one), True),
        amount(one.time if with_target else math.nan, duration, span(intervals.median_interval(times), duration, one)),
        speed_up(one, serial, with_target),
        amount(one.rate, counted, span(intervals.median_interval(one.positive("updates_per_second")), counted, one)),
        amount(share(one)[0], percent, share(one)[1]),
        amount(intervals.median(one.times("updates_to_target")) if with_target else math.nan, counted),
        Cell(f"{one.reached}/{len(one.runs)}", exact_share(one.reached, len(one.runs)), number=True) if with_target else empty(),
        amount(expected(one) if with_target else math.nan, duration),
        *(amount(time_to(one, f"seconds_to_{gap}"), duration) for gap in ("1e-1", "1e-2", "1e-3")),
        amount(intervals.median(finite(one, "train_loss")), lambda value: f"{value:.5g}"),
        score(lambda column: intervals.median(finite(one, column))),
        pair(one, "staleness"), pair(one, "gpu_staleness"),
        *(implicit_momentum(one, device) for device in SIDES),
        amount(lost(one), percent),
        amount(intervals.median(finite(one, "wait_share")), percent),
    ]


def empty():
    return Cell("–", "", number=True)


def exact_share(part, whole):
    return repr(part / whole)


def workers(one):
    key = one.key
    if key.on_gpu_alone:
        product, _ = naming.in_flight(key.grid)
        return Cell(key.grid or "GPU", repr(float(product)), number=True)
    return Cell(str(max(1, key.threads)), repr(max(1, key.threads)), number=True)


def troubles(one):
    """"1 diverged, 2 failed" """
    counts = {}
    for run in one.runs:
        if not run.done:
            counts[run.status] = counts.get(run.status, 0) + 1
    return naming.printable(", ".join(f"{count} {status}" for status, count in counts.items()))


def finite(one, column):
    return [value for value in (run.value(column) for run in one.runs) if math.isfinite(value)]


def span(interval, form, one):
    """"[1.2 ms, 3 ms]", for more than one run."""
    low, high = interval
    if len(one.runs) < 2 or math.isnan(low) or math.isinf(low):
        return ""
    return f"[{form(low)}, {form(high) if math.isfinite(high) else 'missed'}]"


def percent(share):
    return f"{three_digits(100 * share)} %"


def score(value):
    """The cell of what a run's test samples are scored by. `value(column)`: the number there, or NaN."""
    found = next(((column, number) for column in SCORES if math.isfinite(number := value(column))), ("", math.nan))
    return amount(found[1], percent if found[0] == "test_error" else lambda number: f"{number:.4g}")


def expected(one):
    """Expected running time: what all runs took, over the successes; infinite without any."""
    return costs.expected(one.runs, costs.to_reach("seconds_to_target"))


def speed_up(one, serial, with_target):
    if serial is None or not with_target:
        return empty()
    if one is serial:
        return amount(1.0 if one.reached else math.nan, three_digits)
    value, low, high = costs.useful_speed_up(serial, one)
    if value != value:
        return empty()
    note = f"[{factor(low)}, {factor(high)}]" if low == low else ""
    return Cell(factor(value) if value else "missed", exact(value), note, True)


def time_to(one, column):
    """Infinite where it was missed; NaN where nobody looked, since F* is not known."""
    known = any(math.isfinite(run.optimum) or math.isfinite(run.value(column)) for run in one.runs)
    return intervals.median(one.times(column)) if known else math.nan


def pair(one, prefix):
    values = [intervals.median(finite(one, f"{prefix}_{name}")) for name in ("p50", "p99")]
    if math.isnan(values[0]):
        return empty()
    return Cell(" / ".join(three_digits(value) if value == value else "–" for value in values), repr(values[0]), number=True)


def implicit_momentum(one, device):
    found = momentum.of_runs(one.runs, device)
    if found is None:
        return empty()
    mu, off = found
    return amount(mu, lambda value: f"{value:.3f}", f"off by {percent(off)}")


def lost(one):
    shares = [run.value("increments_lost") / run.value("increments_issued") for run in one.runs
              if run.value("increments_issued") > 0 and math.isfinite(run.value("increments_lost"))]
    return intervals.median(shares)
