"""Every source that reads files of strangers is reached by the includes of a fuzz program, or stands below with the reason why not.

A source reads files if it opens one or parses what lies in one. A program reaches a header that it includes, the sources beside that whose
names begin as it does, and what those include. The rule is tried on a planted reader before it is trusted with the tree."""

import os
import re
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
READS = re.compile(r"\b(stored_text|MappedFile|read_csv|json_at|json_if|ifstream|toml::parse)\b\s*\w*\s*[({]|\bifstream \w+\(")
INCLUDED = re.compile(r'(?m)^\s*#\s*include\s*"([^"]+)"')
NOT_FUZZED = {
    "engine/gpu/gpus.cpp": "a file of the kernel",
    "engine/machine/disturbance.cpp": "files of the kernel",
    "experiments/checkpoint/run_in_parts.cpp": "compares one key of a manifest with its own",
    "experiments/compare/speedup_table.cpp": "rows of the fuzzed reader of tables",
    "experiments/fetch/fetch.cpp": "compares a line with a hash",
    "experiments/folder/results_folder.cpp": "asks whether there is a second line",
    "experiments/sweep/folder/build_identity.cpp": "hashes the program",
    "experiments/sweep/folder/sweep_folder.cpp": "compares texts; how a run ended is read by the journal's fuzzed reader",
}


def sources(root):
    """{path: text} of what is compiled and of the fuzz programs."""
    found = [path for floor in ("engine", "experiments") for path in (root / floor).rglob("*") if path.suffix in (".h", ".cpp")]
    found += (root / "tests" / "fuzz").glob("*_fuzz.cpp")
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in found if "bench" not in path.parts}


def reached(files):
    beside = {}  # folder: its .cpp files
    for path in files:
        if path.endswith(".cpp"):
            beside.setdefault(path.rpartition("/")[0], []).append(path)
    seen, waiting = set(), [path for path in files if path.startswith("tests/fuzz/")]
    while waiting:
        path = waiting.pop()
        if path in seen or path not in files:
            continue
        seen.add(path)
        waiting += INCLUDED.findall(files[path])
        if path.endswith(".h"):
            waiting += [twin for twin in beside.get(path.rpartition("/")[0], []) if twin.startswith(path[:-2])]
    return seen


def problems_of(files, excused):
    readers = {path for path, text in files.items() if path.endswith(".cpp") and not path.startswith("tests/") and READS.search(text)}
    there = readers - reached(files)
    yield from (f"{path} reads files, and no program of tests/fuzz reaches it" for path in sorted(there - set(excused)))
    yield from (f"{path} stands in this list, and reads no file" for path in sorted(set(excused) - readers))


class FuzzedReaders(unittest.TestCase):
    def test_every_reader_is_fuzzed(self):
        self.assertEqual(list(problems_of(sources(ROOT), NOT_FUZZED)), [])

    def test_a_reader_that_nobody_fuzzes_is_named(self):
        planted = {"experiments/new/reader.cpp": '#include "experiments/new/reader.h"\nconst Json json = json_at(path);\n',
                   "experiments/new/reader.h": "Json read(const std::filesystem::path& path);\n"}
        files = {**sources(ROOT), **planted}
        self.assertEqual(len(list(problems_of(files, NOT_FUZZED))), 1)
        files["tests/fuzz/new_fuzz.cpp"] = '#include "experiments/new/reader.h"\n'
        self.assertEqual(list(problems_of(files, NOT_FUZZED)), [])

    def test_without_the_program_for_manifests_their_readers_are_named(self):
        files = sources(ROOT)
        del files["tests/fuzz/manifest_fuzz.cpp"]
        named = " ".join(problems_of(files, NOT_FUZZED))
        for reader in ("compare/samples_apart.cpp", "compare/ceilings.cpp", "folder/unseen_settings.cpp", "tune/final_rows.cpp"):
            self.assertIn(reader, named)


if __name__ == "__main__":
    unittest.main()
