"""Every option of `hogwild run` with two values that give other results, or why it may have none.

What is minimised, scored or written belongs to a run. Tests go through this list; one of them compares it with --help.
"""

CLASSES = "1 1:1 2:0.2\n2 2:1 3:0.1\n3 1:0.3 3:1\n1 1:0.9\n2 2:0.8\n3 3:0.7\n"
TEXT = " ".join(f"w{i % 7} w{i % 5} w{i % 3}" for i in range(400)) + "\n"
FILES = {
    "c3.svm": CLASSES,
    "c2.svm": CLASSES.replace("\n3 ", "\n1 ").replace("3 1:0.3", "1 1:0.3"),
    "other.svm": CLASSES[::-1][::-1].replace("0.2", "0.3"),
    "text": TEXT,
    "MEN-a": "w0 w1 3\nw1 w2 1\nw0 w4 2\nw3 w5 1.5\n",
    "MEN-b": "w0 w1 1\nw1 w2 3\nw0 w4 2\nw3 w6 1.5\n",
    "analogies": ": a\nw0 w1 w2 w3\n",
    "analogies2": ": a\nw0 w1 w2 w4\nw1 w2 w3 w4\n",
}

ROWS = ["--data", "c3.svm", "--positive-class", "1", "--scheme", "serial", "--epochs", "3"]
MADE = ["--data", "synthetic:rows=60,features=20,nonzeros=4", "--scheme", "serial", "--epochs", "2"]
HOGWILD = [*MADE[:2], "--scheme", "hogwild", "--epochs", "2", "--threads", "1"]
GROUPS = [*MADE[:2], "--scheme", "local-sgd", "--epochs", "2", "--threads", "2", "--oversubscribe"]
RATINGS = ["--problem", "factorization", "--data", "synthetic:ratings=300,users=20,items=15", "--scheme", "serial", "--epochs", "2"]
WORDS = ["--problem", "skipgram", "--data", "text", "--min-count", "1", "--dim", "4", "--scheme", "serial", "--epochs", "1"]
IMAGES = ["--problem", "network", "--data", "synthetic:images/2000", "--network", "dense 10", "--batch", "4", "--scheme", "serial", "--epochs", "1"]

# option: (the rest of the command, one value, another)
CASES = {
    "problem": (MADE, "hinge", "logistic"), "scheme": (MADE, "serial", "minibatch"), "update": (HOGWILD, "racy", "noop"),
    "guard": (HOGWILD, "none", "locked"), "numbers": (MADE, "float32", "bf16"),
    "rounding": ([*MADE, "--numbers", "bf16"], "unbiased", "nearest"), "placement": (MADE, "stored", "hottest"),
    "threads": (GROUPS, "2", "3"), "delay": (HOGWILD, "0", "1e-6"), "order": (MADE, "permutation", "stored"), "pin": (HOGWILD, "none", "cores"),
    "lanes": (MADE, "scalar", "auto"), "telemetry": (HOGWILD, "off", "exact"), "hot-updates": (HOGWILD, "direct", "delayed"),
    "step": (MADE, "decay", "constant"), "step-size": (MADE, "0.1", "0.2"), "step-scale": (MADE, "1", "2"), "decay": (MADE, "0.9", "0.5"),
    "warm-up": (MADE, "0", "0.5"), "batch": ([*MADE[:2], "--scheme", "minibatch"], "4", "8"), "exchange": (GROUPS, "5", "10"),
    "cluster": ([*MADE[:2], "--scheme", "replicated", "--threads", "2", "--oversubscribe"], "1", "2"),
    "backup": ([*MADE[:2], "--scheme", "backup-workers", "--threads", "3", "--oversubscribe"], "1", "2"),
    "exchange-doublings": (GROUPS, "0", "2"), "combine": (GROUPS, "average", "sum"),
    "coupling": ([*GROUPS, "--combine", "sequential"], "2", "4"),
    "l2": (MADE, "0", "0.1"), "epochs": (MADE, "1", "2"), "seed": (MADE, "1", "2"), "network": (IMAGES, "dense 10", "dense 5 relu; dense 10"),
    "read": (IMAGES, "in-place", "copy"), "optimizer": (IMAGES, "sgd", "momentum"), "rank": (RATINGS, "2", "3"),
    "beta1": ([*IMAGES, "--optimizer", "momentum"], "0.5", "0.9"), "beta2": ([*IMAGES, "--optimizer", "rmsprop"], "0.5", "0.9"),
    "dim": (WORDS, "4", "5"), "negatives": (WORDS, "2", "3"), "window": (WORDS, "2", "3"), "subsample": (WORDS, "1e-3", "1e-1"),
    "half-life": ([*MADE, "--step", "inverse-time"], "1", "2"), "plateau": ([*MADE[:-1], "6", "--step", "backoff"], "0.01", "0.9"),
    "l1": ([*MADE[:2], "--problem", "logistic", "--scheme", "saga", "--epochs", "2"], "0", "0.1"),
    "int8-range": ([*MADE, "--numbers", "int8", "--l2", "1e-4"], "1", "4"), "cas-limit": ([*HOGWILD, "--update", "cas-bounded"], "1", "8"),
    "observe": (MADE, "1", "4"), "data": (ROWS, "c3.svm", "other.svm"), "test": (ROWS, "other.svm", "held-out:0.4"),
    "split-seed": ([*MADE, "--test", "held-out:0.3"], "1", "2"), "positive-class": (ROWS, "1", "3"),
    "min-count": (WORDS, "1", "130"), "similarity": (WORDS, "MEN-a", "MEN-b"), "analogies": (WORDS, "analogies", "analogies2"),
    "target": (MADE, "0.5", "0.1"),
}
# option without a value: the rest of the command
FLAGS = {"real-labels": ["--data", "c2.svm", "--problem", "squared", "--scheme", "serial", "--epochs", "2"],
         "optimum": [*MADE, "--problem", "logistic", "--l2", "0.1"]}
FREE = {  # option: why it may be shared
    "gpu": "wants a GPU; the plan's hash has it",
    "layers": "of workers whose result depends on the clock; the plan's hash has it",
    "where": "says where things lie, not what they are",
    "shown": "says what is printed, drawn or written beside the result",
    "runs": "says which runs there are, in which order, or what comes before the first",
}
WHY_FREE = {
    **dict.fromkeys("device memory streams blocks hot hot-rule bridge-rule bridge-pause gpu-batch batch-rule batch-most gpu-steps products".split(), "gpu"),
    **dict.fromkeys("layer-update state staleness-rule staleness-limit biases damp-above shared-negatives".split(), "layers"),
    **dict.fromkeys("no-cache cache output".split(), "where"),
    **dict.fromkeys("help save grid tensorboard json quiet plot no-plot checkpoint resume".split(), "shown"),
    **dict.fromkeys("oversubscribe in-order no-warm-up budget".split(), "runs"),
}


def without(words, option):
    """The words but for an option and its value."""
    at = words.index(f"--{option}") if f"--{option}" in words else len(words)
    return words[:at] + words[at + 2:]


def commands():
    """Of each option the words of two runs, which differ by it alone."""
    pairs = {name: tuple([*without(rest, name), f"--{name}", value] for value in values) for name, (rest, *values) in CASES.items()}
    return pairs | {name: (rest, [*rest, f"--{name}"]) for name, rest in FLAGS.items()}


def write_files(folder):
    """The files that these commands read."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
