#!/usr/bin/env python3
"""Every header compiles alone: ./tests/tree/headers.py [-p BUILD] [-j JOBS]

CMake writes for each header a unit that includes nothing else, and the command that the header's target promises to those who include it
(all_verify_interface_header_sets). Far fewer units say the same. Where A includes B, be it through others, a unit that includes B and
then A compiles both alone. Before B there is nothing. Before A's own text there is nothing but what A includes itself. Their order
alone may be another: a macro that B defines is seen by what A includes before B. So the headers of one command are covered by chains
in which each includes the one before it, and a chain is a unit.

Only includes at a file's head count, above code and conditions: what they declare is there before the file's own first word.
Where a chain fails, its headers are compiled one by one, as CMake would, which decides and names them.
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def included_at_head(text):
    """What a file includes above its own first word, and above the first condition."""
    found = []
    for line in text.splitlines():
        include = re.match(r'#include [<"]([^>"]+)[>"]', line)
        if include:
            found.append(include.group(1))
        elif line.strip() and not line.startswith("//") and line != "#pragma once":
            break
    return found


def brought_in(root):
    """A function from a file, as includes name it, to the set of all that it includes; what does not lie in `root` includes nothing."""

    @functools.cache
    def of(name):
        path = root / name
        own = included_at_head(path.read_text(encoding="utf-8")) if path.exists() else []
        return frozenset(own).union(*map(of, own))

    return of


def chains(headers, included):
    """Lists in which each header includes the one before it: every header once, in as few lists as can be, the longest to compile first.

    A list's time is that of its last header, which includes most. The headers that have a successor are matched with different ones
    (augmenting paths, Kuhn 1955). Those that include most are matched first and never lose theirs, so that few of them come last.
    """
    above = collections.defaultdict(list)
    for header in sorted(headers):
        for lower in included(header).intersection(headers):
            above[lower].append(header)
    before, after = {}, {}

    def match(header, tried):
        for successor in above[header]:
            if successor not in tried:
                tried.add(successor)
                if successor not in before or match(before[successor], tried):
                    before[successor], after[header] = header, successor
                    return True
        return False

    costs_most = sorted(headers, key=lambda header: (-len(included(header)), header))
    for header in costs_most:
        match(header, set())
    found = []
    for last in costs_most:
        if last not in after:
            chain = [last]
            while chain[0] in before:
                chain.insert(0, before[chain[0]])
            found.append(chain)
    return found


def promised(build):
    """The headers that CMake has units of, by the command that compiles them: the compiler's words without source and object."""
    found = collections.defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "_verify_interface_header_sets/" in entry["file"]:
            unit = pathlib.Path(entry["file"]).read_text()
            found[re.sub(r" -o \S+ -c \S+", "", entry["command"])].append(re.match("#include <(.+)>", unit).group(1))
    return found


def compiles(command, headers):
    """Whether these headers compile in this order, and what the compiler says."""
    unit = "".join(f"#include <{header}>\n" for header in headers)
    with tempfile.NamedTemporaryFile(suffix=".o") as made:
        done = subprocess.run([*shlex.split(command), "-o", made.name, "-c", "-"], input=unit,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def broken(command, chain):
    """The headers of a chain that do not compile alone, and what the compiler says."""
    good, said = compiles(command, chain)
    if good:
        return [], said
    alone = [(header, *compiles(command, [header])) for header in chain]
    return [header for header, good, _ in alone if not good], "".join(said for _, _, said in alone)


def check(commands, included, jobs):
    """The number of units, and the headers that do not compile alone; prints what the compiler says."""
    work = [(command, chain) for command, headers in commands.items() for chain in chains(headers, included)]
    work.sort(key=lambda unit: -len(included(unit[1][-1])))
    found = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for headers, said in pool.map(lambda unit: broken(*unit), work):
            print(said, end="")
            found += headers
    return len(work), sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-p", dest="build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("-j", dest="jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    commands = promised(options.build)
    if not commands:
        sys.exit(f"{options.build / 'compile_commands.json'} names no header to check (CMAKE_VERIFY_INTERFACE_HEADER_SETS=ON writes their units)")
    count, found = check(commands, brought_in(ROOT), options.jobs)
    for header in found:
        print(f"{header} does not compile alone, see above")
    print(f"{sum(map(len, commands.values()))} headers in {count} units: {f'{len(found)} do not compile alone' if found else 'all compile alone'}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
