"""Columns of summary.csv and trace.csv that several scripts name; schema.json lists them all."""

from plot.files.schema import columns

TRACE_COLUMNS = columns("trace_row")
SCORES = TRACE_COLUMNS[TRACE_COLUMNS.index("test_loss") + 1:TRACE_COLUMNS.index("optimality_bound")]  # a problem's own
HIGHER_IS_BETTER = ("cut_accuracy", "spearman_men", "spearman_ws353", "analogy_accuracy")  # of SCORES
NO_SPARSE_ROWS = ("factorization", "cut", "skipgram", "network")  # problems of other samples
NOT_CONVEX = ("factorization", "skipgram", "network")  # problems on which a run may leave a loss that it had come to, for good
SUMMARY_COLUMNS = columns("summary_row")
AXES = SUMMARY_COLUMNS[SUMMARY_COLUMNS.index("problem"):SUMMARY_COLUMNS.index("status")]


def update_of(plan):
    """What summary.csv calls the update of a manifest's plan: racy, or racy+delayed where increments of hot coordinates are."""
    return "+".join(str(plan[name]) for name in ("update", "hot_updates") if plan.get(name))
