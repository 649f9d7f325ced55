"""Result folders as `hogwild run -o DIR` writes them, made up: convex decay, threads that scale, one run that diverges.

Numbers come from formulas, not from a generator, so that every run of a test sees the same folder. Importing this module
also puts results/ on the import path.
"""

import csv
import json
import math
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[2] / "results"
sys.path.insert(0, str(RESULTS))

from plot.files import schema

SUMMARY = list(schema.columns("summary_row"))
STALENESS = ("device", "from", "to", "steps")
LAYER_STALENESS = ("device", "layer", "from", "to", "steps")
BATCHES = ("device", "seconds", "batch", "steps")
TRACE = list(schema.columns("trace_row"))

ROWS = 39063
OPTIMUM = 0.2731
START = 1.0

# name -> (updates per second at one thread, share that does not scale, epochs to lose a factor e)
METHODS = {
    ("serial", "", ""): (15.1e6, 0.0, 1.30),
    ("hogwild", "racy", "none"): (13.9e6, 0.10, 1.32),
    ("hogwild", "atomic", "none"): (4.2e6, 0.06, 1.31),
    ("hogwild", "", "locked"): (1.9e6, 0.25, 1.31),
    ("round-robin", "", ""): (8.0e6, 1.6, 1.30),
    ("minibatch", "", ""): (12.0e6, 0.07, 2.1),
}


