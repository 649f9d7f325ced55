#!/usr/bin/env python3
"""Nobody compares with the name of a scheme, a device, a guard and so on, but where its properties are declared.

A scheme's own file ends with its row (engine/plan/scheme_traits.h). Rows of other names stand in
engine/plan/choice_rows.h, those of placements in engine/data/sparse/placement.h, those of how runs end in
engine/record/status.h. Everybody else asks the rows. Benchmark programs and tests set up plans of their own, and may
look at them.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ["kernels", "engine", "experiments"]
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".in"}
ROW = re.compile(r'SchemeTraits k\w+Scheme\{\s*\.name = "([a-z+-]+)"')

# Tables of rows with names: comparisons with these names are found whatever stands left of them.
TABLES = ["engine/plan/choice_rows.h", "engine/data/sparse/placement.h"]
TABLE_ROW = re.compile(r'^    \{(?:\.name = )?"([a-z0-9-]+)"', re.MULTILINE)
BARE = r"\b(?:kind|name|which|chosen)_?(?:\(\))?"  # what a parameter is called that holds a name

# A field of a plan, or the column of its name: (what stands left of a comparison, the files where its names are compared)
FIELDS = {
    "scheme": (r"\bscheme", None),  # each in its own file
    "device": (r"\bdevice", ["engine/plan/choices.cpp"]),
    "guard": (r"\bguard", ["engine/plan/choices.cpp"]),
    "update": (r"\bupdate", ["engine/plan/choices.cpp"]),
    "hot updates": (r"\bhot\.updates", ["engine/plan/choices.cpp"]),
    "telemetry": (r"\btelemetry", ["engine/plan/choices.cpp"]),
    "step kind": (r"\b(step_?|schedule_?)\.kind", ["engine/plan/choices.cpp"]),
    "staleness rule": (r"\bstaleness(_|\.)rule", ["engine/plan/choices.cpp"]),
    "combine": (r"\bcombine", ["engine/plan/choices.cpp"]),
    "batch rule": (r"\bbatch(_|\.)rule", ["engine/plan/choices.cpp"]),
    "optimiser": (r"\boptimizer(\.name)?", ["engine/plan/choices.cpp"]),
    "state": (r"\boptimizer\.state", ["engine/plan/choices.cpp"]),
    "read": (r"\bread", ["engine/plan/choices.cpp"]),
    "GPU's steps": (r"\bgpu\.(steps|products)", ["engine/plan/choices.cpp"]),
    "order": (r"\border", []),
    "placement": (r"\bplacement", []),
    "pin": (r"\bpin", []),
    "problem": (r"\bproblem", []),
    "status": (r"\bstatus", ["engine/record/status.h"]),
    "lanes": (r"\blanes", []),
    "reach": (r"\breach", []),
}

# Comparisons in disguise: what they do, (how they look, the files that may)
DISGUISES = {
    "a class's name is compared": (r"[!=]= *(\w+::)*[A-Z]\w*::name\b|\b[A-Z]\w*::name *[!=]=", ["experiments/compare/compare_settings.cpp"]),
    "a field is searched for a name": (r'"[\w+-]+", *&Plan::', []),
    "a part of a name is looked at": (
        r'\b(scheme|device|guard|update|problem|placement|order|pin|lanes|status)("\))?\.(starts_with|ends_with|contains|find)\("', []),
    "the word auto stands for itself": (r'"auto"', ["engine/plan/names.h", "engine/plan/plan.h"]),
    "the samples are known by the name of their option": (r'\b(option|column) *[!=]= *"data"', ["experiments/compare/compare_settings.cpp"]),
    "a row is known by its place": (r"\bk\w*(Traits|Rows)\[\d+\]", []),
    "an optimiser is known by its number": (r"\boptimizer_?\.kind *[!=]= *\d", []),
    "a sentence begins with the name of an update policy": (r'"(racy|atomic|cas-bounded|noop) [a-z]', []),
}

ROWS_SET = {"status"}  # set from a row, too
FREE = ["experiments/bench/"]
OTHER_WORDS = {"none", "stored", "sum", "average", "fixed", "shared", "linear", "constant", "decay", "replicated", "both"}  # in tables
ALSO_OTHER_WORDS = {"columns", "replicated"}  # found where they stand beside the word scheme


def without_comments(text):
    """The code and its strings, line for line."""
    token = r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/"""
    return re.sub(token, lambda found: found.group(1) or re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def scheme_rows(files):
    """Each scheme's name, with the file of its row."""
    return {name: path for path, text in files.items() for name in ROW.findall(text)}


def table_names(files):
    """Names of the rows of TABLES."""
    return {name for table in TABLES for name in TABLE_ROW.findall(files.get(table, ""))}


def compared_names(line, names):
    """Names of rows that a line compares with, by themselves where they mean nothing else. All of them through a
    parameter that holds a name, and parts of names."""
    alone = "|".join(re.escape(name) for name in sorted(names - OTHER_WORDS))
    every = "|".join(re.escape(name) for name in sorted(names))
    found = re.findall(rf'[!=]= *"({alone})"|"({alone})" *[!=]=', line)
    found += re.findall(rf'{BARE} *[!=]= *"({every})"|"({every})" *[!=]= *{BARE}(?![\w.])', line)
    parts = re.findall(rf'{BARE}\.(?:starts_with|ends_with|contains|find)\("([^"]+)"', line)
    return {"".join(pair) for pair in found} | {part for part in parts if any(part in name for name in names)}


def offences(path, text, rows, tables):
    """`file:line: what (why)` for every comparison with a name that belongs elsewhere."""
    found = []
    if path.startswith(tuple(FREE)):
        return found
    names = "|".join(re.escape(name) for name, own in rows.items() if own != path)
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        for scheme in re.findall(rf'[!=]= *"({names})"|"({names})" *[!=]=', line):
            name = "".join(scheme)
            if name not in ALSO_OTHER_WORDS:
                found.append(f'{path}:{number}: compared with the scheme "{name}" (ask scheme_traits(plan), engine/plan/scheme_traits.h)')
        for scheme in re.findall(rf'\{{ *"scheme", *"({names})" *\}}', line):
            found.append(f'{path}:{number}: the scheme "{scheme}" is asked for (ask its row, engine/plan/scheme_traits.h)')
        for name in sorted(compared_names(line, tables)):
            found.append(f'{path}:{number}: compared with the name "{name}" (ask its row, {" or ".join(TABLES)})')
        for disguise, (look, homes) in DISGUISES.items():
            if path not in homes and re.search(look, line):
                found.append(f"{path}:{number}: {disguise} (ask what is so)")
        for field, (left, own) in FIELDS.items():
            sign = "[!=]?=" if field in ROWS_SET else "[!=]="
            if path not in (rows.values() if own is None else own) and re.search(rf'{left}("\))? *{sign} *"\w|"[\w-]+" *[!=]= *[\w.]*{left}\b', line):
                found.append(f"{path}:{number}: a {field} is compared by its name (ask its row, engine/plan/choices.h)")
    return found


ROWS = {"saga": "engine/schemes/saga.cpp", "hogwild": "engine/schemes/hogwild.cpp", "hogwild++": "engine/schemes/hogwild_pp.cpp",
        "replicated": "engine/schemes/replicated.cpp"}

NAMES = {"permutation", "replacement", "stored", "none", "cores", "numa", "hottest", "scattered", "hot-first", "hot-apart", "gpu", "replicated"}

PLANTED = [
    ("engine/order/order.cpp", 'return kind == "permutation" && data.tile_side() == 0;\n'),
    ("engine/order/order.h", 'constexpr bool repeats(std::string_view kind) { return kind == "replacement"; }\n'),
    ("engine/order/order.cpp", 'const OrderKind meant = kind == "stored" ? OrderKind::kStored : rest;\n'),
    ("engine/data/sparse/placement.cpp", 'if (kind != "hot-apart") return 0;\n'),
    ("engine/data/sparse/placement.h", 'bool leads(std::string_view kind) { return kind == "hottest"; }\n'),
    ("engine/plan/meaning.cpp", 'return plan.placement.starts_with("hot-");\n'),
    ("engine/plan/meaning.cpp", 'return name.starts_with("hot-");\n'),
    ("engine/a.cpp", 'return kind.ends_with("apart");\n'),
    ("engine/a.cpp", 'if (kind_ == "stored") return;\n'),
    ("engine/a.cpp", 'if ("none" == name) return;\n'),
    ("engine/a.cpp", 'if (word == "scattered") return;\n'),
    ("engine/workers/placement.cpp", 'if (name == "none") return Pin::kNone;\n'),
    ("engine/workers/placement.cpp", 'if (name == "numa") return Pin::kNuma;\n'),
    ("engine/run.cpp", 'if (plan.pin != "none") bind();\n'),
    ("engine/plan/choices.cpp", 'return plan.order == "stored";\n'),
    ("experiments/plans/product.cpp", 'if (plan.hot.updates == "auto") choose(plan);\n'),
    ("experiments/a.cpp", 'return std::ranges::find(axes.texts("hot_updates"), "auto") != end;\n'),
    ("experiments/a.cpp", 'check_name("scheme", scheme, "auto");\n'),
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
    ("experiments/a.cpp", 'if (outcome.status != "done") return;\n'),
    ("experiments/a.cpp", 'if (row.text("status") == "diverged") return;\n'),
    ("experiments/a.cpp", 'outcome.status = "failed";\n'),
    ("engine/run.cpp", 'if (plan.update == Racy::name) return;\n'),
    ("engine/run.cpp", 'if (update != hogwild::Noop::name) return;\n'),
    ("experiments/a.cpp", 'if (Network::name == plan.problem) return;\n'),
    ("experiments/a.cpp", 'return std::ranges::find(plans, "serial", &Plan::scheme) != plans.end();\n'),
    ("experiments/a.cpp", 'return compare_with_best(summary, {{"scheme", "saga"}}, metric);\n'),
    ("experiments/a.cpp", 'return plan.placement.starts_with("hot-");\n'),
    ("experiments/a.cpp", 'return row.text("device").ends_with("pu");\n'),
    ("experiments/sweep/a.cpp", 'if (axis.option == "data") return;\n'),
    ("experiments/compare/a.cpp", 'const bool is = column != "data";\n'),
    ("experiments/compare/a.cpp", 'if (metric.reach == "target") return;\n'),
    ("engine/run.cpp", 'if (plan.lanes == "avx512") return;\n'),
    ("experiments/compare/a.cpp", 'if (row.text("device") != kDeviceTraits[0].name) return;\n'),
    ("kernels/cuda/a.cuh", 'if (optimizer.kind != 0) return;\n'),
    ("engine/plan/a.cpp", 'return fmt::format("noop writes nothing that could be {}", plan.hot.updates);\n'),
]

INNOCENT = [
    ("engine/schemes/saga.cpp", 'if (plan.scheme == "saga") return;\n'),
    ("engine/run.cpp", '// if (plan.scheme == "saga")\nif (scheme_traits(plan).guards) return;\n'),
    ("engine/run.cpp", 'if (field == "columns" || word == "replicated") plan.scheme = "saga";\n'),
    ("engine/plan/choices.cpp", 'return plan.telemetry != "off";\n'),
    ("engine/plan/plan.cpp", 'if (axis == "device") return kDevices;\n'),
    ("experiments/bench/a_bench.cpp", 'if (device == "gpu") return;\n'),
    ("experiments/a.cpp", 'if (is_auto(plan.hot.updates)) choose(plan);\n'),
    ("engine/a.cpp", 'if (part.value != "stored" && row.kind != "end") return;\n'),
    ("engine/a.cpp", 'if (name.starts_with("synthetic:images")) return;\n'),
    ("experiments/a.cpp", 'if (status_traits(outcome.status).done) return "hogwild";\n'),
    ("experiments/a.cpp", 'const auto at = std::ranges::find(rows, name, &Row::name);\n'),
    ("experiments/a.cpp", 'plan.problem = Network::name;\n'),
    ("experiments/a.cpp", 'if (name == "data") read(table);\n'),  # a part of a sweep's file
    ("experiments/a.cpp", 'if (run.starts_with("tuning/")) return;\n'),
]


def main():
    problems = [f"rule lost: {path} may say {text!r}" for path, text in PLANTED if not offences(path, text, ROWS, NAMES)]
    problems += [f"false alarm: {found}" for path, text in INNOCENT for found in offences(path, text, ROWS, NAMES)]
    files = {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for floor in FLOORS
        for file in sorted((ROOT / floor).rglob("*"))
        if file.suffix in SUFFIXES
    }
    rows = scheme_rows(files)
    tables = table_names(files)
    for path, text in files.items():
        problems += offences(path, text, rows, tables)
    if "serial" not in rows:
        problems.append("no rows of schemes were found (this test reads them)")
    problems += [f"no row has the name {name} (this test reads {', '.join(TABLES)})" for name in sorted(NAMES - tables)]
    print("\n".join(problems))
    print(f"{len(files)} files, {len(rows)} schemes, {len(PLANTED)} planted offences, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
