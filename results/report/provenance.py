"""Which machine and which build measured a run, as its manifest says; what differs between runs that stand side by side."""

from plot.files import naming

NAMED = 4  # values that a sentence names


def part(run, name):
    found = run.manifest.get(name)
    return found if isinstance(found, dict) else {}


def machine(run):
    return part(run, "machine")


def build(run, key):
    return str(part(run, "build").get(key, ""))


def program(run):
    """The build of a sweep's run: the commit and, where that does not tell builds apart, the program's hash."""
    return str(part(run, "ended").get("build", ""))


def day(run):
    """2026-11-23, UTC."""
    return str(run.manifest.get("started", ""))[:10]


def text(value):
    return "" if value is None else str(value)


def computer(run):
    """Its processor and, where the run says so, what tells it from others of that kind."""
    boot = text(machine(run).get("boot"))
    return text(machine(run).get("cpu")) + (f" ({boot})" if boot else "")


FACTS = (("machines", computer), ("numbers of cores", lambda run: text(machine(run).get("cores"))),
         ("commits", lambda run: build(run, "commit")), ("compilers", lambda run: build(run, "compiler")),
         ("compile flags", lambda run: build(run, "flags")))


def differing(runs):
    """A sentence for each fact that is not the same for all."""
    found = []
    for what, of in FACTS:
        different = list(dict.fromkeys(filter(None, map(of, runs))))
        if len(different) > 1:
            found.append(f"Runs of {len(different)} {what}: " + naming.printable("; ".join(different[:NAMED])) + ".")
    return found
