"""Where the numbers come from: machines, builds, data, commands, and files that lie beside summary.csv."""

import json
import math
from pathlib import Path

from cells import duration
from plot.files import naming
from plot.files.axes import is_network
from plot.files.columns import ASKED
from plot.files.errors import ResultsError
from plot.files.tables import read_table, read_text
from report.markup import lines, tag, visible
from report.tables import Cell, table

WHAT = (("machine", "Machine"), ("gpus", "GPUs"), ("cuda", "CUDA"), ("build", "Build"), ("data", "Training data"), ("test", "Test data"))
OF_NETWORKS = {"rows": "images", "columns": "weights of the network"}
CHANGES = ("available_bytes", "free_bytes", "load_average")  # of a machine, from run to run
MOST_COMMANDS = 200


def environment(runs):
    """A table for each part of the manifests, its values once, and how many runs have them."""
    parts = []
    for key, title in WHAT:
        seen = {}
        for run in runs:
            found = in_words(run, key)
            if found:
                steady = {name: value for name, value in found.items() if name not in CHANGES} if isinstance(found, dict) else found
                seen.setdefault(json.dumps(steady, sort_keys=True), [found, 0])[1] += 1
        for found, count in seen.values():
            heading = f"{title}: {count} of {len(runs)} runs" if len(seen) > 1 or count < len(runs) else title
            parts.append(tag("h3", heading))
            parts.append(facts(found))
    loads = [found.get("load_average") for run in runs for found in [run.manifest.get("machine")] if isinstance(found, dict)]
    loads = [load for load in loads if isinstance(load, (int, float))]
    if loads:
        parts.append(tag("p", f"Load of the last minute when the programs started: {min(loads):.2f} to {max(loads):.2f}."))
    return lines(*parts) if parts else tag("p", "No run has a manifest.json.")


def in_words(run, key):
    """That part of the manifest; what data are of a network by the words for images and weights, which all of a step's are."""
    found = run.manifest.get(key)
    if not is_network(run.axes["problem"]) or key not in ("data", "test") or not isinstance(found, dict):
        return found
    return {OF_NETWORKS.get(name, name): value for name, value in found.items() if name != "nonzeros"}


def facts(found):
    """A mapping, or a list of them, as rows of name and value."""
    entries = found if isinstance(found, list) else [found]
    rows = [(name, value) for entry in entries for name, value in (entry.items() if isinstance(entry, dict) else [("", entry)])]
    return tag("table", tag("tbody", [tag("tr", tag("th", naming.printable(name).replace("_", " "), scope="row"), tag("td", short(value)))
                                      for name, value in rows]), class_="facts")


def short(value):
    if value is None:
        return "not visible"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return naming.printable(" ".join(value))
    return naming.printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def commands(runs):
    found = naming.commands(runs)
    more = f"\n... and {len(found) - MOST_COMMANDS} more, in the manifests" if len(found) > MOST_COMMANDS else ""
    return tag("pre", "\n".join(found[:MOST_COMMANDS]) + more) if found else tag("p", "No run recorded its command.")


def text_file(path):
    """A file as it is, or None. A link is not followed, which is said."""
    if not Path(path).is_file():
        return None
    try:
        return tag("pre", visible(read_text(path, links=False)))
    except ResultsError as error:
        return tag("p", str(error))


def describes(part, header):
    """Whether a definition of schema.json is that of a table with these columns."""
    return bool(part.get("required")) and set(part["required"]) <= header <= set(part["properties"])


def csv_file(path, schema):
    """A CSV file as a table that sorts, whatever its columns are; None where there is none. What every row says is said once, above.
    Columns are explained as in schema.json; the axes come first."""
    if not Path(path).is_file():
        return None
    try:
        found = read_table(path, links=False)
    except ResultsError as error:
        return tag("p", str(error))
    notes = next((part["properties"] for part in schema.get("$defs", {}).values() if describes(part, set(found.header))), {})
    rows = [row for _, row in found.rows]
    title = lambda name: naming.printable(name).replace("_", " ")
    alike = [name for name in found.header if len(rows) > 1 and len({row[name] for row in rows}) == 1]
    said = ", ".join(f"{title(name)} {csv_cell(name, rows[0][name]).text}" for name in alike if rows[0][name])
    shown = [name for name in found.header if name not in alike]
    shown.sort(key=lambda name: name not in ASKED)  # stable: otherwise as in the file
    heads = [(title(name), notes.get(name, {}).get("description", "")) for name in shown]
    return lines(tag("p", found.torn) if found.torn else "", tag("p", f"In every row: {said}.", class_="quiet") if said else "",
                 table(heads, [[csv_cell(name, row[name]) for name in shown] for row in rows]))


def csv_cell(name, text):
    try:
        value = float(text)
    except ValueError:
        return Cell(naming.printable(text) or "–", number=not text)
    if name.startswith("seconds") and math.isfinite(value):
        return Cell(duration(value), text, number=True)
    return Cell(f"{value:.6g}" if len(text) > 9 else naming.printable(text), text, number=True)
