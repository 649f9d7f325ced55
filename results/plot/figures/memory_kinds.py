"""Updates per second and time to target by kind of memory: CPU threads, the GPU, both.

Colour is the device, the marker the update policy. A point is the median over seeds, its whisker their range. Beside the mark of
both, two short bars are what CPU threads and the GPU contribute. The black line is serial code. A combination that missed the
target stands, hollow, in a strip of its own above all times. One that cannot run, or gave no result, has no mark, and is named
below. Minibatch stands where its buffer lies: the host for CPU threads, the device for the GPU.
"""

import math
import statistics
from dataclasses import dataclass

from matplotlib import ticker
from matplotlib.lines import Line2D

from plot.figures import captions
from plot.files import naming
from plot.files.axes import DEVICES, MEMORIES, SIDES, is_diverged, is_done, is_serial
from plot.files.combinations import LEFT_OUT
from plot.style import scales, styling
from plot.style.canvas import POINT, Block, Entry, Sheet

POLICIES = {"racy": "o", "atomic": "s", "minibatch": "D"}
DEVICE_STEP, POLICY_STEP = 0.3, 0.15  # of the room that a kind of memory has


@dataclass
class Panel:
    label: str
    form: object  # tick text
    values: object  # combination -> one per seed
    parts: object = lambda combination, device: []  # combination, device -> one per seed, of one device of both


@dataclass
class Mark:
    x: float
    values: list
    combination: object

    @property
    def median(self):
        return statistics.median(self.values)

    def look(self, size):
        """Line2D properties, for a value that was reached."""
        return dict(marker=POLICIES[self.combination.policy], linestyle="", color=styling.DEVICES[self.combination.device],
                    markersize=size.marker * 1.25, markeredgewidth=size.stroke * 0.4, markeredgecolor="white")


def panels(combinations):
    """Rates, and times where the target was reached at all."""
    reached = [value for one in combinations for value in one.seconds_to() if math.isfinite(value)]
    factor, unit, form = scales.time_form(reached or [1.0])
    rates = Panel("updates per second", scales.counted, lambda one: one.rates(), lambda one, device: one.rates(device))
    times = Panel(f"time to target ({unit})" if unit else "time to target", form, lambda one: [factor * value for value in one.seconds_to()])
    return [rates, times] if reached else [rates]


def drawn(combinations):
    """Those that have a mark."""
    return [one for one in combinations if one.measured and one.policy in POLICIES]


def kinds_of(combinations):
    """Kinds of memory that any combination asked for, in order."""
    known = {one.memory for one in combinations}
    return [kind for kind in MEMORIES if kind in known]


def place(combination, kinds):
    """Where a combination stands: in the room of its memory by device, and there by policy."""
    policy = list(POLICIES).index(combination.policy) - 0.5
    return kinds.index(combination.memory) + DEVICE_STEP * (DEVICES.index(combination.device) - 1) + POLICY_STEP * policy


def draw(combinations, size, name, machine, footnotes):
    """(figure, its title)."""
    styling.use(size)
    kinds = kinds_of(combinations)
    rows = [row for one in combinations for row in one.measured]
    title = f"{naming.problem(rows[0]['problem'])} on {naming.printable(name)}"
    sheet = Sheet(size, title, subtitle(rows, machine), notes(combinations) + footnotes, legend(combinations, size))
    em = size.type * POINT
    shown = panels(combinations)
    places = sheet.lay_out(1, left=4.4 * em, bottom=3.9 * em, rows=len(shown), top=1.7 * em, flat=0.8)
    for at, panel in zip(places, shown):
        draw_panel(sheet.figure.add_axes(at), panel, combinations, kinds, size)
    return sheet.figure, f"{title}: kinds of memory"


def subtitle(rows, machine):
    seeds = len({row["seed"] for row in rows if is_done(row["status"]) or is_diverged(row["status"])})
    counts = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in ((len(rows), "run"), (seeds, "seed")) if count]
    shrink = [f"L2 {naming.short(rows[0]['l2'], 3)}"] if rows[0]["l2"] else []
    return "  ·  ".join([machine, *shrink, *counts])


