"""Who stepped through how much of a run: the shares of its workers, over those of equal ones.

    1.02 of a worker that stepped through 2 % more than all samples over the number of workers of its kind

From the manifest: `worker_updates` are of CPU threads and then of GPU streams, `gpu_team_updates` of the teams that streams consist of.
"""

from report.tables import Cell

THREADS, TEAMS, STREAMS = "threads", "teams", "streams"


def by_kind(run):
    """{kind: [share over an equal one, ...]}, of kinds with two workers or more that stepped."""
    workers, teams = run.manifest.get("worker_updates") or [], run.manifest.get("gpu_team_updates") or []
    counts = {THREADS: workers[:run.threads], TEAMS: teams, STREAMS: [] if teams else workers[run.threads:]}
    return {kind: [one * len(of) / sum(of) for one in of] for kind, of in counts.items() if len(of) > 1 and sum(of) > 0}


def cell(run):
    """The least and the greatest of each kind, sorted by the least of all."""
    found = by_kind(run)
    if not found:
        return Cell("–", "", number=True)
    spans = {kind: f"{min(of):.2f}–{max(of):.2f}" for kind, of in found.items()}
    text = next(iter(spans.values())) if len(spans) == 1 else ", ".join(f"{kind} {span}" for kind, span in spans.items())
    return Cell(text, repr(min(map(min, found.values()))), number=True)
