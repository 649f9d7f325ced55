"""How often runs diverged, by step size and number of workers, a map for each method.

In a sweep that was tuned its trials count too, of the same data and problem: final runs have the step sizes that were chosen. A cell is the
share of its runs that diverged, out of those that ended by themselves (done or diverged). It is over seeds and variants that differ in
something else. Only methods that ran with two step sizes or more have a map.
"""

import math

from plot.files import naming
from plot.files.axes import on_gpu_alone, on_threads_alone
from plot.files.errors import NotDrawn, ResultsError
from plot.files.reading import read_rows
from plot.style import heat, scales, styling
from plot.style.canvas import POINT, Sheet

COLUMNS = 2  # maps side by side
MOST = 12  # maps


def maps(runs):
    """{(method, device): {(step size, workers): (diverged, ended)}} of the methods that ran with several step sizes."""
    found = {}
    for run in runs:
        if (run.done or run.diverged) and run.axes["step_size"]:
            cells = found.setdefault((naming.base_method(run), naming.device(run)), {})
            place = float(run.axes["step_size"]), workers(run)
            diverged, ended = cells.get(place, (0, 0))
            cells[place] = diverged + run.diverged, ended + 1
    return {method: cells for method, cells in found.items() if len({step for step, _ in cells}) > 1}


def with_trials(runs):
    """(the runs, and before them the trials of comparable runs that lie in tuning/ beside them; how many these are)."""
    known, trials = set(naming.groups(runs)), []
    for folder in sorted({run.folder.parent / "tuning" for run in runs}):
        for summary in sorted(folder.glob("summary*.csv*")):
            try:
                found = read_rows(summary, [])
            except ResultsError:
                continue  # the figure does without
            trials += [run for group, members in naming.groups(found).items() if group in known for run in members]
    return trials + runs, len(trials)


def workers(run):
    """(sorts, text) of a run's workers."""
    if on_gpu_alone(naming.device(run)):
        return naming.in_flight(naming.grid(run))[0], naming.grid(run) or "GPU"
    return run.threads, str(run.threads)


def draw(runs, size, title, subtitle, footnotes):
    runs, trials = with_trials(runs)
    found = maps(runs)
    if not found:
        raise NotDrawn("every method ran with one step size")
    if not any(diverged for cells in found.values() for diverged, _ in cells.values()):
        raise NotDrawn(f"none of {sum(ended for cells in found.values() for _, ended in cells.values())} runs diverged, at any of "
                       f"{len({step for cells in found.values() for step, _ in cells})} step sizes")
    methods = sorted(found, key=lambda method: styling.order(naming.Key(method[0], "", 0, method[1])))
    shown = sorted(methods, key=lambda method: not any(diverged for diverged, _ in found[method].values()))[:MOST]
    shown.sort(key=methods.index)
    styling.use(size)
    note = "A cell: runs that diverged of those that ended by themselves, over seeds."
    if trials:
        note += f" {trials} trials of the tuning are counted with the final runs, whose step sizes it chose."
    if len(shown) < len(methods):
        note += f" {len(methods) - len(shown)} more methods, with fewer divergences, are not shown."
    sheet = Sheet(size, title, subtitle, [note] + footnotes, [])
    em = size.type * POINT
    columns = 1 if not size.legend_right else min(COLUMNS, len(shown))
    rows = math.ceil(len(shown) / columns)
    tallest = max(len({count for _, count in found[method]}) for method in shown)
    places = sheet.lay_out(columns, left=5.4 * em, bottom=3.8 * em, rows=rows, top=1.9 * em, gap=5.4 * em,
                           flat=max(2, tallest) * size.type * 2.3 * POINT / size.panel_height)
    for place, method in zip(places, shown):
        draw_method(sheet.figure.add_axes(place), method, found[method], size, sheet.panel_width)
    return sheet.figure


def draw_method(axes, method, cells, size, width):
    steps, counts = sorted({step for step, _ in cells}), sorted({count for _, count in cells})
    at = lambda step, count: cells.get((step, count), (0, 0))
    shares = [[diverged / ended if ended else math.nan for step in steps for diverged, ended in [at(step, count)]] for count in counts]
    texts = [[f"{diverged}/{ended}" if ended else "–" for step in steps for diverged, ended in [at(step, count)]] for count in counts]
    names = [scales.plain(float(f"{step:.2g}")) for step in steps]
    shown = scales.apart(names, [place * width / POINT / len(steps) for place in range(len(steps))], size.type)
    names = [name if place in shown else "" for place, name in enumerate(names)]
    heat.draw_map(axes, shares, texts, names, [text for _, text in counts], size)
    name, device = method
    axes.set_title(name if on_threads_alone(device) else f"{name} ({naming.DEVICES[device]})", loc="left", color=styling.INK, pad=size.type * 0.5)
    axes.set_xlabel("step size")
    axes.set_ylabel("streams × blocks" if on_gpu_alone(device) else "threads")
