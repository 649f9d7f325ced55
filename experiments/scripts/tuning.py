"""Tuning, the same in experiments/scripts/rivals and experiments/scripts/devices. It is the problem and its target, methods, the grid of
their steps, and the choice of a step by the time to the target."""
import json
import os
import statistics

from calling import ask, refuse

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "results", "axes.json"), encoding="utf-8") as file:
    LISTED = json.load(file)  # as `hogwild schema` prints it


def listed(part, **wanted):
    """The names in a part of the list of whatever has the wanted properties."""
    return tuple(each["name"] for each in LISTED[part] if all(each[name] == value for name, value in wanted.items()))


def row_of(part, name):
    """What the list says of a name: {property: value}."""
    return next(each for each in LISTED[part] if each["name"] == name)


LINEAR = listed("problems", sparse_rows=True)  # samples have norms, optima are certified
SERIAL = listed("schemes", kind="serial")
STEPS = tuple(3.0**k for k in range(-2, 6))  # times a method's unit, times the base
ONE = 0.1  # the unit of a step on one sample of norm 1


def add_problem(parser):
    parser.add_argument("--problem", default="hinge", help="what is minimised (default: hinge)")
    parser.add_argument("--target", default="gap:1e-2", metavar="LOSS|gap:X",
                        help=f"a gap only of {', '.join(LINEAR[:-1])} and {LINEAR[-1]} (default: gap:1e-2)")


def check_target(arguments):
    if arguments.target.startswith("gap:") and arguments.problem not in LINEAR:
        refuse(f"--target {arguments.target} is no target of {arguments.problem}", "nothing certifies its optimum",
               "name a loss, --target 0.3")


def problem_options(arguments):
    """The options of every `hogwild run`. Problems that are not linear take hogwild's lambda."""
    shrink = ["--l2", "1e-4"] if arguments.problem in LINEAR else []
    return ["--problem", arguments.problem, *shrink, "--target", arguments.target]


def base_of(arguments):
    """1 / squared norm of the samples, 1 where they have none; ends where the data cannot be read."""
    facts = ask(arguments.program, "data", arguments.path, "--problem", arguments.problem)
    return arguments.base or (1 / facts["row_norms"]["mean"] ** 2 if "row_norms" in facts else 1.0)


class Method:
    """`options` of `hogwild run`; `axis` and `values`: what is tuned besides the step, in rising order. A batch's step
    multiplies a mean over its samples, so its unit grows with the batch."""

    def __init__(self, name, options, axis=None, values=(None,), slow=False):
        self.name, self.options, self.axis, self.values, self.slow = name, options.split(), axis, values, slow

    @property
    def serial(self):
        return self.axes().get("scheme") in SERIAL

    def axes(self):
        """{"device": "gpu", ...}: what the columns of a run that has none would say."""
        return dict(zip((word.removeprefix("--") for word in self.options[::2]), self.options[1::2]))

    def steps(self, base, value, grid=STEPS):
        unit = ONE * (value if self.axis == "batch" else 1)
        return [f"{base * unit * step:.3g}" for step in grid]

    def arguments(self, value):
        return self.options + ([] if self.axis is None else [f"--{self.axis}", str(value)])

    def row_name(self, value):
        """The method's name in a row: a batch is part of it, other axes have columns of their own."""
        return f"{self.name} {value}" if self.axis == "batch" else self.name


def choose(method, base, measure, grid=STEPS):
    """The best (value, step), and whether it lies at an edge; `measure(value, steps)` gives rows of summary.csv."""
    results = {}
    for value in method.values:
        steps = method.steps(base, value, grid)
        rows = measure(value, steps)
        for step in steps:
            results[value, step] = badness([row for row in rows if float(row["step_size"]) == float(step)])
    value, step = min(results, key=results.get)
    edges = [method.values[0], method.values[-1]] if len(method.values) > 1 else []
    steps = method.steps(base, value, grid)
    return value, step, step in (steps[0], steps[-1]) or value in edges


def badness(rows):
    """Median time to target, where a miss takes forever; among steps that mostly missed, the lower loss is better. A step that
    `hogwild run` leaves out, since it would forget at once, has no rows."""
    if not rows:
        return (float("inf"), float("inf"))
    seconds = statistics.median(float(row["seconds_to_target"] or "inf") for row in rows)
    return (seconds, statistics.median(float(row["train_loss"] or "inf") for row in rows))
