"""What a sceptical reader should know of how a sweep was tuned and judged, and on which data. It is sentences for the cautions, from
choices.csv, the manifests of its trials, verdicts.csv and sweep.toml. A file that is missing or damaged costs its sentences: its own
section says what is wrong.
"""

from pathlib import Path
from types import SimpleNamespace

from plot.files import naming
from plot.files.axes import OBJECTIVE
from plot.files.errors import ResultsError
from plot.files.manifests import read_manifest, sound
from plot.files.tables import read_table, read_text
from report import provenance

NAMED = 4  # combinations or values that a sentence names
CLAIM = 10  # seeds: PROTOCOL, for a claim
LEFT_OUT = "# left out: "  # experiments/sweep/missing_data.h
ENOUGH = 5  # fewer are a caution of their own


def cautions(folder, runs):
    """`runs`: the final ones."""
    choices = rows_of(folder / "choices.csv")
    return left_out(folder) + chosen_at_edges(choices) + missed(choices, runs) + unequal(choices) + of_other_provenance(trials(folder / "tuning"), runs) + few_for_a_claim(folder)


def rows_of(path):
    try:
        return [row for _, row in read_table(path, links=False).rows] if path.is_file() else []
    except ResultsError:
        return []


def left_out(folder):
    """Data of which the end of sweep.toml says that they were not there."""
    try:
        text = read_text(folder / "sweep.toml", links=False)
    except ResultsError:
        return []
    names = [naming.printable(line[len(LEFT_OUT):]) for line in text.splitlines() if line.startswith(LEFT_OUT)]
    return [f"Left out, because {'it was' if len(names) == 1 else 'they were'} not there: {'; '.join(names)}. Nothing here is about "
            f"{'it' if len(names) == 1 else 'them'}."] if names else []


def trials(folder):
    """Every trial's name and manifest."""
    found = []
    for path in sorted(Path(folder).glob("[!.]*/manifest.json")):
        try:
            found.append(SimpleNamespace(name=path.parent.name, manifest=sound(read_manifest(path), path, "manifest", [])))
        except ResultsError:
            continue
    return found


def some(words):
    return "; ".join(words[:NAMED]) + (f" and {len(words) - NAMED} more" if len(words) > NAMED else "")


def combinations(choices):
    """["hogwild racy none, 2 threads", ...], with what not all of them minimise."""
    return [", ".join(filter(None, (combination(row), objective))) for row, objective in zip(choices, naming.terms(choices))]


def combination(row):
    method = " ".join(filter(None, (row.get(part, "") for part in ("scheme", "update", "guard"))))
    return naming.printable(method + (f", {row['threads']} thread{'' if row['threads'] == '1' else 's'}" if row.get("threads") else ""))


def chosen_at_edges(choices):
    """What the tuning found at the edge of its grid."""
    edges = [f"{name} ({naming.printable(row.get('tried', ''))})" for row, name in zip(choices, combinations(choices))
             if row.get("at_edge") == "1"]
    return [f"Of {len(edges)} of {len(choices)} tuned combinations the best lies at the edge of what was tried: {some(edges)}. A wider grid "
            "may be better."] if edges else []


def missed(choices, runs):
    """Combinations of which no trial of any step reached the target: they were chosen by how they ended, which is another goal."""
    if not any(run.value("target") == run.value("target") for run in runs):
        return []
    found = [name for row, name in zip(choices, combinations(choices)) if row.get("reached") == "0"]
    return [f"Of {len(found)} of {len(choices)} tuned combinations no trial reached the target with the step that was chosen, which is the one that "
            f"ended best: {some(found)}."] if found else []


def unequal(choices):
    """Combinations that are compared and had different numbers of trials; the most common number first."""
    sets, found = {}, []
    for row, name in zip(choices, combinations(choices)):
        counts = sets.setdefault(tuple(row.get(axis, "") for axis in OBJECTIVE), {})
        counts.setdefault(row.get("trials", ""), []).append(name)
    for counts in sets.values():
        if len(counts) > 1:
            shares = [f"{naming.printable(count)} trials for {some(names)}" for count, names in
                      sorted(counts.items(), key=lambda share: -len(share[1]))]
            found.append(f"Tuning was not equal: {', but '.join(shares)}. Who had more trials, or a grid that was extended, had more chances "
                         "to be fast.")
    return found


def of_other_provenance(tuning, runs):
    """Trials of a build or a machine that no final run has, and days that tuning and final runs do not share."""
    found = []
    for what, of in provenance.FACTS + (("builds", provenance.program), ("days", provenance.day)):
        ours = set(filter(None, map(of, runs)))
        hit = [one for one in tuning if of(one) and of(one) not in ours]
        if ours and hit and (what != "days" or len(hit) == len(tuning)):
            others = sorted({naming.printable(of(one)) for one in hit})
            found.append((what, len(hit), f"{some(others)} instead of {some(sorted(map(naming.printable, ours)))}"))
    if any(what == "commits" for what, *_ in found):
        found = [fact for fact in found if fact[0] != "builds"]
    return [f"{count} of the tuning's {len(tuning)} trials were measured with other {what} than the final runs: {which}. Steps that were best "
            "there need not be best here." for what, count, which in found]


def few_for_a_claim(folder):
    """One sentence on verdicts that say FASTER or SLOWER from fewer seeds than a claim wants."""
    sure = [row for row in rows_of(folder / "verdicts.csv") if row.get("verdict") in ("FASTER", "SLOWER")]
    seeds = sorted({int(row["seeds"]) for row in sure if row.get("seeds", "").isdecimal() and ENOUGH <= int(row["seeds"]) < CLAIM})
    if not seeds:
        return []
    few = f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else str(seeds[0])
    count = sum(row.get("seeds", "").isdecimal() and ENOUGH <= int(row["seeds"]) < CLAIM for row in sure)
    return [f"{count} verdict{'s' if count > 1 else ''} of FASTER or SLOWER rest{'' if count > 1 else 's'} on {few} seeds: enough to look, but a claim wants ten."]
