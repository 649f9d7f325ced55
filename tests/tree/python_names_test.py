#!/usr/bin/env python3
"""No script compares with the name of a scheme, a device, a status and so on, or lists such names. It asks the rows
that `hogwild schema` prints.

results/plot/files/axes.py reads those rows for figures and reports, experiments/scripts/tuning.py for scripts that measure. Words and looks that
stand for names (a dictionary of them) are no comparisons. Tests set up runs of their own, and may look at them.
"""

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTED = json.loads((ROOT / "results" / "axes.json").read_text(encoding="utf-8"))
NAMES = {each["name"] for part in ("schemes", "updates", "devices", "statuses") for each in LISTED[part]}  # compared with nowhere
FIELDS = {"scheme", "device", "status", "memory", "numbers", "placement", "guard", "update", "problem", "telemetry",
          "method", "policy"}  # nor with any word
WORDS = NAMES | {name for axis in LISTED["axes"] for name in axis.get("names", ())}  # which no pattern has side by side
ALSO_OTHER_WORDS = {"columns", "replicated"}  # found where they stand beside the word scheme
COMPARED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
PARTS = {"startswith", "endswith", "removeprefix", "find", "index", "count"}


def words_in(node):
    """The strings that a literal is, or has."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) and node.value else []
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [word for each in node.elts for word in words_in(each)]
    return []


def field_of(node):
    """"device" of key.device, row["device"], row.get("device"), device(run) and device."""
    if isinstance(node, ast.Call):
        return node.args and field_of(node.args[0]) if isinstance(node.func, ast.Attribute) and node.func.attr == "get" else field_of(node.func)
    if isinstance(node, ast.Subscript):
        return field_of(node.slice)
    return {ast.Attribute: lambda: node.attr, ast.Name: lambda: node.id, ast.Constant: lambda: node.value}.get(type(node), str)()


def lists(node):
    """The names in a list that is assigned, two or more, and words that stand side by side in a pattern."""
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Tuple, ast.List, ast.Set)):
        words = [word for each in node.value.elts if isinstance(each, ast.Constant) for word in words_in(each)]
        names = [word for word in words if word in NAMES - ALSO_OTHER_WORDS]
        return names if len(names) > 1 and not any(word.startswith("-") for word in words) else []  # options: a command
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [word for word in re.findall(r"(?<=[|(])[a-z][a-z0-9+-]*(?=[|)])", node.value) if word in WORDS and "|" in node.value]
    return []


def offences(path, text):
    """`file:line: what (why)` for every comparison with a name, and every list of names."""
    for node in ast.walk(ast.parse(text)):
        yield from (f'{path}:{node.lineno}: "{word}" stands in a list of names (ask its row, results/plot/files/axes.py)' for word in lists(node))
        words, fields = [], set()
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], COMPARED):
            sides = [node.left, *node.comparators]
            words, fields = [word for side in sides for word in words_in(side)], {field_of(side) for side in sides if not words_in(side)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PARTS and node.args:
            words, fields = words_in(node.args[0]), {field_of(node.func.value)} & FIELDS
            words = words if fields else []
        elif isinstance(node, (ast.For, ast.comprehension)):
            words = [word for each in getattr(node.iter, "elts", []) if isinstance(each, ast.Constant) for word in words_in(each)]
        elif isinstance(node, ast.Assign):
            words = words_in(node.value) if field_of(node.targets[0]) == "status" else []
        line = getattr(node, "lineno", getattr(getattr(node, "iter", None), "lineno", 0))
        for word in words:
            name = word in NAMES - ALSO_OTHER_WORDS
            if (name or fields & FIELDS or isinstance(node, ast.Assign)):
                yield f'{path}:{line}: "{word}" is compared with (ask its row, results/plot/files/axes.py)'


PLANTED = [
    'if key.device == "cpu": pass',
    'if "gpu" != one.key.device: pass',
    'if device(run) == "both": pass',
    'if run.axes["device"] == "another": pass',
    'lone = all(other == "cpu" for other, _ in methods)',
    'for device in ("cpu", "gpu"): pass',
    'kept = [percent(device) for device in (None, "cpu", "gpu")]',
    'if set(blocks) == {"cpu"}: pass',
    'if run.status == "done": pass',
    'if row["status"] in ("done", "diverged"): pass',
    'if row.get("status") != "done": pass',
    'run.status = "interrupted"',
    'if method.name != "serial": pass',
    'if axes["scheme"] == "hogwild": pass',
    'if axes["scheme"] == "replicated": pass',
    'if memory in ("mapped", "managed-host"): pass',
    'if axes["memory"].startswith("device"): pass',
    'if (axes["device"], axes["memory"]) != ("cpu", "host"): pass',
    'if run.axes["problem"] == "network": pass',
    'if combination.method == "atomic": pass',
    'order = combination.memory, combination.method == "atomic"',
    'UPDATES = ("racy", "atomic")',
    'YARDSTICKS = ("serial", "minibatch")',
    'HOT = re.compile(r"[+](delayed|thinned|replicated)$")',
]

INNOCENT = [
    'if on_both(key.device) or run.done: pass',
    'DEVICES = {"cpu": "CPU threads"}',
    'look = LOOKS["serial"]',
    'if column == "columns" or part == "replicated": pass',
    'if run.axes["device"] in DEVICES: pass',
    'if run.axes["update"] == "": pass',
    'command = ["--device", "gpu"]',
    'row.update(status=FAILED)',
    '# key.device == "cpu"',
    'command = ["hogwild", "--device", "gpu"]',
    'columns = ("seconds", "columns", "replicated")',
    'NUMBER = re.compile("(e|[0-9]+)")',
]


def scripts():
    """Python of results/ and of what measures, which may have no suffix."""
    for file in sorted([*(ROOT / "results").rglob("*.py"), *(ROOT / "experiments").rglob("*")]):
        if file.is_file() and (file.suffix == ".py" or not file.suffix and file.read_bytes().startswith(b"#!/usr/bin/env python3")):
            yield file


def main():
    problems = [f"rule lost: a script may say {text!r}" for text in PLANTED if not list(offences("results/a.py", text))]
    problems += [f"false alarm: {found}" for text in INNOCENT for found in offences("results/a.py", text)]
    files = list(scripts())
    for file in files:
        problems += offences(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    print("\n".join(problems))
    print(f"{len(files)} files, {len(NAMES)} names, {len(PLANTED)} planted offences, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
