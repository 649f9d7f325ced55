"""What others took of the processors while runs trained: other programs, and the host of a virtual machine. Sentences for the cautions.

other_cpu_seconds and stolen_cpu_seconds of summary.csv are differences of clocks that tick in 10 ms, so they are summed over all runs.
A run is judged by itself where it took long enough.
"""

import math

from cells import three_digits

AVERAGE = 0.05  # share of the cores' time, over all runs
OF_A_RUN = 0.10  # share of the cores' time, over one run
LONG = 1.0  # s: a run that is judged on its own
LOADED = 0.5  # of the cores, before the first run: from there on `hogwild run` says so, too

OTHER, STOLEN = "other_cpu_seconds", "stolen_cpu_seconds"
WHO = {OTHER: "Other programs", STOLEN: "The host of the virtual machine"}


def measured(run, column):
    """Whether a run says how much was taken, in `column`, and of how many cores."""
    return run.value("seconds") > 0 and math.isfinite(run.value(column)) and math.isfinite(cores(run))


def cores(run):
    machine = run.manifest.get("machine")
    found = machine.get("cores") if isinstance(machine, dict) else None
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) and found > 0 else math.nan


def taken(runs, column):
    """(cores that were taken on average, cores that there were), by the time of each run; NaN where no run says so."""
    known = [run for run in runs if measured(run, column)]
    time = sum(run.value("seconds") for run in known)
    if not known:
        return math.nan, math.nan
    return sum(run.value(column) for run in known) / time, sum(cores(run) * run.value("seconds") for run in known) / time


def cautions(runs, named):
    """`named`: what makes "3 of 12 runs (a, b, c)" of the runs that were hit."""
    found = []
    for column, who in WHO.items():
        lost, there = taken(runs, column)
        if lost > AVERAGE * there:
            found.append(f"{who} took {of_cores(lost, there)} on average while the runs trained ({three_digits(100 * lost / there)} %): "
                         "times are too long, and not all by the same share.")
        hit = [run for run in runs if measured(run, column) and run.value("seconds") >= LONG
               and run.value(column) > OF_A_RUN * cores(run) * run.value("seconds")]
        if hit:
            found.append(f"{who} took more than {100 * OF_A_RUN:.0f} % of the cores' time during {named(hit)}.")
    return found + loaded(runs)


def loaded(runs):
    """The load before the first run's program, where little came of it; later loads count the runs before them."""
    first = min(runs, key=lambda run: str(run.manifest.get("started", "unknown")))
    if not measured(first, OTHER):
        return []
    load, (lost, there) = first.manifest["machine"].get("load_average"), taken(runs, OTHER)
    if not isinstance(load, (int, float)) or load < LOADED * cores(first) or lost > AVERAGE * there:
        return []
    return [f"The load of the last minute was {three_digits(load)} on {three_digits(cores(first))} cores when the first run's program "
            f"started; other programs took {of_cores(lost, there)} on average while the runs trained."]


def of_cores(lost, there):
    """"0.52 of 16 cores" """
    return f"{three_digits(lost) if lost >= 0.0005 else 'none'} of {three_digits(there)} cores"


def virtual_machine(runs):
    """What was seen of a virtual machine's neighbours."""
    lost, there = taken(runs, STOLEN)
    if math.isnan(lost):
        return "A virtual machine: neighbours on its host are not visible from inside."
    known = sum(measured(run, STOLEN) for run in runs)
    where = "" if known == len(runs) else f" during the {known} of {len(runs)} runs that measured it"
    return (f"A virtual machine: its host ran something else on {of_cores(lost, there)} on average{where}; what its neighbours did to "
            "caches and memory is not visible from inside.")
