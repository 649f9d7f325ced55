#!/usr/bin/env python3
"""Writes the report of a result folder: python3 results/report/report.py DIR

DIR/report.html is one file with every figure and table inside, for a browser without a network; DIR/figures/ has the figures as PNG, SVG
and PDF. Reads files only: DIR/summary.csv, each run's manifest.json and trace.csv and, where they are there, DIR/sweep.toml,
DIR/choices.csv, DIR/verdicts.csv and DIR/speedup.csv. A figure that the runs cannot carry is left out with its reason. Prints the report's
path. Exit status 0; 1 when there is nothing to report or a file is damaged; 2 for a wrong command line. 69 without matplotlib; 74 when the
page or a figure cannot be written: an earlier page is left as it was.
"""

import argparse
import multiprocessing
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # the folder of the packages

from plot.files import script

try:
    from plot import plot as program
    from plot.style.styling import SIZES, add_size
    from report import figures
except ImportError as missing:
    script.without("python3-matplotlib", missing, "figures need matplotlib and numpy", "results/report/report.py")
from plot.estimates import configurations, trials
from plot.figures import wins, wins_choices
from plot.files import documents, naming, schema, writing
from plot.files.axes import DONE, TROUBLES
from plot.files.drawable import drawable
from plot.files.errors import ResultsError
from plot.files.reading import read_results
from plot.files.tables import read_text
from report import environment, page, pairs, tuned
from report.cautions import cautions
from report.combined import combined
from report.every_run import every_run
from report.markup import lines, tag
from report.page import Section
from report.paper import paper
from report.verdicts import verdicts


def parse(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description="The report of Hogwild runs, from their files alone.",
                                     epilog="Example: python3 results/report/report.py hogwild-out/first --size column")
    parser.add_argument("folder", metavar="DIR", help="a folder that `hogwild run -o DIR` or a sweep wrote")
    add_size(parser, "of the figures; ")
    return parser.parse_args(arguments)


def group_sections(groups, size, folder, command):
    """A section for each set of comparable runs: its table, its figures, and why others are missing."""
    drawn_in = writing.made_within(folder, "figures")
    sets = list(groups.values())
    titles = program.titles_of(sets)
    tasks = [(runs, size, drawn_in, suffix, title, program.subtitle_of(runs), program.footnotes_of(runs, command))
             for runs, title, suffix in zip(sets, titles, program.suffixes(list(groups)))]
    found = []
    for number, (runs, title, drawn) in enumerate(zip(sets, titles, at_once(figures.draw_all, tasks)), start=1):
        content = lines(
            tag("p", program.subtitle_of(runs), class_="quiet"),
            combined(configurations.configurations(runs), target_of(runs)),
            *(page.picture(one, "figures") for one in drawn if one.paths), page.not_drawn(drawn))
        found.append(Section(title, content, f"group-{number}"))
    return found


def at_once(work, tasks):
    """What `work` returns for each task, in their order; on all cores."""
    cores = min(len(tasks), len(os.sched_getaffinity(0)))
    if cores < 2:
        return [work(*task) for task in tasks]
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        return pool.starmap(work, tasks, chunksize=1)


def set_sections(groups, title, size, folder, command):
    """A section on what was dialled from one set of comparable runs to the next, where that is more than their delay."""
    if len({tuple(objective) for *objective, _ in groups}) < 2:
        return []
    runs = [run for members in groups.values() for run in members]
    drawn = figures.draw_across_sets(list(groups.values()), size, writing.made_within(folder, "figures"), "", title, naming.machine_name(runs),
                                     program.footnotes_of(runs, command))
    content = lines(*(page.picture(one, "figures") for one in drawn if one.paths), page.not_drawn(drawn))
    return [Section("What was dialled", content, "dialled")]


def delay_sections(groups, size, folder, command):
    """A section for each set of runs that differ in their delay alone: what only all of them together show."""
    drawn_in = writing.made_within(folder, "figures")
    found = []
    across = naming.across_delays(groups)
    sets = list(across.values())
    for number, (runs, title, suffix) in enumerate(zip(sets, program.titles_of(sets), program.suffixes(list(across))), start=1):
        subtitle = program.subtitle_of(runs)
        drawn = figures.draw_across_delays(runs, size, drawn_in, suffix, title, subtitle, program.footnotes_of(runs, command))
        content = lines(tag("p", subtitle, class_="quiet"), *(page.picture(one, "figures") for one in drawn if one.paths),
                        page.not_drawn(drawn))
        found.append(Section(f"{title}: gradients that take longer", content, f"delays-{number}"))
    return found


def wins_sections(folder, runs, title, size, command):
    """A section on every data set and problem at once, where `hogwild report` found several numbers of workers on the way to a target."""
    path = folder / "speedup.csv"
    if not path.is_file():
        return []
    try:
        points = wins_choices.with_methods(wins.read(path), runs)
        drawn = figures.draw_wins(points, size, writing.made_within(folder, "figures"), title, naming.machine_name(runs),
                                  wins.left_out(path) + program.footnotes_of(runs, command))
        content = lines(*(page.picture(one, "figures") for one in drawn if one.paths), page.not_drawn(drawn),
                        tag("details", tag("summary", "All rows of speedup.csv"), environment.csv_file(path, schema.load())))
    except ResultsError as error:
        content = tag("p", naming.printable(str(error)))
    return [Section("Who wins: useful speed-up of every data set and problem", content, "wins")]


