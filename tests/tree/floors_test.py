"""Four floors, one arrow: kernels <- engine <- experiments <- results. Fails on an include that points up, and on words
that a floor must not know. Every rule is tried on a planted offence before it is trusted with the tree."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("HOGWILD_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
FLOORS = ["kernels", "engine", "experiments", "tests"]
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".in"}

KERNEL_STD = {  # nothing that allocates, logs or throws
    "algorithm", "array", "atomic", "bit", "cmath", "concepts", "cstddef", "cstdint", "cstring", "ctime", "emmintrin.h",
    "immintrin.h", "limits", "sched.h", "span", "string_view", "thread", "tuple", "type_traits", "utility", "variant",
}

# (pattern of an included file, places that may include it)
INCLUDES = [
    (r"(oneapi/)?tbb(/|\.h)", ["engine/machine/parallel.cpp"]),
    (r"hwloc", ["engine/machine/", "engine/workers/"]),
    (r"(zlib|bzlib|lzma|zstd)\.h", ["engine/data/", "tests/engine/data/"]),
    (r"CLI/", ["experiments/options/command_line.cpp"]),
    (r"nlohmann/json\.hpp", ["experiments/text/json.h"]),
    (r"nlohmann/json_fwd\.hpp", ["experiments/", "tests/experiments/"]),
    (r"toml\+\+/", ["experiments/sweep/spec/"]),
    (r"(curl|openssl)/", ["experiments/"]),
    (r"benchmark/", ["experiments/bench/"]),
    (r"fmt/", ["engine/", "experiments/", "tests/"]),
    (r"doctest/", ["tests/"]),
    (r"cuda/", ["kernels/cuda/"]),
    (r"cuda_runtime", ["kernels/cuda/", "engine/gpu/"]),
    (r"(cub|thrust)/", ["kernels/cuda/"]),
    (r"cublas", ["engine/gpu/"]),
]

# (pattern of code without comments and strings, places where it may stand)
WORDS = [
    (r"\bnew\b|(?<!= )\bdelete\b|\b(malloc|calloc|realloc|free|printf|fprintf)\(", ["engine/", "experiments/", "tests/"]),
    (r"\b(throw|try|catch|virtual)\b", ["engine/", "experiments/", "tests/"]),
    (r"\b(secure_)?getenv\b", ["experiments/", "tests/"]),  # the Plan says everything
    (r"<<<|\b__global__\b", ["kernels/cuda/"]),
    (r"\bstd::(thread|jthread|async)\b(?!::)", ["engine/workers/", "engine/machine/parallel.cpp", "experiments/", "tests/"]),
    (r"\bstd::(\w+_distribution|shuffle|sample)\b", ["tests/"]),  # they differ between libraries: kernels/numbers/random.h
    (r"\bTEST_CASE", ["tests/"]),
    (r"\bprint\(\s*stderr|\bstd::cerr\b", ["tests/"]),  # they throw where nothing can be written: experiments/text/tell.h
    (r"\bstd::sto(d|f|i|l|ul|ll|ull|ld)\b", ["tests/"]),  # they throw what no message names: engine/numbers.h
]


def without_comments_and_strings(text):
    """The code alone, line for line; a quote between digits (1'000) opens no character literal."""
    token = r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
    return re.sub(token, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def offences(path, text):
    """`file:line: what (why)` for every line of `text`, the content of `path`, that breaks a rule."""
    found = []
    own = path.split("/")[0]

    def allowed(places):
        return any(path.startswith(place) for place in places)

    for number, line in enumerate(text.splitlines(), 1):
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not include:
            continue
        target = include.group(2)
        where = f"{path}:{number}: include of {target}"
        floor = target.split("/")[0]
        if floor in FLOORS and FLOORS.index(floor) > FLOORS.index(own):
            found.append(f"{where} (a lower floor never includes an upper one)")
        if include.group(1) == '"' and floor not in FLOORS:
            found.append(f"{where} (includes are rooted at the repository)")
        if own == "kernels" and include.group(1) == "<" and target not in KERNEL_STD and not target.startswith(("cuda", "cub/", "thrust/")):
            found.append(f"{where} (kernels allocate, log and throw nothing; KERNEL_STD lists what they may include)")
        for pattern, places in INCLUDES:
            if re.match(pattern, target) and not allowed(places):
                found.append(f"{where} (it belongs to {', '.join(places)})")
    for number, line in enumerate(without_comments_and_strings(text).splitlines(), 1):
        for pattern, places in WORDS:
            word = re.search(pattern, line)
            if word and not allowed(places):
                found.append(f"{path}:{number}: `{word.group()}` (it belongs to {', '.join(places)})")
    if path.endswith(".h"):
        if not re.search(r"^#pragma once$", text, flags=re.MULTILINE):
            found.append(f"{path}:1: no #pragma once (a header may be included twice)")
        if not text.startswith("//"):
            found.append(f"{path}:1: no contract comment (a header opens with its contract)")
        if re.search(r"^\s*TEST_CASE", text, flags=re.MULTILINE):
            found.append(f"{path}:1: a test case in a header (TEST_CASE stays in .cpp files)")
    return found


HEADER = "// Contract.\n#pragma once\n"

PLANTED = [
    ("kernels/a.h", HEADER + '#include "engine/run.h"\n'),
    ("engine/a.cpp", '#include "experiments/options/axes.h"\n'),
    ("experiments/a.cpp", '#include "tests/test_data.h"\n'),
    ("engine/a.cpp", '#include "../kernels/views.h"\n'),
    ("engine/data/a.cpp", '#include "dataset.h"\n'),
    ("kernels/a.h", HEADER + "#include <vector>\n"),
    ("engine/schemes/a.cpp", "#include <oneapi/tbb/parallel_for.h>\n"),
    ("engine/schemes/a.cpp", "#include <tbb/parallel_for.h>\n"),
    ("engine/data/a.cpp", "#include <hwloc.h>\n"),
    ("experiments/a.cpp", "#include <zlib.h>\n"),
    ("engine/a.cpp", "#include <nlohmann/json.hpp>\n"),
    ("experiments/a.cpp", "#include <benchmark/benchmark.h>\n"),
    ("engine/a.cpp", "#include <doctest/doctest.h>\n"),
    ("engine/schemes/a.cpp", "#include <cuda_runtime_api.h>\n"),
    ("kernels/a.h", HEADER + "#include <cuda/atomic>\n"),
    ("engine/a.cpp", "std::uniform_real_distribution<float> unit;\n"),
    ("kernels/a.h", HEADER + "float* f() { return new float; }\n"),
    ("kernels/a.h", HEADER + "void f(float* p) { delete p; }\n"),
    ("kernels/a.h", HEADER + "void f() { throw 1; }\n"),
    ("kernels/a.h", HEADER + "struct A { virtual void f(); };\n"),
    ("engine/a.cpp", 'auto home = std::getenv("HOME");\n'),
    ("engine/a.cpp", "__global__ void f();\n"),
    ("engine/schemes/a.cpp", "std::thread worker;\n"),
    ("engine/a.cpp", 'TEST_CASE("law") {}\n'),
    ("experiments/a.cpp", 'void f() { fmt::print(stderr, "a line"); }\n'),
    ("engine/a.cpp", "double f(const std::string& text) { return std::stod(text); }\n"),
    ("engine/a.h", "// Contract.\nint f();\n"),
    ("engine/a.h", "#pragma once\n"),
    ("tests/a.h", HEADER + 'TEST_CASE("law") {}\n'),
]

INNOCENT = [
    ("kernels/a.h", HEADER + '#include "kernels/views/sparse_view.h"\n#include <atomic>\nstruct A { A(A&) = delete; };\n'),
    ("kernels/a.h", HEADER + "// a new value; throw nothing\n/* virtual\n new */ int f(); // \"engine/run.h\"\n"),
    ("engine/machine/parallel.cpp", "#include <oneapi/tbb/parallel_for.h>\n"),
    ("engine/a.cpp", '#include "kernels/views/sparse_view.h"\nconst int n = 1\'000; auto s = "getenv"; auto c = \'"\'; auto id = std::thread::id();\n'),
    ("experiments/options/command_line.cpp", '#include "engine/error.h"\n#include <CLI/CLI.hpp>\n'),
    ("tests/engine/a_test.cpp", '#include "engine/run.h"\n#include <doctest/doctest.h>\nTEST_CASE("law") {}\n'),
]


def own_header_problem(path, text, header_exists):
    """A source includes its own header first: so it is seen that the header includes all that it needs."""
    own = path.removesuffix(".cpp") + ".h"
    first = re.search(r'^#include [<"]([^>"]+)', text, flags=re.MULTILINE)
    if not path.endswith(".cpp") or not header_exists(own) or (first and first.group(1) == own):
        return []
    return [f"{path}:1: its first include is not {own} (nothing else compiles that header alone)"]


def own_header_rule_problems():
    header_exists = {"engine/a.h"}.__contains__
    late = own_header_problem("engine/a.cpp", '#include <vector>\n#include "engine/a.h"\n', header_exists)
    never = own_header_problem("engine/a.cpp", "int a;\n", header_exists)
    first = own_header_problem("engine/a.cpp", '#include "engine/a.h"\n#include <vector>\n', header_exists)
    without = own_header_problem("engine/b.cpp", "#include <vector>\n", header_exists)
    return [] if late and never and not first and not without else ["rule lost: a source includes its own header first"]


def main():
    problems = own_header_rule_problems()
    problems += [f"rule lost: {path} may say {text!r}" for path, text in PLANTED if not offences(path, text)]
    problems += [f"false alarm: {found}" for path, text in INNOCENT for found in offences(path, text)]
    files = [
        file
        for floor in FLOORS
        for file in sorted((ROOT / floor).rglob("*"))
        if file.suffix in SUFFIXES and file.name != "hogwildConfig.cmake.in"
    ]
    for file in files:
        path, text = file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")
        problems += offences(path, text) + own_header_problem(path, text, lambda header: (ROOT / header).exists())
    print("\n".join(problems))
    print(f"{len(files)} files, {len(PLANTED)} planted offences, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
