"""A file store as MLflow's tracking server reads it: OUT/<experiment>/<run>/{meta.yaml, params/, metrics/, tags/, artifacts/}.

The folder is an experiment, called as it is; its runs are runs, axes params, curves and totals metrics, and
manifest.json and trace.csv artifacts. A metric's file has a line `milliseconds value step` for each value. Numbers of runs and of the
experiment are hashes of what they are, so that the same files exported twice are the same. Texts lose what would end their line, and
what is more than MLflow takes. Source: mlflow/store/tracking/file_store.py and mlflow/utils/validation.py.
"""

import hashlib
import json
import re
import shlex
from pathlib import Path

from plot.files import regular_file
from plot.files.naming import printable

FINISHED, FAILED, KILLED = 3, 4, 5  # mlflow.entities.RunStatus
LOCAL = 4  # mlflow.entities.SourceType
LONGEST = 500  # letters of a param; of tags it is more
LONGEST_KEY = 250
ARTIFACTS = ("manifest.json", "trace.csv", "staleness.csv", "layer_staleness.csv", "batches.csv")  # those that a run has
FACTS = (("plan_hash", ("plan_hash",)), ("data_hash", ("data", "hash")), ("test", ("test", "name")), ("cpu", ("machine", "cpu")),
         ("cores", ("machine", "cores")), ("compiler", ("build", "compiler")), ("flags", ("build", "flags")))  # tag, where in manifest.json


def write(folder, runs, name, published):
    """`runs`: of contents.contents; `name`: of the experiment; `published`: what `folder` will be called."""
    name = printable(name) or "unnamed"
    experiment = str(10**17 + int(digest(name)[:14], 16) % (9 * 10**17))  # 18 digits, as MLflow's own
    place = folder / experiment
    place.mkdir()
    write_yaml(place / "meta.yaml", {
        "artifact_location": uri(published, experiment), "creation_time": milliseconds(min(run.started for run in runs)),
        "experiment_id": experiment, "last_update_time": milliseconds(max(run.ended for run in runs)), "lifecycle_stage": "active",
        "name": name})
    for run in runs:
        write_run(place, run, experiment, published)


def write_run(place, run, experiment, published):
    identity = identity_of(run)
    folder = place / identity
    write_files(folder / "params", {axis: shortened(text) for axis, text in run.parameters.items()})
    write_files(folder / "tags", tags(run))
    totals = {column: [(run.seconds, run.step, value)] for column, value in run.totals.items()}
    write_files(folder / "metrics", {key(column): "".join(line(run.started + seconds, value, step) for seconds, step, value in values)
                                     for column, values in {**totals, **run.curves}.items()})
    (folder / "artifacts").mkdir()
    for name in ARTIFACTS:
        if regular_file.is_own(run.run.folder / name):
            (folder / "artifacts" / name).write_bytes(regular_file.read(run.run.folder / name, links=False))
    write_yaml(folder / "meta.yaml", {
        "artifact_uri": uri(published, experiment, identity, "artifacts"), "end_time": milliseconds(run.ended), "entry_point_name": "",
        "experiment_id": experiment, "lifecycle_stage": "active", "run_id": identity, "run_name": printable(run.run.name),
        "run_uuid": identity, "source_name": "", "source_type": LOCAL, "source_version": "", "start_time": milliseconds(run.started),
        "status": status(run.run), "tags": [], "user_id": "hogwild"})


def status(run):
    return FINISHED if run.done else FAILED if run.hopeless else KILLED


def identity_of(run):
    """What tells a run from all others, wherever its folder lies."""
    manifest = run.run.manifest
    return digest(json.dumps([run.run.name, run.parameters, *(manifest.get(part) for part in ("started", "plan_hash", "data", "machine"))],
                             sort_keys=True))


def digest(text):
    """32 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def tags(run):
    manifest, row = run.run.manifest, run.run.row
    found = {"mlflow.runName": run.run.name, "mlflow.source.name": "hogwild", "mlflow.source.type": "LOCAL", "mlflow.user": "hogwild",
             "mlflow.source.git.commit": at(manifest, ("build", "commit")), "hogwild.status": run.run.status,
             "hogwild.reason": row.get("reason", ""), "hogwild.cpu_gpu_increments": row.get("cpu_gpu_increments", ""),
             "hogwild.target_of": row.get("target_of", "")}
    command = manifest.get("command")
    found["hogwild.command"] = shlex.join(map(str, command)) if isinstance(command, list) else ""
    for tag, where in FACTS:
        found[f"hogwild.{tag}"] = at(manifest, where)
    return {tag: shortened(text) for tag, text in found.items() if text}


def at(manifest, where):
    """The text of a value in the manifest; empty where there is none."""
    for name in where:
        manifest = manifest.get(name) if isinstance(manifest, dict) else None
    return "" if manifest is None else str(manifest)


def shortened(text):
    text = printable(text)
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"


def key(name):
    """A name that MLflow takes, and that is the name of a file: letters, digits, `_`, `-` and `.`, the first of them no point."""
    return re.sub(r"[^A-Za-z0-9_.-]|^\.", "_", name)[:LONGEST_KEY] or "_"


def line(when, value, step):
    return f"{milliseconds(when)} {value!r} {step}\n"


def milliseconds(seconds):
    return round(seconds * 1000)


def uri(published, *below):
    return Path(published, *below).as_uri()


def write_files(folder, texts):
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def write_yaml(path, values):
    """A value in JSON is one in YAML too."""
    path.write_text("".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()), encoding="utf-8")
