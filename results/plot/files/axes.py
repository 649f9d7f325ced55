"""Which of the axes, columns of summary.csv, are of models and of what is minimised, and which of them name a variant."""

PARAMETERS = ("rank", "biases", "damp_above", "dim", "negatives", "window", "subsample", "shared_negatives", "network")  # of models
USUAL = {"biases": "1", "damp_above": "0", "shared_negatives": "1"}  # of PARAMETERS: switches that models have unless asked
OBJECTIVE = ("problem", "data", "l2", "l1", *PARAMETERS, "delay")  # what is minimised, on what, and what a gradient costs
# Axes that tell two runs of one method apart when they were varied on purpose; workers and seed have their own place.
VARIANT_AXES = ("hot", "order", "pin", "lanes", "telemetry", "step", "step_size", "decay", "warm_up", "batch", "gpu_batch", "batch_rule", "batch_most",
                "exchange", "cluster", "backup", "exchange_doublings", "combine", "coupling", "read",
                "gpu_steps", "products", "layer_update", "optimizer", "state", "beta1", "beta2", "staleness_rule", "staleness_limit", "epochs")
