#!/usr/bin/env python3
"""Nobody compares with the name of a scheme, a device, a guard and so on, but where its properties are declared.

A scheme's own file ends with its row (engine/plan/scheme_traits.h); engine/plan/choices.h has the rows of other names. Everybody else asks the
rows. Benchmark programs and tests set up plans of their own, and may look at them.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ["kernels", "engine", "experiments"]
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".in"}
ROW = re.compile(r'SchemeTraits k\w+Scheme\{\s*\.name = "([a-z+-]+)"')

# A field of a plan, or the column of its name: (what stands left of a comparison, the files where its names are compared)
FIELDS = {
    "scheme": (r"\bscheme", None),  # each in its own file
    "device": (r"\bdevice", ["engine/plan/choices.h"]),
    "guard": (r"\bguard", ["engine/plan/choices.h"]),
    "update": (r"\bupdate", ["engine/plan/choices.h"]),
    "hot updates": (r"\bhot\.updates", ["engine/plan/choices.h"]),
    "telemetry": (r"\btelemetry", ["engine/plan/choices.h"]),
    "step kind": (r"\b(step_?|schedule_?)\.kind", ["engine/plan/choices.h"]),
    "staleness rule": (r"\bstaleness(_|\.)rule", ["engine/plan/choices.h"]),
    "combine": (r"\bcombine", ["engine/plan/choices.h"]),
    "batch rule": (r"\bbatch(_|\.)rule", ["engine/plan/choices.h"]),
    "optimiser": (r"\boptimizer(\.name)?", ["engine/plan/choices.h"]),
    "state": (r"\boptimizer\.state", ["engine/plan/choices.h"]),
    "read": (r"\bread", ["engine/plan/choices.h"]),
    "GPU's steps": (r"\bgpu\.(steps|products)", ["engine/plan/choices.h"]),
    "order": (r"\border", []),
    "placement": (r"\bplacement", []),
    "problem": (r"\bproblem", []),
}

FREE = ["experiments/bench/"]
ALSO_OTHER_WORDS = {"columns", "replicated"}  # found where they stand beside the word scheme


def without_comments(text):
    """The code and its strings, line for line."""
    token = r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/"""
    return re.sub(token, lambda found: found.group(1) or re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def scheme_rows(files):
    """Each scheme's name, with the file of its row."""
    return {name: path for path, text in files.items() for name in ROW.findall(text)}


def offences(path, text, rows):
    """`file:line: what (why)` for every comparison with a name that belongs elsewhere."""
    found = []
    if path.startswith(tuple(FREE)):
        return found
    names = "|".join(re.escape(name) for name, own in rows.items() if own != path)
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        for scheme in re.findall(rf'[!=]= *"({names})"|"({names})" *[!=]=', line):
            name = "".join(scheme)
            if name not in ALSO_OTHER_WORDS:
                found.append(f'{path}:{number}: compared with the scheme "{name}" (ask traits(plan), engine/plan/scheme_traits.h)')
        for field, (left, own) in FIELDS.items():
            if path not in (rows.values() if own is None else own) and re.search(rf'{left}("\))? *[!=]= *"(?!auto")\w|"[\w-]+" *[!=]= *[\w.]*{left}\b', line):
                found.append(f"{path}:{number}: a {field} is compared by its name (ask its row, engine/plan/choices.h)")
    return found


ROWS = {"saga": "engine/schemes/saga.cpp", "hogwild": "engine/schemes/hogwild.cpp", "hogwild++": "engine/schemes/hogwild_pp.cpp",
        "replicated": "engine/schemes/replicated.cpp"}

PLANTED = [
    ("engine/run.cpp", 'if (plan.scheme == "saga") return;\n'),
    ("engine/run.cpp", 'if (name != "hogwild++") return;\n'),
    ("engine/run.cpp", 'if ("hogwild" == plan.scheme) return;\n'),
    ("engine/schemes/hogwild.cpp", 'const bool is = plan.scheme=="saga";\n'),
    ("engine/run.cpp", 'if (plan.scheme == "replicated") return;\n'),
    ("engine/run.cpp", 'if (row.text("scheme") == "unheard-of") return;\n'),
    ("kernels/a.h", 'if (scheme == "saga") return;\n'),
    ("engine/run.cpp", 'if (plan.device != "cpu") return;\n'),
    ("experiments/compare/compare.cpp", 'if (row.text("device") != "cpu") return;\n'),
    ("engine/run.cpp", 'if (plan.guard == "publish") return;\n'),
    ("engine/run.cpp", 'if ("noop" == plan.update) return;\n'),
    ("engine/run.cpp", 'if (plan.hot.updates == "thinned") return;\n'),
    ("engine/run.cpp", 'if (job_.plan.telemetry == "exact") return;\n'),
    ("engine/order/schedule.cpp", 'if (step_.kind == "backoff") return;\n'),
    ("engine/run.cpp", 'if (plan.staleness.rule != "none") return;\n'),
    ("engine/run.cpp", 'if (plan.exchange.combine == "average") return;\n'),
    ("engine/run.cpp", 'if (plan.batch.rule == "fixed") return;\n'),
    ("engine/run.cpp", 'if (plan.optimizer.name == "sgd") return;\n'),
    ("engine/run.cpp", 'if (plan.optimizer.state == "shared") return;\n'),
    ("engine/run.cpp", 'if (plan.network.read == "copy") return;\n'),
    ("engine/run.cpp", 'if (plan.gpu.steps == "graphs") return;\n'),
    ("engine/run.cpp", 'if (plan.order != "replacement") return;\n'),
    ("engine/run.cpp", 'if (plan.placement == "hottest") return;\n'),
    ("experiments/a.cpp", 'return plan.problem == "cut";\n'),
]

INNOCENT = [
    ("engine/schemes/saga.cpp", 'if (plan.scheme == "saga") return;\n'),
    ("engine/run.cpp", '// if (plan.scheme == "saga")\nif (traits(plan).guards) return;\n'),
    ("engine/run.cpp", 'if (field == "columns" || kind == "replicated") plan.scheme = "saga";\n'),
    ("engine/plan/choices.h", 'return plan.telemetry != "off";\n'),
    ("engine/plan/plan.cpp", 'if (axis == "device") return kDevices;\n'),
    ("experiments/bench/a_bench.cpp", 'if (device == "gpu") return;\n'),
    ("experiments/a.cpp", 'if (plan.hot.updates == "auto") choose(plan);\n'),  # an option's word, no plan's
    ("experiments/a.cpp", 'if (outcome.status == "done") return "hogwild";\n'),
]


def main():
    problems = [f"rule lost: {path} may say {text!r}" for path, text in PLANTED if not offences(path, text, ROWS)]
    problems += [f"false alarm: {found}" for path, text in INNOCENT for found in offences(path, text, ROWS)]
    files = {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for floor in FLOORS
        for file in sorted((ROOT / floor).rglob("*"))
        if file.suffix in SUFFIXES
    }
    rows = scheme_rows(files)
    for path, text in files.items():
        problems += offences(path, text, rows)
    if "serial" not in rows:
        problems.append("no rows of schemes were found (this test reads them)")
    print("\n".join(problems))
    print(f"{len(files)} files, {len(rows)} schemes, {len(PLANTED)} planted offences, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