def make_run(folder, name, method, threads, seed=1, data="synthetic:rcv1/20", problem="hinge", status="done", epochs=5,
             bound=True, optimum=True, seconds_scale=1.0, **axes):
    """Writes DIR/<name>/ and returns its row of summary.csv."""
    scheme, update, guard = method
    rate, serial_share, decay = METHODS[method]
    rate = rate / seconds_scale * threads / (1 + serial_share * (threads - 1)) * (1 + 0.03 * math.sin(7 * seed + threads))
    pace = 1 + 0.02 * threads * (scheme == "hogwild") + 0.05 * math.sin(seed)
    trace = []
    for tenth in range(10 * epochs + 1):
        epoch = tenth / 10
        wobble = 1 + 0.06 * math.sin(1.7 * tenth + threads + len(update) + seed)
        gap = (START - OPTIMUM) * (0.997 * math.exp(-epoch / (decay * pace)) + 0.003) * (wobble if tenth else 1)
        if status == "diverged" and tenth > 12:
            gap *= math.exp(0.55 * (tenth - 12))
        loss = OPTIMUM + gap
        trace.append({"seconds": epoch * ROWS / rate, "epoch": epoch, "updates": int(epoch * ROWS), "train_loss": loss,
                      "test_loss": loss * 1.04, "test_error": min(0.5, 0.04 + 0.3 * gap),
                      "test_rmse": "", "train_rmse": "", "cut_value": "", "cut_accuracy": "", "spearman_men": "", "spearman_ws353": "",
                      "analogy_accuracy": "", "optimality_bound": gap if bound else ""})
        if status == "diverged" and loss > 10 * START or status == "interrupted" and tenth >= 20:
            break
    run = Path(folder) / name
    run.mkdir(parents=True)
    write_table(run / "trace.csv", TRACE, trace)
    row = dict.fromkeys(SUMMARY, "")
    row.update(run=name, problem=problem, data=data, scheme=scheme, update=update, guard=guard,
               device="cpu", memory="host", numbers="float32", rounding="unbiased", placement="stored", delay=0,
               threads="" if scheme == "serial" or axes.get("device") == "gpu" else threads, order="permutation", pin="cores", lanes="auto",
               telemetry="off", step="decay", step_size=0.1, decay=0.9, batch=256 if scheme == "minibatch" else "",
               l2=1e-4, epochs=epochs, seed=seed)
    row.update(axes)
    last, target = trace[-1], OPTIMUM + 0.05 * (START - OPTIMUM)
    hit = next((seen for seen in trace if seen["train_loss"] <= target), None) if status == "done" else None
    row.update(status=status, reason="" if status == "done" else f"{status}, as planned",
               seconds=last["seconds"], updates=last["updates"], updates_per_second=rate, nonzeros_per_second=rate * 73,
               epochs_per_second=rate / ROWS, train_loss=last["train_loss"], test_loss=last["test_loss"],
               test_error=last["test_error"], optimality_bound=last["optimality_bound"],
               best_train_loss=min(seen["train_loss"] for seen in trace), copy_seconds=0.001, wait_share=0.01, least_share=0.9, rebases=0, core_wait_seconds=0.0001,
               target=target, target_of="train_loss", seconds_to_target=hit["seconds"] if hit else "", updates_to_target=hit["updates"] if hit else "")
    manifest = {
        "schema": schema.load()["version"], "run": name, "started": "2026-01-02T03:04:05Z",
        "command": ["hogwild", "run", "--data", data, "--problem", problem, "--threads", "1,2,4,8,16"],
        "plan": {"problem": problem, "scheme": scheme, "update": update or "racy", "guard": guard or "none",
                 "order": row["order"], "pin": row["pin"], "telemetry": "off", "lanes": row["lanes"], "threads": threads,
                 "device": row["device"], "memory": row["memory"], "placement": row["placement"],
                 "streams": row["streams"] or 2, "blocks": row["blocks"] or 132, "hot": row["hot"] or 0,
                 "hot_rule": row["hot_rule"] or 1, "bridge_rule": row["bridge_rule"] or 1, "bridge_pause": row["bridge_pause"] or 0, "delay": row["delay"],
                 "epochs": row["epochs"], "l2": row["l2"], "batch": row["batch"] or 256, "exchange": 4096, "cas_limit": 8,
                 "observations_per_epoch": 10, "seed": seed, "step": "decay", "step_size": row["step_size"], "decay": 0.9,
                 "half_life": 1.0, "plateau": 0.01},
        "axes": {axis: str(row[axis]) for axis in SUMMARY[SUMMARY.index("problem"):SUMMARY.index("seed")]},
        "plan_hash": "00112233aabbccdd", "seed": seed,
        "data": {"name": data, "hash": "0123456789abcdef", "rows": ROWS, "columns": 47236, "nonzeros": ROWS * 73},
        "test": None, "optimum": OPTIMUM if optimum else None, "optimum_attained": None, "initial_loss": START,
        "target": target,
        "machine": {"cpu": "Intel(R) Xeon(R) Platinum 8480C", "cores": 16},
        "build": {"compiler": "g++ 12.2.0", "flags": "-O3 -ffp-contract=off", "commit": "unknown"},
    }
    (run / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    return row


def make_gpu_run(folder, name, method=("hogwild", "atomic", "none"), device="gpu", streams=2, blocks=132, threads=4, memory=None,
                 hot=64, seconds_scale=0.01, **options):
    """Makes a run with a GPU: faster by the rows in flight, up to a point."""
    axes = dict(device=device, memory=memory or {"gpu": "device", "both": "replica"}[device])
    if method[0] == "hogwild":
        axes.update(streams=streams, blocks=blocks, hot=hot, hot_rule=1 if hot else "", placement="hot-first" if hot else "scattered")
    if axes["memory"] == "replica":
        axes.update(bridge_rule=1, bridge_pause=0)
    pace = 1 + 60 / (streams * (blocks or 132))
    return make_run(folder, name, method, threads, seconds_scale=seconds_scale * pace, **axes | options)


def write_table(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def keep_columns(path, columns):
    """Leaves a table these columns alone, as an older program wrote it."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    write_table(path, columns, [{column: row[column] for column in columns} for row in rows])


def make_staleness(run, counts):
    """Writes run/staleness.csv. `counts`: {"cpu" or "gpu": [(from, to, steps), ...]}"""
    write_table(Path(run) / "staleness.csv", STALENESS,
                [dict(zip(STALENESS, (device, *bucket))) for device, buckets in counts.items() for bucket in buckets])


def make_layer_staleness(run, layers, device="cpu"):
    """Writes run/layer_staleness.csv. `layers`: {number: [(from, to, steps), ...]}"""
    write_table(Path(run) / "layer_staleness.csv", LAYER_STALENESS,
                [dict(zip(LAYER_STALENESS, (device, layer, *bucket))) for layer, buckets in layers.items() for bucket in buckets])


def make_batches(run, batches):
    """Writes run/batches.csv. `batches`: {"cpu" or "gpu": [(seconds, batch, steps), ...]}"""
    write_table(Path(run) / "batches.csv", BATCHES,
                [dict(zip(BATCHES, (device, *change))) for device, changes in batches.items() for change in changes])


def make_summary(folder, rows):
    write_table(Path(folder) / "summary.csv", SUMMARY, rows)


def make_results(folder, threads=(1, 2, 4, 8, 16), methods=tuple(METHODS), seeds=(1,), diverge=("hogwild", "racy", "none"),
                 **options):
    """A whole product, serial once; `diverge` at the most threads diverges. Returns the rows."""
    rows = []
    for method in methods:
        for count in (1,) if method[0] == "serial" else threads:
            for seed in seeds:
                status = "diverged" if method == diverge and count == max(threads) else "done"
                rows.append(make_run(folder, f"{len(rows) + 1:03}-{method[0]}", method, count, seed, status=status, **options))
    make_summary(folder, rows)
    return rows
