"""Runs on samples of one name and other contents, told apart before anything is grouped: as experiments/compare/samples_apart.h.

A run's manifest has the hashes of its training and test samples. Where runs on one `data` have several of them, that axis says which.
"""

SAMPLES = (("data", "content"), ("test", "test samples"))  # of a manifest, and what their hash is of


def hash_of(run, key):
    """None where nobody knows, or there are no such samples."""
    samples = run.manifest.get(key)
    found = samples.get("hash") if isinstance(samples, dict) else None
    return found if isinstance(found, str) and found else None


def tell_apart(runs):
    """Changes the axis `data` of such runs. Returns warnings."""
    by_name = {}
    for run in runs:
        by_name.setdefault(run.axes["data"], []).append(run)
    return [warning for name, same in sorted(by_name.items()) for warning in told_apart(name, same)]


def told_apart(name, runs):
    words, warnings = {}, []  # words: of runs by their id
    for key, of in SAMPLES:
        hashes = {id(run): found for run in runs if (found := hash_of(run, key))}
        known = sorted(set(hashes.values()))
        if len(known) < 2:
            continue
        warnings.append(f"the {of} of {name} changed between runs (hashes {', '.join(known)}); only runs on the same are compared")
        for number, found in hashes.items():
            words.setdefault(number, []).append(f"{of} {found}")
    for run in runs:
        if id(run) in words:
            run.axes["data"] = f"{name} ({', '.join(words[id(run)])})"
    return warnings
