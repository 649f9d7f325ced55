"""What experiments/scripts/devices asks of `hogwild`, made up. FAKE_LOG: a file that gets every command line. FAKE_GPU=none: a machine
without one. FAKE_LARGE: a batch that is left out. FAKE_FAILS, FAKE_HANGS: "both managed racy", a combination whose runs fail, or of which the second takes forever.
FAKE_STOPS: a scheme whose final runs meet a full disk. It is started hundreds of times, so it imports little."""
import os
import sys

HEADER = ("run,problem,data,scheme,update,device,memory,threads,streams,blocks,telemetry,step_size,batch,l2,epochs,seed,status,"
          "reason,seconds,updates,gpu_updates,cpu_gpu_increments,staleness_mean,staleness_p99,gpu_staleness_mean,"
          "gpu_staleness_p99,train_loss,target,seconds_to_target,updates_to_target,seconds_to_1e-1").split(",")
BEST = {"cpu": 0.1, "gpu": 0.3, "both": 0.9}
BEST_BLOCKS = "66"
SPEED = {"cpu": 1e6, "gpu": 1e7, "both": 8e6}
NEEDS = {"host": {"cpu"}, "device": {"gpu"}, "device-bf16": {"gpu"}, "device-fp16": {"gpu"}, "replica": {"gpu", "both"}}  # who can use it


def value(option, default=""):
    return sys.argv[sys.argv.index(option) + 1] if option in sys.argv else default


def result(combination, step, seed):
    device, memory, update = combination
    scheme, epochs = value("--scheme"), int(value("--epochs"))
    seconds, gpu = epochs * 100 / SPEED[device], {"cpu": 0, "gpu": 1, "both": 0.875}[device]
    best = BEST[device] * (int(value("--batch", "1")))
    row = dict.fromkeys(HEADER, "")
    row.update(run="1", problem=value("--problem", "hinge"), data="samples", scheme=scheme, update=update, device=device, memory=memory,
               threads=value("--threads"), telemetry=value("--telemetry", "off"), step_size=float(step), batch=value("--batch"),
               l2=value("--l2"), epochs=epochs, seed=seed, status="done", seconds=seconds, updates=epochs * 100, target=0.5,
               train_loss=0.4)
    if gpu:
        row.update(gpu_updates=epochs * 100 * gpu)
    if device != "cpu" and scheme == "hogwild":
        row.update(streams=2, blocks=int(value("--blocks", "132")))
    if os.environ.get("FAKE_FAILS") == " ".join(combination):
        return {**row, "status": "failed", "reason": "planted", "seconds": 0, "updates": 0}
    to_target = abs(float(step) / best - 1) + 0.5 + int(seed) * 1e-4  # of the run
    to_target += 0.1 * (value("--blocks", BEST_BLOCKS) != BEST_BLOCKS)
    if to_target < 1:
        row.update({"seconds_to_target": to_target * seconds, "updates_to_target": to_target * 100 * epochs,
                    "seconds_to_1e-1": 0.1 * seconds})
    return row


def write(file, row):
    print(*row.values(), sep=",", file=file)  # no cell needs quotes


def wait_for_ever():
    import time
    time.sleep(1e6)


def run():
    device, memory, update = combination = value("--device", "cpu"), value("--memory", "device"), value("--update", "")
    too_large = value("--batch", "0") == os.environ.get("FAKE_LARGE")
    if too_large or device not in NEEDS.get(memory, {"cpu", "gpu", "both"}):
        why = "the batch is too large" if too_large else f"no way from {device} to {memory}"
        print(f"left out: hinge hogwild {update}, {memory} memory ({why})", file=sys.stderr)
        print("hogwild: nothing is left to run (every combination was left out); change the axes", file=sys.stderr)
        return 2
    if os.environ.get("FAKE_GPU") == "none" and (device, memory) != ("cpu", "host"):
        print("hogwild: --device gpu cannot run (no GPU: none here); use another", file=sys.stderr)
        return 69
    if os.environ.get("FAKE_STOPS") == value("--scheme") and "," not in value("--seed", ","):
        return 74
    os.makedirs(value("-o"))
    runs = [(step, seed) for seed in value("--seed", "1").split(",") for step in value("--step-size", "1").split(",")]
    with open(os.path.join(value("-o"), "summary.csv"), "w", newline="") as file:
        print(*HEADER, sep=",", file=file)
        for index, (step, seed) in enumerate(runs):
            row = result(combination, step, seed)
            try:
                if index == 1 and os.environ.get("FAKE_HANGS") == " ".join(combination):
                    wait_for_ever()
            except KeyboardInterrupt:
                write(file, {**row, "status": "interrupted", "reason": "stopped by a signal", "seconds_to_target": ""})
                return 130
            write(file, row)
            print("{}", flush=True)
    return 1 if row["status"] == "failed" else 0 if row["seconds_to_target"] else 4


def main():
    with open(os.environ["FAKE_LOG"], "a") as log:
        print(*sys.argv[1:], file=log)
    if sys.argv[1] == "info":
        print('{"machine": {"cpu": "made up", "cores": 8}, "gpus": [{"name": "made-up GPU"}], "build": {}}')
    elif sys.argv[1:3] == ["data", "convert"]:
        open(sys.argv[-1], "w").close()
    elif sys.argv[1] == "data":
        print('{"row_norms": {"mean": 1.0}}' if value("--problem") == "hinge" else "{}")
    else:
        return run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