def draw_panel(axes, panel, combinations, kinds, size):
    marks = [Mark(place(one, kinds), panel.values(one), one) for one in drawn(combinations)]
    serial = [value for one in combinations if is_serial(one.method) for value in panel.values(one)]
    finite = [value for mark in marks for value in mark.values if math.isfinite(value)] + [v for v in serial if math.isfinite(v)]
    parts = [(mark, device, panel.parts(mark.combination, device)) for mark in marks for device in SIDES
             if mark.combination.on_both]
    finite += [value for _, _, values in parts for value in values if value > 0]
    low, high = scales.Scale().widened(min(finite), max(finite), 0.06, 0.08)
    axes.set_xlim(-0.5, len(kinds) - 0.5)
    if any(math.isinf(mark.median) for mark in marks):
        edge = scales.number_axis_with_strip(axes, low, high, panel.form)
    else:
        scales.number_axis(axes.yaxis, low, high, scales.Scale(), panel.form)
    axes.set_title(panel.label, loc="left", color=styling.INK, pad=size.type * 0.7)
    axes.grid(True, which="major", axis="y")
    name_kinds(axes, combinations, kinds, size)

    if serial and math.isfinite(statistics.median(serial)):
        axes.axhline(statistics.median(serial), **serial_look(size))
    for mark, device, values in parts:
        if values and statistics.median(values) > 0:
            axes.add_line(Line2D([mark.x], [statistics.median(values)], **part_look(device, size)))
    for mark in marks:
        if math.isinf(mark.median):
            axes.add_line(Line2D([mark.x], [edge], clip_on=False, zorder=7, **hollow(mark.look(size), size)))
        else:
            draw_mark(axes, mark, size)


def draw_mark(axes, mark, size):
    reached = [value for value in mark.values if math.isfinite(value)]
    axes.add_line(Line2D([mark.x, mark.x], [min(reached), max(reached)], color=styling.DEVICES[mark.combination.device],
                         linewidth=size.stroke * 0.8, zorder=4))
    axes.add_line(Line2D([mark.x], [mark.median], zorder=5, **mark.look(size)))


def name_kinds(axes, combinations, kinds, size):
    """Kinds of memory below the axis, lines between them; a dagger where increments of both sides are not atomic."""
    not_atomic = {one.memory for one in combinations if one.not_atomic}
    axes.xaxis.set_major_locator(ticker.FixedLocator(range(len(kinds))))
    axes.set_xticklabels([kind.replace("-", "-\n") + ("†" if kind in not_atomic else "") for kind in kinds])
    axes.tick_params(axis="x", length=0)
    for between in range(len(kinds) - 1):
        axes.axvline(between + 0.5, color=styling.FAINT, linewidth=size.stroke * 0.6, zorder=1)


def serial_look(size):
    return dict(color=styling.BLACK, linewidth=size.stroke * 1.3, linestyle="solid", zorder=2.5)


def part_look(device, size):
    return dict(marker="_", linestyle="", color=styling.DEVICES[device], markersize=size.marker * 1.9,
                markeredgewidth=size.stroke * 0.9, zorder=3.5)


def hollow(look, size):
    return {**look, "markerfacecolor": "white", "markeredgecolor": look["color"], "markeredgewidth": size.stroke * 0.9,
            "markersize": look["markersize"] * 0.9}


def legend(combinations, size):
    devices, policies, others = Block("device"), Block("update"), Block("other marks")
    mark = dict(linestyle="", color=styling.INK, markersize=size.marker * 1.25, markeredgewidth=0)
    shown = drawn(combinations)
    for device in (device for device in DEVICES if any(one.device == device for one in shown)):
        devices.entries.append(Entry({**mark, "marker": "o", "color": styling.DEVICES[device], "markersize": size.marker * 1.6},
                                     naming.DEVICES[device]))
    for policy, marker in POLICIES.items():
        if any(one.policy == policy for one in shown):
            policies.entries.append(Entry({**mark, "marker": marker}, policy))
    others.entries.append(Entry(serial_look(size), "serial"))
    if any(one.on_both for one in shown):
        others.entries += [Entry(part_look(device, size), f"{device.upper()} part of both") for device in SIDES]
    if any(math.isinf(statistics.median(one.seconds_to())) for one in shown):
        others.entries.append(Entry(hollow({**mark, "marker": "o"}, size), "target missed"))
    if any(len(one.measured) > 1 for one in shown):
        others.entries.append(Entry({**mark, "marker": "|", "markersize": size.type * 1.1, "markeredgewidth": size.stroke * 0.8},
                                    "range over seeds"))
    return [devices, policies, others]


def notes(combinations):
    """What has no mark, and why, or one of runs that did not end; who was given other epochs; what the dagger says."""
    without = list(combinations.troubles(lambda one: not one.measured))
    cannot = [where for status, where, _ in without if status == LEFT_OUT]
    found = [f"Cannot run: {'; '.join(cannot)}."] if cannot else []
    found += [f"No result: {naming.printable(f'{where} ({why})')}." for status, where, why in without if status != LEFT_OUT]
    found += [f"{status.capitalize()}: {naming.printable(f'{where} ({why})')}."
              for status, where, why in combinations.troubles(lambda one: one.measured)]
    given = {}
    for one in drawn(combinations):
        given.setdefault(one.text("epochs"), []).append(one)
    usual = max(given, key=lambda epochs: len(given[epochs]), default="")
    found += [f"{epochs} epochs at most, not {usual}: {combinations.where(members)}."
              for epochs, members in given.items() if epochs != usual]
    if any(one.not_atomic for one in combinations):
        found.append(captions.overwrite("†"))
    return found
