"""Columns of summary.csv and trace.csv that several scripts name; schema.json lists them all."""

from plot.schema import columns

TRACE_COLUMNS = columns("trace_row")
SCORES = TRACE_COLUMNS[TRACE_COLUMNS.index("test_loss") + 1:TRACE_COLUMNS.index("optimality_bound")]  # a problem's own
HIGHER_IS_BETTER = ("cut_accuracy", "spearman_men", "spearman_ws353", "analogy_accuracy")  # of SCORES
NO_SPARSE_ROWS = ("factorization", "cut", "skipgram", "network")  # problems of other samples
NOT_CONVEX = ("factorization", "skipgram", "network")  # problems on which a run may leave a loss that it had come to, for good
SUMMARY_COLUMNS = columns("summary_row")
AXES = SUMMARY_COLUMNS[SUMMARY_COLUMNS.index("problem"):SUMMARY_COLUMNS.index("status")]
PARAMETERS = ("rank", "biases", "damp_above", "dim", "negatives", "window", "subsample", "shared_negatives", "network")  # of AXES: of models
USUAL = {"biases": "1", "damp_above": "0", "shared_negatives": "1"}  # of PARAMETERS: switches that models have unless asked
OBJECTIVE = ("problem", "data", "l2", "l1", *PARAMETERS, "delay")  # of AXES: what is minimised, on what, and what a gradient costs


def update_of(plan):
    """What summary.csv calls the update of a manifest's plan: racy, or racy+delayed where increments of hot coordinates are."""
    return "+".join(str(plan[name]) for name in ("update", "hot_updates") if plan.get(name))
