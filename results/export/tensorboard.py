"""Event files as TensorBoard reads them: OUT/<run>/events.out.tfevents.<when it started>.hogwild, one for each run.

Curves are scalars called as their columns, totals scalars `summary/<column>` at the last step; wall time is the run's start plus
seconds. Axes are hyperparameters (tab HParams), with how the run ended. Scalars have 32 bits, as TensorBoard's own have.
Field numbers: TensorBoard's compat/proto/event.proto and summary.proto, plugins/hparams/plugin_data.proto, and
google/protobuf/struct.proto.
"""

import math

from export import records, wire
from plot.files.naming import printable

UNKNOWN, SUCCESS, FAILURE = 0, 1, 2  # tensorboard.hparams.Status
HPARAMS_VERSION = 0


def write(folder, runs):
    """`runs`: of contents.contents; `folder` is there and empty."""
    for run in runs:
        place = folder / run.run.name
        place.mkdir()
        path = place / f"events.out.tfevents.{run.started:010.0f}.hogwild"
        path.write_bytes(b"".join(map(records.record, events(run))))


def events(run):
    yield wire.double(1, run.started) + wire.string(3, "brain.Event:2")
    yield event(run.started, 0, [hyperparameters(run)])
    for seconds, step, values in run.points:
        yield event(run.started + seconds, step, [scalar(column, value) for column, value in values.items()])
    yield event(run.ended, run.step, [scalar(f"summary/{column}", value) for column, value in run.totals.items()] + [ending(run)])


def event(wall_time, step, values):
    summary = b"".join(wire.message(1, value) for value in values)
    return wire.double(1, wall_time) + wire.integer(2, step) + wire.message(5, summary)


def scalar(tag, value):
    return wire.string(1, printable(tag)) + wire.single(2, value)


def hyperparameters(run):
    entries = (wire.string(1, axis) + wire.message(2, hyperparameter(axis, text)) for axis, text in run.parameters.items())
    start = b"".join(wire.message(1, entry) for entry in entries) + wire.double(5, run.started)
    return of_plugin("_hparams_/session_start_info", 3, start)


def hyperparameter(axis, text):
    """A google.protobuf.Value, whose numbers are finite. Data have names, also where one reads like a number."""
    try:
        value = math.nan if axis == "data" else float(text)
    except ValueError:
        value = math.nan
    return wire.double(2, value) if math.isfinite(value) else wire.string(3, printable(text))


def ending(run):
    status = SUCCESS if run.run.done else FAILURE if run.run.hopeless else UNKNOWN
    return of_plugin("_hparams_/session_end_info", 4, wire.integer(1, status) + wire.double(2, run.ended))


def of_plugin(tag, number, content):
    """A Summary.Value that is all metadata."""
    data = wire.integer(1, HPARAMS_VERSION) + wire.message(number, content)
    return wire.string(1, tag) + wire.message(9, wire.message(1, wire.string(1, "hparams") + wire.message(2, data)))
