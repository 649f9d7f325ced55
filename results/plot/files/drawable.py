"""Runs as figures can carry them. Files may hold numbers that no run measures, of which an axis has no picture."""

import numpy as np

CLOCKS = ("seconds", "epoch", "updates")  # when something was seen
LARGEST = 1e150  # that can be squared


def drawable(results):
    """The results, where a loss that is too large for an axis is infinite, and a run whose clocks show no time has no curve."""
    for run in results.runs:
        wrong = next((column for column in CLOCKS if run.trace and not ((run.trace[column] >= 0) & (run.trace[column] < LARGEST)).all()), None)
        if wrong:
            run.trace = {}
            results.warnings.append(f"{run.folder / 'trace.csv'}: no curve ({wrong} of an observation is no time); run it again")
        run.trace = {column: np.where(np.abs(values) > LARGEST, np.copysign(np.inf, values), values) for column, values in run.trace.items()}
    return results
