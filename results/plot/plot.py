#!/usr/bin/env python3
"""Draws the figures of one or more result folders: python3 results/plot/plot.py DIR...

For each problem and data set it draws convergence (loss against time and against epochs). Where samples are no sparse rows, or the
target is of a score, it draws that score against the same. Where several thread counts ran it draws efficiency (updates per second,
updates to target and time to target against threads). Figures are PNG and SVG. Reads files only; the same files and command give the
same bytes. Prints the paths written. Exit status 0; 1 when there is nothing to draw or a file is damaged; 2 for a wrong command
line. 69 without matplotlib; 74 when a figure cannot be written.
"""

import argparse
import shlex
import sys
from pathlib import Path

if __name__ == "plot":  # another file of this folder was started, and looks for the package where it lies itself
    print(f"{Path(sys.argv[0]).name} is no program (it is a part of those that are); try: python3 results/plot/plot.py DIR, or of "
          "saved networks results/plot/sees.py", file=sys.stderr)
    sys.exit(2)
sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the package, not the one inside it

from plot.files import script

try:
    from plot.estimates import curves, trials
    from plot.figures import convergence, efficiency, scores
    from plot.files import naming, writing
    from plot.style import scales
    from plot.style.canvas import save
    from plot.style.styling import SIZES, add_size
except ImportError as missing:
    script.without("python3-matplotlib", missing, "figures need matplotlib and numpy", "results/plot/plot.py")
from plot.files.axes import NO_SPARSE_ROWS, OBJECTIVE, PARAMETERS, USUAL
from plot.files.columns import SCORES
from plot.files.drawable import drawable
from plot.files.errors import NotDrawn, ResultsError
from plot.files.reading import read_results


def parse(arguments):
    parser = argparse.ArgumentParser(prog="plot.py", description="Figures of Hogwild runs, from their files alone.",
                                     epilog="Example: python3 results/plot/plot.py hogwild-out/first --size column")
    parser.add_argument("folders", nargs="+", metavar="DIR", help="a folder that `hogwild run -o DIR` wrote")
    parser.add_argument("--out", metavar="DIR", help="where the figures go (default: the first DIR)")
    add_size(parser)
    return parser.parse_args(arguments)


def title_of(runs):
    first = runs[0].axes
    title = f"{naming.problem(first['problem'])} on {naming.data_name(runs[0])}"
    delay = naming.delay(runs[0])
    if delay != 0 and len({run.axes["delay"] for run in runs}) == 1:
        title += f", each gradient {scales.duration(delay)} later"
    return naming.printable(title)


def titles_of(sets):
    """A title for each set of comparable runs; of those with one title each says in what it differs from the others."""
    titles, found = [title_of(runs) for runs in sets], []
    for title, runs in zip(titles, sets):
        alike = [other[0].axes for other, named in zip(sets, titles) if named == title]
        words, *_ = naming.terms([runs[0].axes, *alike], but=("delay",))
        found.append(", ".join(filter(None, (title, words))))
    return found


def subtitle_of(runs):
    facts = [naming.machine_name(runs)]
    facts += [naming.term(axis, runs[0].axes[axis]) for axis in ("l2", "l1") if runs[0].axes[axis] not in ("", "0", "0.0")]
    facts += [naming.term(axis, runs[0].axes[axis]) for axis in PARAMETERS if runs[0].axes[axis] not in ("", USUAL.get(axis))]
    seeds = len({run.axes["seed"] for run in runs})
    facts.append(f"{len(runs)} run{'s' if len(runs) > 1 else ''}" + (f", {seeds} seeds" if seeds > 1 else ""))
    return "  ·  ".join(facts)


def footnotes_of(runs, command):
    return naming.origin(naming.commands(runs), command)


def draw_group(runs, title, size, folder, suffix, command):
    """Writes the figures of runs whose losses are comparable; returns (paths, warnings)."""
    subtitle, footnotes = subtitle_of(runs), footnotes_of(runs, command)
    written, warnings = [], []
    content = curves.gather(runs)
    def add(draw, name, said):
        try:
            figure = draw()
        except NotDrawn as reason:
            warnings.append(f"{title}: no figure of {said} ({reason})")
        else:
            if figure is not None:
                written.extend(save(figure, size, folder / f"{name}{suffix}", f"{title}: {name}"))

    if content.curves:
        missing = [f"{naming.printable(run.name)} ({naming.printable(run.status)})" for run in content.without_curve]
        notes = [f"no curve, because no finite loss: {', '.join(missing)}"] if missing else []
        add(lambda: convergence.draw(content, size, title, subtitle, notes + footnotes), "convergence", "convergence")
    else:
        warnings.append(f"{title}: no convergence figure (no run has a trace with a finite training loss); "
                        "look at the status and reason columns of summary.csv")
    if judged_by_scores(runs):
        add(lambda: scores.draw(runs, size, title, subtitle, footnotes), "score", "scores")
    if efficiency.worth_drawing(runs):
        add(lambda: efficiency.draw(runs, size, title, subtitle, footnotes), "efficiency", "efficiency")
    return written, warnings


def judged_by_scores(runs):
    """Whether readers ask for a score before the loss: where the target is of one, or samples are no sparse rows."""
    return any(run.target_of in SCORES or run.axes["problem"] in NO_SPARSE_ROWS for run in runs)


def suffixes(keys):
    """A file name suffix for each group: none when there is only one, unique otherwise."""
    if len(keys) == 1:
        return [""]
    taken, names = set(), []
    for key in keys:
        problem, data, *numbers = key
        name = naming.slug(f"{problem} {naming.without_folder(data)}")
        for word, value in zip(OBJECTIVE[2:], numbers):
            name += f"-{word}-{naming.slug(naming.short(value, 6))}" if value not in ("", "0") else ""
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}-{count}"
        taken.add(unique)
        names.append("-" + unique)
    return names


def main(arguments):
    options = parse(arguments)
    results = drawable(read_results(options.folders))
    script.warn(results.warnings)
    folder = writing.made(Path(options.out or options.folders[0]))
    command = "python3 results/plot/plot.py " + shlex.join(arguments)
    shown, of_trials = trials.finalists(results.runs)
    if of_trials:
        print(of_trials, file=sys.stderr)
    by_key = naming.groups(shown)
    sets, written = list(by_key.values()), []
    for runs, title, suffix in zip(sets, titles_of(sets), suffixes(list(by_key))):
        paths, warnings = draw_group(runs, title, SIZES[options.size], folder, suffix, command)
        written += paths
        script.warn(warnings)
    if not written:
        raise ResultsError("no figure drawn", "no run has a finite loss, and no scheme ran at two thread counts",
                           "look at the status and reason columns of summary.csv")
    for path in written:
        print(naming.printable_path(path))


if __name__ == "__main__":
    script.run(main)
