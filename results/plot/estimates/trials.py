"""Trials of `hogwild tune`: runs of many candidates, short ones first, whose better half goes on to longer ones, and finals of a few.

Only runs of one length and seed say which candidate is better. So a folder of trials is shown by its finals, on the seeds that all who
met there ran. Where there were none, those stand for them that went furthest, which had most trials, each by its longest runs.
"""

from plot.estimates import configurations
from plot.files import axes

MOST = 5  # of those that went furthest, as `hogwild tune` shows, and the best serial code


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
    in_finals = met(candidates.values())
    chosen = in_finals or furthest(candidates.values())
    words = said_of_finals(chosen) if in_finals else said_of_furthest(chosen)
    others = len(candidates) - len(chosen)
    told = (f"These are {sum(map(len, candidates.values()))} trials of hogwild tune. Shown {words}; {others or 'no'} other "
            f"candidate{' was' if others == 1 else 's were'} tried.")
    shown = {id(run) for one in chosen for run in one}
    return [run for run in runs if id(run) in shown or not is_trial(run)], told


def met(candidates):
    """The finals' runs of each who took part, on the seeds that all of these ran; empty where there were no finals."""
    runs = [[run for run in one if run.manifest.get("finals") is True] for one in candidates]
    runs = [one for one in runs if one]
    common = set.intersection(*({run.axes["seed"] for run in one} for one in runs)) if runs else set()
    return [[run for run in one if run.axes["seed"] in common] for one in runs] if common else []


def furthest(candidates):
    """The longest runs of each."""
    best = sorted(candidates, key=rank)
    serial = [one for one in best[MOST:] if is_serial(one)][: not any(map(is_serial, best[:MOST]))]
    return [longest(one) for one in best[:MOST] + serial]


def rank(trials):
    """Sorts whoever went further first, then the better."""
    return -len(trials), configurations.goodness(configurations.Configuration(None, longest(trials)))


def is_serial(trials):
    return axes.is_serial(trials[0].axes["scheme"])


def longest(trials):
    most = max(map(epochs, trials))
    return [run for run in trials if epochs(run) == most]


def epochs(run):
    text = run.axes["epochs"]
    return int(text) if text.isdecimal() else 0


def said_of_finals(chosen):
    return f"are the finals, {len(chosen)} candidates on {len(chosen[0])} seed{'s' * (len(chosen[0]) > 1)} that no other trial had"


def said_of_furthest(chosen):
    lengths = sorted({epochs(one[0]) for one in chosen})
    words = " to ".join(map(str, sorted({lengths[0], lengths[-1]}))) + (" epoch" if lengths == [1] else " epochs")
    who = "is the candidate" if len(chosen) == 1 else f"are the {len(chosen)} candidates"
    return (f"{who} that went furthest, by the longest runs of each ({words}), since there were no finals: runs of different lengths had "
            "seeds of their own, and only those of one length are paired")
