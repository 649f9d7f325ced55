"""What runs are called in a figure, and which of them may share one.

Names come from files and files come from users: `printable` is the only way of a name into a figure. It removes what
would break an SVG (control characters, lone surrogates). `$` and `<` need no care here, because mathtext is switched
off (styling) and matplotlib escapes markup.
"""

import functools
import math
import re
import shlex
import unicodedata
from pathlib import PurePath
from typing import NamedTuple

from plot.files.axes import (ANY_MEMORY, NO_SPARSE_ROWS, OBJECTIVE, THREADS, VARIANT_AXES, is_network, is_serial, names_of,
                             on_both, on_gpu_alone, on_threads_alone, usual)
from plot.files.network_names import short_text

DEVICES = {"cpu": "CPU threads", "gpu": "GPU", "both": "both"}
NOT_ATOMIC = "(not atomic)"
DATA_FOLDER = "hogwild"  # where fetched sets lie (experiments/inputs/data_folder.h)
FOLDER_SETS = ("mnist",)  # those that are read as that folder
HOT_UPDATES = re.compile(rf"(?<=\w)\+({'|'.join(name for name in names_of('hot_updates') if name != usual('hot_updates'))})\b")
WHOLE = 1e15  # numbers from there on are shown with an exponent
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


def printable(text):
    cleaned = "".join("\ufffd" if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Cn", "Co") else letter
                      for letter in str(text))
    return " ".join(cleaned.split())


def printable_path(path):
    """The path as it is, where a terminal may have it: scripts read it."""
    return str(path) if str(path).isprintable() else printable(path)


def short(text, digits):
    """A number as text, to so many digits: 2.5599016997747285e-05 -> 2.56e-05; a whole one with all of them, other text as it is."""
    try:
        value = float(text)
        return f"{value:.0f}" if value.is_integer() and abs(value) < WHOLE else f"{value:.{digits}g}"
    except ValueError:
        return printable(text)


def term(axis, value, others=()):
    """`L2 0.0001`, `network lenet`: a value of what is minimised, in short, or as it is where another of `others` is the same so."""
    brief = short_text if axis == "network" else lambda text: short(text, 3 if axis in ("l2", "l1") else 4)
    alike = [other for other in others if brief(other) == brief(value)]
    words = {"l2": "L2", "l1": "L1"}.get(axis, axis.replace("_", " "))
    return f"{words} {printable(value if len(alike) > 1 else brief(value))}"


def terms(rows, but=()):
    """["L2 0.0001, network lenet", ...]: of what each of `rows` of axes minimises what not all have, but for the axes `but`."""
    values = {axis: {row.get(axis, "") for row in rows} for axis in OBJECTIVE if axis not in but}
    differ = {axis: of for axis, of in values.items() if len(of) > 1}
    return [", ".join(term(axis, row[axis], of) for axis, of in differ.items() if row.get(axis)) for row in rows]


