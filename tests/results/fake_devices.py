"""Files of experiments/scripts/devices, made up: every device on every kind of memory that it reaches, serial and minibatch."""

import fake_runs

HEADER = ["method", "at_edge", *fake_runs.SUMMARY]
SAMPLES = 1000

# device -> kind of memory -> samples per second of (CPU threads, the GPU)
SPEEDS = {
    "cpu": {"host": (2.9e6, 0), "mapped": (2.8e6, 0), "managed": (2.7e6, 0), "managed-host": (2.75e6, 0),
            "managed-device": (2.6e6, 0)},
    "gpu": {"mapped": (0, 0.55e6), "managed": (0, 140e6), "managed-host": (0, 0.14e6), "managed-device": (0, 141e6),
            "device": (0, 145e6), "replica": (0, 144e6)},
    "both": {"mapped": (2.1e6, 0.52e6), "managed": (0.011e6, 0.12e6), "managed-host": (0.008e6, 0.13e6),
             "managed-device": (0.009e6, 0.12e6), "replica": (2.7e6, 120e6)},
}
RACY = {"cpu": 1.2, "gpu": 0.1, "both": 0.1}  # of the speed of atomic
LEFT_OUT = [("cpu", "device", "CPU threads cannot reach device memory"),
            ("cpu", "replica", "a replica is a copy for a GPU, and no GPU steps"),
            ("gpu", "host", "a GPU cannot reach host memory"), ("both", "host", "a GPU cannot reach host memory"),
            ("both", "device", "CPU threads cannot reach device memory")]


def make_row(device, memory, method, cpu, gpu, seed=1, epochs=4, epochs_to_target=1.7, **columns):
    """One final run; `cpu`, `gpu`: samples per second. epochs_to_target None: missed."""
    row = dict.fromkeys(HEADER, "")
    seconds = epochs * SAMPLES / (cpu + gpu)
    hit, hogwild = epochs_to_target is not None and epochs_to_target <= epochs, method in ("racy", "atomic")
    row.update(method=method, at_edge=0, run="1", problem="hinge", data="synthetic:rcv1/4", device=device, memory=memory,
               scheme="hogwild" if hogwild else method.split()[0], update=method if hogwild else "", telemetry="off", l2="1e-04",
               threads=14 if device != "gpu" and method != "serial" else "", epochs=epochs, seed=seed, status="done",
               seconds=seconds, updates=epochs * SAMPLES, gpu_updates=epochs * SAMPLES * gpu / (cpu + gpu) if gpu else "",
               target=0.58494)
    if hogwild and device != "cpu":
        row.update(streams=2, blocks=132)
    if device == "both" and memory != "replica":
        row["cpu_gpu_increments"] = "not atomic" if memory == "mapped" else "atomic"
    row["seconds_to_target"] = epochs_to_target * SAMPLES / (cpu + gpu) if hit else ""
    row["updates_to_target"] = epochs_to_target * SAMPLES if hit else ""
    row["seconds_to_1e-1"] = 0.4 * SAMPLES / (cpu + gpu)
    row.update(columns)
    return row


def without_run(device, memory, method, status, reason):
    row = dict.fromkeys(HEADER, "")
    return {**row, "device": device, "memory": memory, "method": method, "scheme": "hogwild", "update": method, "status": status,
            "reason": reason, "data": "synthetic:rcv1/4"}


def make_rows(seeds=(1, 2, 3)):
    rows = [without_run(device, memory, update, "left out", why) for device, memory, why in LEFT_OUT
            for update in ("racy", "atomic")]
    for seed in seeds:
        wobble = 1 + 0.03 * (seed - 2)
        rows += [make_row("cpu", "host", "serial", 10.3e6 * wobble, 0, seed),
                 make_row("cpu", "host", "minibatch 1024", 12.7e6 * wobble, 0, seed),
                 make_row("gpu", "device", "minibatch 4096", 0, 80e6 * wobble, seed, epochs_to_target=2)]
        for device, kinds in SPEEDS.items():
            for memory, (cpu, gpu) in kinds.items():
                for update in ("racy", "atomic"):
                    speed = wobble * (RACY[device] if update == "racy" else 1)
                    rows.append(make_row(device, memory, update, cpu * speed, gpu * speed, seed, 2 if cpu + gpu < 1e6 else 4,
                                         epochs_to_target=None if update == "racy" and device != "cpu" else 1.7 + 0.1 * seed))
    return rows


def write(path, rows):
    fake_runs.write_table(path, HEADER, rows)
    return path
