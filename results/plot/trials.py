"""Trials of `hogwild tune`: runs of many candidates, short ones first, whose better half goes on to longer ones.

Only runs of one length say which candidate is better, so a folder of trials is shown by its finalists, each by its longest runs. A
candidate that went further had more trials.
"""

from plot import configurations

MOST = 5  # as `hogwild tune` shows, and the best serial code


def is_trial(run):
    command = run.manifest.get("command")
    return isinstance(command, list) and command[1:2] == ["tune"]


def finalists(runs):
    """(what of `runs` is shown, what a reader is told of the others): all of them, and nothing, where none is a trial."""
    candidates = {}
    for run in filter(is_trial, runs):
        candidates.setdefault(tuple(text for axis, text in run.axes.items() if axis not in ("epochs", "seed")), []).append(run)
    if not candidates:
        return runs, ""
    best = sorted(candidates.values(), key=rank)
    chosen = best[:MOST] + [one for one in best[MOST:] if is_serial(one)][: not any(map(is_serial, best[:MOST]))]
    shown = {id(run) for one in chosen for run in longest(one)}
    return [run for run in runs if id(run) in shown or not is_trial(run)], said(chosen, candidates.values())


def rank(trials):
    """Sorts whoever went further first, then the better."""
    return -len(trials), configurations.goodness(configurations.Configuration(None, longest(trials)))


def is_serial(trials):
    return trials[0].axes["scheme"] == "serial"


def longest(trials):
    most = max(map(epochs, trials))
    return [run for run in trials if epochs(run) == most]


def epochs(run):
    text = run.axes["epochs"]
    return int(text) if text.isdecimal() else 0


def said(chosen, candidates):
    lengths = sorted({epochs(longest(one)[0]) for one in chosen})
    words = " to ".join(map(str, sorted({lengths[0], lengths[-1]}))) + (" epoch" if lengths == [1] else " epochs")
    shown, others = len(chosen), len(candidates) - len(chosen)
    return (f"These are {sum(map(len, candidates))} trials of hogwild tune. Shown {'is the candidate' if shown == 1 else f'are the {shown} candidates'} that "
            f"went furthest, by the longest runs of each ({words}); {others or 'no'} other candidate{' was' if others == 1 else 's were'} tried. "
            "Runs of different lengths had seeds of their own, so only those of one length are paired.")
