"""What a sceptical reader should know before the numbers: each caution is one sentence, from the files alone."""

import math

from cells import three_digits
from plot.estimates import configurations, trials
from plot.files import naming
from plot.files.axes import is_so
from report import foreign_load, provenance
from report.every_run import waited
from report.provenance import build, machine

SHORT = 0.010  # s: below, clock, wake-up and one lost core are a share of the run
FEW_SEEDS = 5  # PROTOCOL: at least so many, ten for a claim
WAITED = 0.01  # share of the workers' time
IDLE = 0.5  # of the mean over threads
BUSY = 0.25  # load per core, of the minute before the program started
NAMED = 4  # runs that a sentence names


def cautions(results, groups):
    """Sentences; `groups`: lists of configurations, one for each set of comparable runs."""
    runs, found = results.runs, [naming.printable(warning) for warning in results.warnings]
    found += ended_badly(runs)
    for check, sentence in (
            (oversubscribed, "{} had more workers than the machine has cores: they take turns, and a worker that lost its core between "
                             "a load and a store puts an old value back"),
            (lambda run: waited(run) > WAITED, "{} waited for cores for more than 1 % of the workers' time: something else ran beside"),
            (lambda run: run.value("least_share") < IDLE, "In {} one CPU thread stepped through less than half of its share, as where its core is taken: they are "
                                                          "runs of fewer threads than they say"),
            (busy, "{} started on a machine with a load above a quarter of its cores (last minute; runs of the same command count, and these did "
                   "not measure what others took)"),
            (lambda run: run.done and 0 < run.value("seconds") < SHORT,
             "{} took less than 10 ms: too short to time well; more epochs or more data help"),
            (lambda run: run.value("updates_to_target") == 0,
             "{} met the target with the first weights: no time to it tells anything; take one further away"),
            (lambda run: bool(run.manifest.get("later_parts")),
             "{} went on from a checkpoint: the clock of several parts is added up, each with cold caches at its start"),
            (moved, "{} went on from a checkpoint on another machine or with another build: their clock is of both"),
            (lambda run: is_so("telemetries", run.axes["telemetry"], "counts_all"), "{} measured with --telemetry exact, which is not for timing"),
            (lambda run: run.not_atomic, "In {} increments of CPU and GPU could overwrite each other: the link has no atomics"),
            (untuned_governor, "{} ran under a frequency governor other than `performance`"),
            (lambda run: build(run, "type") not in ("", "Release"), "{} ran a build that is no Release build"),
            (lambda run: build(run, "commit").endswith(("dirty", "+")), "{} ran a build with changes that no commit has")):
        hit = [run for run in runs if check(run)]
        if hit:
            found.append(sentence.format(named(hit, len(runs))) + ".")
    found += foreign_load.cautions(runs, lambda hit: named(hit, len(runs)))
    firsts = [group[0].runs[0] for group in groups]
    objectives = naming.terms([first.axes for first in firsts], but=("problem", "data", "delay"))
    for group, first, objective in zip(groups, firsts, objectives):
        on_data = f"{naming.printable(first.axes['problem'])} on {naming.data_name(first)}"
        found += of_group(group, ", ".join(filter(None, (on_data, objective))) + ": " if len(groups) > 1 else "")
    return list(dict.fromkeys(found + side_by_side(runs)))  # groups of several delays say the same


def named(hit, total):
    """"3 of 12 runs (a, b, c)" """
    names = ", ".join(naming.printable(run.name) for run in hit[:NAMED])
    more = ", ..." if len(hit) > NAMED else ""
    return f"{len(hit)} of {total} runs ({names}{more})"


def ended_badly(runs):
    found = []
    for status in dict.fromkeys(run.status for run in runs if not run.done):
        hit = [run for run in runs if run.status == status]
        reasons = list(dict.fromkeys(naming.printable(run.row.get("reason", "")) for run in hit))
        why = "; ".join(reason for reason in reasons[:2] if reason)
        found.append(f"{named(hit, len(runs))} {naming.printable(status) or 'of unknown end'}"
                     + (f": {why}" if why else "") + ". They stay in every statistic.")
    return found


def real(value):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan


def oversubscribed(run):
    return run.threads > foreign_load.cores(run)


def busy(run):
    """Whether the machine was busy, for a run that did not measure what others took: load counts its own sweep too."""
    return not foreign_load.measured(run, foreign_load.OTHER) and real(machine(run).get("load_average")) > BUSY * foreign_load.cores(run)


def moved(run):
    """Whether parts of the run were measured by different machines or builds."""
    now = {"cpu": machine(run).get("cpu"), "cores": machine(run).get("cores"), "commit": build(run, "commit")}
    parts = run.manifest.get("later_parts")
    before = [part.get("before") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return any(facts != now for facts in before if facts)


def untuned_governor(run):
    return machine(run).get("governor") not in (None, "", "performance")


def of_group(group, where):
    """For runs whose losses are comparable; `where`: what each sentence begins with."""
    found = []
    if configurations.best_serial(group) is None:
        found.append(f"{where}no run of serial code, so speed-ups have no yardstick.")
    few = min(len({run.axes["seed"] for run in one.runs}) for one in group)
    if few < FEW_SEEDS:
        found.append(f"{where}{few} seed{'s' if few > 1 else ''} of some configurations: intervals of fewer than five seeds are hardly "
                     "more than their range, and a claim wants ten.")
    edges = at_edges(group)
    if edges and not any(trials.is_trial(run) for one in group for run in one.runs):  # a tuner's finals are not all that was tried
        shown = "; ".join(edges[:NAMED]) + (f" and {len(edges) - NAMED} more" if len(edges) > NAMED else "")
        found.append(f"{where}the best of several step sizes lies at the edge of what was tried: {shown}. A wider grid may be better.")
    return [sentence[:1].upper() + sentence[1:] for sentence in found]


def at_edges(group):
    """Methods whose best step size is the smallest or the largest of two or more: "minibatch, 2 threads (0.5)"."""
    grids = {}
    for one in group:
        steps = {run.axes["step_size"] for run in one.runs if run.axes["step_size"]}
        if len(steps) == 1:
            grids.setdefault((one.key.family, one.key.threads, one.key.grid), []).append((float(steps.pop()), one))
    found = []
    for tried in grids.values():
        steps = sorted({step for step, _ in tried})
        best, one = min(tried, key=lambda pair: configurations.goodness(pair[1]))
        if len(steps) > 1 and best in (steps[0], steps[-1]):
            workers = f", {one.key.workers}" if one.key.workers else ""
            found.append(f"{one.key.method}{workers} ({three_digits(best)})")
    return found


def side_by_side(runs):
    """What differs between runs, and what a virtual machine hides."""
    found = provenance.differing(runs)
    virtual = [run for run in runs if machine(run).get("virtual_machine") is True]
    if virtual:
        found.append(foreign_load.virtual_machine(virtual))
    return found
