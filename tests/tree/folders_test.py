"""Folders are floors too: no circle among the folders of a floor, and none that holds more files than one takes in at a glance.

The graph has an arrow from folder to folder for every include between their files. A folder is the door to its own subfolders,
so that what it includes from below it makes no arrow. What a subfolder includes from above it does: others that take the
subfolder take all that its parent takes.
Every rule is tried on a planted offence before it is trusted with the tree."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("HOGWILD_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FLOORS = ["kernels", "engine", "experiments"]
SOURCES = {".h", ".cpp", ".cu", ".cuh", ".in"}
MOST_FILES = 25
MEASURED = ROOT / "results" / "reference"  # by machines: as many files as there were runs

# Circles that are known: the folders of each, and why it still stands. One that no longer stands is a problem too.
KNOWN = {}


def arrows(files):
    """{folder: {folder it includes from: an include that says so}} of {path: text}."""
    graph = {}
    for path, text in files.items():
        own = path.rsplit("/", 1)[0]
        graph.setdefault(own, {})
        for target in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, flags=re.MULTILINE):
            folder = target.rsplit("/", 1)[0]
            if folder != own and folder.split("/")[0] in FLOORS and not folder.startswith(own + "/"):
                graph[own].setdefault(folder, f"{path} includes {target}")
    return graph


def reachable(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        for folder in graph.get(waiting.pop(), {}):
            if folder not in seen:
                seen.add(folder)
                waiting.append(folder)
    return seen


def circles(graph):
    """The largest sets of folders each of which is reached from every other of its set."""
    reached = {folder: reachable(graph, folder) for folder in graph}
    found = {
        tuple(sorted(other for other in reached[folder] if folder in reached.get(other, ())))
        for folder in graph
        if folder in reached[folder]
    }
    return sorted(found)


def problems_of(files, names, known):
    """`what (why)` for every circle that is not known, every known one that is none, and every folder that is full.
    `files`: {path: text} of what is compiled; `names`: paths of all files."""
    graph = arrows(files)
    found = circles(graph)
    problems = []
    for circle in found:
        if circle in known:
            continue
        why = "; ".join(graph[a][b] for a in circle for b in circle if b in graph[a])
        problems.append(f"a circle of folders: {', '.join(circle)} ({why})")
    problems += [f"no circle: {', '.join(circle)} (take it off the list of known ones)" for circle in known if circle not in found]
    own = {}
    for name in names:
        own.setdefault(name.rsplit("/", 1)[0], []).append(name)
    problems += [
        f"{folder}: {len(held)} files of its own (at most {MOST_FILES}: give some of them a folder that says what they are)"
        for folder, held in sorted(own.items())
        if len(held) > MOST_FILES
    ]
    return problems


A, B, C = "engine/a/a.h", "engine/b/b.h", "engine/b/c/c.h"

PLANTED = [  # (files, names, known)
    ({A: '#include "engine/b/b.h"\n', B: '#include "engine/a/a.h"\n'}, [], {}),
    ({A: '#include "engine/b/b.h"\n', B: '#include "kernels/k.h"\n', "kernels/k.h": '  #  include "engine/a/a.h"\n'}, [], {}),
    ({A: '#include "engine/b/c/c.h"\n', C: '#include "engine/a/a.h"\n'}, [], {}),
    ({A: '#include "engine/b/c/c.h"\n', B: '#include "engine/a/a.h"\n', C: '#include "engine/b/b.h"\n'}, [], {}),
    ({A: '#include "engine/b/b.h"\n', B: '#include "engine/a/a.h"\n'}, [], {("engine/a", "engine/c"): "another one"}),
    ({A: '#include "engine/b/b.h"\n', B: ""}, [], {("engine/a", "engine/b"): "stood once"}),
    ({}, [f"engine/a/{i}.h" for i in range(MOST_FILES + 1)], {}),
]

INNOCENT = [
    ({A: '#include "engine/b/b.h"\n#include "engine/b/c/c.h"\n', B: "", C: ""}, [], {}),
    ({B: '#include "engine/b/c/c.h"\n', C: '#include "engine/b/b.h"\n'}, [], {}),
    ({A: '#include "engine/a/other.h"\n#include "a.h"\n#include <engine/b/b.h>\n', B: '#include "engine/a/a.h"\n'}, [], {}),
    ({A: '#include "engine/b/b.h"\n', B: '#include "engine/a/a.h"\n'}, [], {("engine/a", "engine/b"): "known"}),
    ({}, [f"engine/a/{i}.h" for i in range(MOST_FILES)] + ["engine/a/b/c.h"], {}),
]


def main():
    problems = [f"rule lost: {planted}" for planted in PLANTED if len(problems_of(*planted)) == 0]
    problems += [f"false alarm: {found}" for innocent in INNOCENT for found in problems_of(*innocent)]
    paths = [path for floor in [*FLOORS, "results", "tests"] for path in sorted((ROOT / floor).rglob("*")) if path.is_file()]
    paths = [path for path in paths if "__pycache__" not in path.parts and not path.is_relative_to(MEASURED)]
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    files = {name: path.read_text(encoding="utf-8") for name, path in zip(names, paths) if path.suffix in SOURCES}
    problems += problems_of(files, names, KNOWN)
    print("\n".join(problems))
    print(f"{len(names)} files, {len(PLANTED)} planted offences, {len(KNOWN)} known circles, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