def target_of(runs):
    with_target = [run for run in runs if run.value("target") == run.value("target")]
    if not with_target:
        return "Medians over seeds; no target was set."
    values = {}
    for run in with_target:
        values.setdefault("training loss" if run.target_of == "train_loss" else run.target_of.replace("_", " "), set()).add(run.value("target"))
    text = ", ".join(f"{of} " + " to ".join(f"{value:.6g}" for value in sorted({min(found), max(found)})) for of, found in values.items())
    return f"Medians over seeds; speed-ups are ratios of expected times, as in the verdicts; in brackets 95 % intervals. Target: {text}."


def files_beside(folder):
    """Sections of files that a sweep leaves beside summary.csv."""
    known = schema.load()
    for name, title, content in (
            ("verdicts.csv", "Verdicts", lambda path: verdicts(path, known)),
            ("choices.csv", "Tuning: what was chosen", lambda path: environment.csv_file(path, known)),
            ("sweep.toml", "The sweep file", environment.text_file)):
        found = content(folder / name)
        if found:
            yield name, Section(title, found, name.partition(".")[0])


def sweep_file(folder):
    """The sweep's file as it was parsed; empty where there is none, or this Python (before 3.11) reads no TOML."""
    path = folder / "sweep.toml"
    try:
        return documents.of_toml(read_text(path, links=False)) if documents.tomllib and path.is_file() else {}
    except (ValueError, ResultsError):
        return {}


def asked(file):
    """What [report] of the sweep's file says: its title and note, where there are some."""
    said = file.get("report")
    return {key: naming.printable(text) for key, text in said.items() if isinstance(text, str)} if isinstance(said, dict) else {}


def facts_of(runs):
    count = lambda status: sum(run.status == status for run in runs)
    facts = [(len(runs), "runs" if len(runs) > 1 else "run"), (count(DONE), DONE)]
    facts += [(count(status), status) for status in TROUBLES if count(status)]
    for axis, name in (("seed", "seed"), ("data", "data set"), ("network", "network")):
        different = len({run.axes[axis] for run in runs} - {""})
        facts += [(different, name + "s" * (different > 1))] * (different > 0)
    return facts


def report(folder, size, command):
    """The page's text; writes the figures."""
    results = drawable(read_results([folder]))
    runs, whole = results.runs, naming.groups(results.runs)
    shown, of_trials = trials.finalists(runs)
    groups = naming.groups(shown)
    beside = dict(files_beside(folder))
    found = cautions(replace(results, runs=shown), [configurations.configurations(members) for members in groups.values()])
    found += tuned.cautions(folder, runs) + pairs.cautions(folder, runs)
    keys = {key: value for members in whole.values() for key, value in naming.keys(members).items()}
    file = sweep_file(folder)
    question, published = asked(file), paper(file.get("paper"), list(groups.values()))
    title = question.get("title", f"Hogwild report: {naming.printable(folder.resolve().name)}")
    sections = [Section("The question", tag("p", question["note"]), "question")] if "note" in question else []
    sections += [Section("Finalists", tag("p", of_trials), "finalists")] if of_trials else []
    sections += [Section("Cautions", page.bullets(found, "cautions") if found else tag("p", "None found."), "cautions")]
    sections += [Section("The publication's numbers beside ours", published, "paper")] if published else []
    sections += wins_sections(folder, runs, title, size, command)
    sections += set_sections(groups, title, size, folder, command) + delay_sections(groups, size, folder, command)
    sections += [beside[name] for name in ("verdicts.csv", "choices.csv") if name in beside]
    sections += group_sections(groups, size, folder, command)
    table = tag("details", tag("summary", f"All rows of summary.csv: {len(runs)}"), every_run(runs, keys))
    ours = tag("p", f"This report: {naming.printable(command)}", class_="quiet")
    sections += [Section("Every run", table, "runs"), Section("Environment", environment.environment(runs), "environment"),
                 Section("Commands", lines(environment.commands(runs), ours), "commands")]
    sections += [beside[name] for name in ("sweep.toml",) if name in beside]
    sections.append(Section("Limits", page.bullets(page.LIMITS, "limits"), "limits"))
    return page.page(title, when(runs), facts_of(runs), sections)


def when(runs):
    started = sorted(str(run.manifest["started"]) for run in runs if run.manifest.get("started"))
    machine = naming.machine_name(runs)
    if not started:
        return machine
    times = started[0] if started[0] == started[-1] else f"{started[0]} to {started[-1]}"
    return naming.printable(f"{machine}  ·  runs started {times}")


def main(arguments):
    options = parse(arguments)
    folder = Path(options.folder)
    command = ["hogwild", "report", options.folder] + ([] if options.size == "page" else ["--size", options.size])
    text = report(folder, SIZES[options.size], shlex.join(command))
    with writing.whole(folder / "report.html") as partial:
        partial.write_text(text, encoding="utf-8")
    print(naming.printable_path(folder / "report.html"))


if __name__ == "__main__":
    script.run(main, "hogwild: ")
