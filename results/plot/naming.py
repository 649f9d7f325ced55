"""What runs are called in a figure, and which of them may share one.

Names come from files and files come from users: `printable` is the only way of a name into a figure. It removes what
would break an SVG (control characters, lone surrogates); `$` and `<` need no care here, because mathtext is switched
off (styling) and matplotlib escapes markup.
"""

import re
import shlex
import unicodedata
from pathlib import PurePath
from typing import NamedTuple

# Axes that tell two runs of one method apart when they were varied on purpose; threads and seed have their own place.
VARIANT_AXES = ("order", "pin", "lanes", "telemetry", "step", "step_size", "decay", "batch", "exchange", "epochs")
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


def printable(text):
    cleaned = "".join("\ufffd" if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Cn", "Co") else letter
                      for letter in str(text))
    return " ".join(cleaned.split())


def short(text, digits):
    """A number as text, to so many digits: 2.5599016997747285e-05 -> 2.56e-05; other text as it is."""
    try:
        return f"{float(text):.{digits}g}"
    except ValueError:
        return printable(text)


def slug(text):
    """A name that is safe in a file name and short enough for any file system."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:48].lower() or "unnamed"


def data_name(run):
    """`../data/imdb_train.svm.xz` -> `imdb_train.svm.xz`; a name without a path stays as it is."""
    text = run.axes["data"] or "unnamed data"
    tail = PurePath(text).name
    return printable(tail if text.startswith((".", "/", "~")) and tail else text)


def comparable(run):
    """Losses may share a figure when problem, data and L2 agree: otherwise they are different functions."""
    return run.axes["problem"], run.axes["data"], run.axes["l2"]


def groups(runs):
    """{comparable key: runs}, in the order in which they were read."""
    found = {}
    for run in runs:
        found.setdefault(comparable(run), []).append(run)
    return found


def base_method(run):
    axes = run.axes
    words = [axes["scheme"] or "unknown scheme"]
    if axes["scheme"] != "serial":
        words += [axes["update"], axes["guard"] if axes["guard"] != "none" else ""]
    return printable(" · ".join(word for word in words if word))


class Key(NamedTuple):
    """What a line of a figure stands for; runs that differ in their seed alone share it."""
    method: str  # scheme, update and guard
    variant: str  # the other axes, where they were varied
    threads: int  # 0: serial

    @property
    def label(self):
        return f"{self.method}, {self.variant}" if self.variant else self.method

    @property
    def label_with_threads(self):
        plural = "" if self.threads == 1 else "s"
        return self.label + (f", {self.threads} thread{plural}" if self.threads else "")


def keys(runs):
    """{id(run): Key}. An axis enters the variant only where runs that agree otherwise differ in it."""
    cells = {}
    for run in runs:
        cells.setdefault((base_method(run), run.threads, run.axes["seed"], run.folder.parent), []).append(run)
    varied = {}
    for (method, *_), cell in cells.items():
        for axis in VARIANT_AXES:
            if len({run.axes[axis] for run in cell}) > 1:
                varied.setdefault(method, set()).add(axis)
    found = {}
    for run in runs:
        method = base_method(run)
        variant = [f"{axis.replace('_', ' ')} {short(run.axes[axis], 7)}" for axis in VARIANT_AXES
                   if axis in varied.get(method, ()) and run.axes[axis]]
        found[id(run)] = Key(method, printable(", ".join(variant)), 0 if run.axes["scheme"] == "serial" else run.threads)
    return found


def natural(text):
    """Sorts `batch 64` before `batch 256`."""
    return [(0, float(word), "") if NUMBER.fullmatch(word) else (1, 0.0, word) for word in re.split(r"[ ,]+", text)]


def machine_name(runs):
    """`Intel Xeon ..., 16 cores`; several machines are counted, because a figure must not hide that."""
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
    return names[0] if len(names) == 1 else f"{len(names)} machines: " + "; ".join(names)


def commands(runs):
    """The command lines that measured the runs, each once."""
    lines = []
    for run in runs:
        command = run.manifest.get("command")
        if isinstance(command, list):
            command = shlex.join(map(str, command))
        if command and printable(command) not in lines:
            lines.append(printable(command))
    return lines