def slug(text):
    """A name that is safe in a file name and short enough for any file system."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:48].lower() or "unnamed"


def problem(name):
    """`hinge` -> `Hinge loss`; what is no loss of a margin keeps its name: `cut` -> `Cut`."""
    return (name or "unknown problem").capitalize() + ("" if name in NO_SPARSE_ROWS else " loss")


def without_folder(data):
    """`../data/imdb_train.svm.xz` -> `imdb_train.svm.xz`; `synthetic:rcv1/40` has none."""
    tail = PurePath(data).name
    return tail if data.startswith((".", "/", "~")) and tail else data


def data_name(run):
    """`../data/imdb_train.svm.xz` -> `imdb_train.svm.xz`; a name without a path stays as it is. A set that is read as the folder of
    fetched data has the name by which the command asked for it."""
    text = run.axes["data"] or "unnamed data"
    tail = PurePath(text).name
    if tail == DATA_FOLDER:
        asked = {word for line in commands([run]) for word in re.split("[ =,]", line.lower())}
        return next((name for name in FOLDER_SETS if name in asked), tail)
    return printable(without_folder(text))


def counted_as(runs, text):
    """A text about updates as it is, or, of networks alone, about the images that they consume: what `hogwild run` calls them."""
    return text.replace("updates", "images") if all(is_network(run.axes["problem"]) for run in runs) else text


def comparable(run):
    """Runs may share a figure when problem, data, L2 and the model's parameters agree, otherwise their losses are different functions.
    The delay of a gradient has to agree too, otherwise their work differs."""
    return tuple(run.axes[axis] for axis in OBJECTIVE)


def groups(runs):
    """{comparable key: runs}, in the order in which they were read."""
    found = {}
    for run in runs:
        found.setdefault(comparable(run), []).append(run)
    return found


def delay(run):
    """Seconds that a CPU thread added to each gradient; NaN for a text that is no number."""
    try:
        return float(run.axes["delay"] or 0)
    except ValueError:
        return math.nan


def across_delays(groups):
    """{key without the delay: runs} of those `groups` that differ in their delay alone, two or more of them."""
    found = {}
    for (*rest, _), runs in groups.items():
        found.setdefault((*rest, ""), []).append(runs)
    return {key: sum(members, []) for key, members in found.items() if len({delay(runs[0]) for runs in members}) > 1}


def base_method(run):
    axes = run.axes
    words = [axes["scheme"] or "unknown scheme"]
    if not is_serial(axes["scheme"]):
        words += [axes["update"], axes["guard"] if axes["guard"] != usual("guard") else ""]
    return printable(" · ".join(word for word in words if word))


def without_hot(method):
    """`hogwild · racy` of `hogwild · racy+replicated`: the method but for what becomes of increments of hot coordinates."""
    return HOT_UPDATES.sub("", method)


def hot_part(method):
    """`replicated` of `hogwild · racy+replicated`; nothing where increments of hot coordinates are as all others."""
    found = HOT_UPDATES.search(method)
    return found[1] if found else ""


class Key(NamedTuple):
    """What a line of a figure stands for; runs that differ in their seed alone share it."""
    method: str  # scheme, update and guard
    variant: str  # the other axes, where they were varied
    threads: int  # 0: serial, or a GPU alone
    device: str = THREADS
    grid: str = ""  # of a GPU alone: "2 × 132", streams × blocks

    @property
    def serial(self):
        return not self.threads and self.on_threads_alone

    @property
    def on_threads_alone(self):
        return on_threads_alone(self.device)

    @property
    def on_gpu_alone(self):
        return on_gpu_alone(self.device)

    @property
    def family(self):
        """Variants are told apart, and the best of them is chosen, within one method on one device."""
        return self.method, self.device

    @property
    def varied_first(self):
        """"optimizer adam" of the variant "optimizer adam, state shared"."""
        return self.variant.split(", ")[0]

    @property
    def label(self):
        return f"{self.method}, {self.variant}" if self.variant else self.method

    @property
    def workers(self):
        """"4 threads", "2 × 132"; nothing for serial."""
        return f"{self.threads} thread{'' if self.threads == 1 else 's'}" if self.threads else self.grid

    @property
    def label_with_workers(self):
        return f"{self.label}, {self.workers}" if self.workers else self.label


def keys(runs):
    """{id(run): Key}. An axis enters the variant only where runs that agree otherwise differ in it. It enters
    `configuration` where any two runs of one method on one device do."""
    cells, varied = {}, {}
    for run in runs:
        family = base_method(run), device(run)
        cells.setdefault((family, run.threads, grid(run), run.folder.parent), []).append(run)
        for axis, (value, _) in configuration(run).items():
            varied.setdefault((family, axis), set()).add(value)
    for (family, *_), cell in cells.items():
        for axis in VARIANT_AXES:
            if len({run.axes[axis] for run in cell}) > 1:
                varied[family, axis] = {run.axes[axis] for run in cell}
    found = {}
    for run in runs:
        method, where = family = base_method(run), device(run)
        differs = lambda axis: len(varied.get((family, axis), ())) > 1
        words = [text for axis, (_, text) in configuration(run).items() if differs(axis) or NOT_ATOMIC in text]
        words += [f"{axis.replace('_', ' ')} {short(run.axes[axis], 7)}" for axis in VARIANT_AXES
                  if differs(axis) and run.axes[axis] and axis not in configuration(run)]
        threads = 0 if is_serial(run.axes["scheme"]) else run.threads
        found[id(run)] = Key(method, printable(", ".join(words)), threads, where, grid(run) if on_gpu_alone(where) else "")
    return found


def device(run):
    """cpu, gpu or both; a run that says nothing else stepped on CPU threads."""
    return run.axes["device"] if run.axes["device"] in DEVICES else THREADS


def grid(run):
    """Streams × blocks, or × graphs; nothing where no stream steps."""
    return printable(f"{run.axes['streams']} × {run.axes['blocks'] or 'graphs'}") if run.axes["streams"] else ""


def in_flight(text):
    """Sorts streams × blocks by their product."""
    numbers = [int(word) for word in text.split(" × ") if word.isdecimal()]
    return math.prod(numbers) if numbers else 0, numbers


def configuration(run):
    """{axis: (value, words)} of where the weights lie and how a GPU steps on them, as far as the run had a choice. How many hot
    coordinates threads have is tuning, and may go with their number. The usual placement is one value: where a GPU copies hot
    coordinates hot-first, where its streams copy none scattered; stored elsewhere."""
    axes = run.axes
    usual = "hot-first" if axes["hot"] not in ("", "0") else "scattered" if axes["streams"] else "stored"
    found = {"placement": ("" if axes["placement"] == usual else axes["placement"], f"{axes['placement']} placement")}
    if axes["scheme"] in ANY_MEMORY:
        found["memory"] = axes["memory"], axes["memory"] + f" {NOT_ATOMIC}" * run.not_atomic
    if on_both(device(run)):
        found["grid"] = grid(run), grid(run)
    for axis, unit in (("hot", ""), ("hot_rule", ""), ("bridge_rule", ""), ("bridge_pause", " s")):
        if axes[axis] and (axis != "hot" or axes["streams"]):
            found[axis] = axes[axis], f"{axis.replace('_', ' ')} {short(axes[axis], 7)}{unit}"
    order = ("memory", "grid", "hot", "hot_rule", "placement", "bridge_rule", "bridge_pause")
    return {axis: found[axis] for axis in order if axis in found}


def natural(text):
    """Sorts `batch 64` before `batch 256`."""
    return [(0, float(word), "") if NUMBER.fullmatch(word) else (1, 0.0, word) for word in re.split(r"[ ,]+", text)]


def machine_name(runs):
    """`Intel Xeon ..., 16 cores, NVIDIA H200`; several machines are counted, because a figure must not hide that."""
    names = []
    for run in runs:
        machine = run.manifest.get("machine")
        if not isinstance(machine, dict):
            continue
        cpu = printable(machine.get("cpu") or "unknown CPU")
        cpu = re.sub(r"\((R|TM)\)|\bCPU\b(?= @)", "", cpu)
        cores = machine.get("cores")
        name = " ".join(cpu.split()) + (f", {printable(cores)} core{'' if cores == 1 else 's'}" if cores else "")
        if name not in names:
            names.append(name)
    if not names:
        return "machine not recorded"
    gpus = [gpu["name"] for run in runs for gpu in run.manifest.get("gpus") or [] if isinstance(gpu, dict) and "name" in gpu]
    text = names[0] if len(names) == 1 else f"{len(names)} machines: " + "; ".join(names)
    return ", ".join([text, *map(printable, dict.fromkeys(gpus))])


def commands(runs):
    """The command lines that measured the runs, each once."""
    asked = dict.fromkeys(filter(None, map(command_of, runs)))
    return list(dict.fromkeys(map(command_line, asked)))


def command_of(run):
    """The words of a manifest's command, or its text; None where it has none."""
    command = run.manifest.get("command")
    return tuple(map(str, command)) if isinstance(command, list) else str(command) if command else None


@functools.lru_cache(maxsize=None)
def command_line(command):
    """What command_of returns, as a line. A command of many runs is as long as they are many: it is cleaned once for all of them."""
    return printable(shlex.join(command) if isinstance(command, tuple) else command)


def origin(measured, drawn):
    """Lines below a figure: the first of the commands that measured it, and the one that drew it."""
    notes = []
    if measured:
        notes.append(f"measured: {measured[0]}" + (f"  (and {len(measured) - 1} more)" if len(measured) > 1 else ""))
    return notes + [f"drawn: {printable(drawn)}"]
