"""Columns of summary.csv and trace.csv that several scripts name."""

SCORES = ("test_error", "test_rmse", "train_rmse", "cut_value", "cut_accuracy", "spearman_men", "spearman_ws353", "analogy_accuracy")  # a problem's own
HIGHER_IS_BETTER = ("cut_accuracy", "spearman_men", "spearman_ws353", "analogy_accuracy")  # of SCORES
NO_SPARSE_ROWS = ("factorization", "cut", "skipgram", "network")  # problems of other samples
NOT_CONVEX = ("factorization", "skipgram", "network")  # problems on which a run may leave a loss that it had come to, for good
TRACE_COLUMNS = ("seconds", "epoch", "updates", "train_loss", "test_loss", *SCORES, "optimality_bound")
AXES = ("problem", "data", "scheme", "update", "guard", "device", "memory", "placement", "threads", "streams", "blocks", "hot",
        "hot_rule", "bridge_rule", "bridge_pause", "delay", "order", "pin", "lanes", "telemetry", "step", "step_size", "decay", "warm_up", "batch",
        "gpu_batch", "batch_rule", "batch_most", "exchange", "cluster", "backup", "exchange_doublings", "combine", "coupling", "l2", "l1", "epochs", "rank", "biases", "damp_above", "dim", "negatives", "window", "subsample", "shared_negatives", "network", "read",
        "gpu_steps", "products", "layer_update", "optimizer", "state", "beta1", "beta2", "staleness_rule", "staleness_limit", "seed")
PARAMETERS = ("rank", "biases", "damp_above", "dim", "negatives", "window", "subsample", "shared_negatives", "network")  # of AXES: of models
USUAL = {"biases": "1", "damp_above": "0", "shared_negatives": "1"}  # of PARAMETERS: switches that models have unless asked
OBJECTIVE = ("problem", "data", "l2", "l1", *PARAMETERS, "delay")  # of AXES: what is minimised, on what, and what a gradient costs


def update_of(plan):
    """What summary.csv calls the update of a manifest's plan: racy, or racy+delayed where increments of hot coordinates are."""
    return "+".join(str(plan[name]) for name in ("update", "hot_updates") if plan.get(name))
