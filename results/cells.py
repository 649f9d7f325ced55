"""Markdown tables of CSV files: the texts of cells that people compare."""
import math


def number(row, column):
    """A missed target took forever."""
    return float(row[column]) if row[column] else math.inf


def three_digits(value):
    """"15.5", "1,550": no exponent from a thousand up."""
    return f"{value:.3g}" if value < 999.5 else f"{float(f'{value:.3g}'):,.0f}"


def duration(seconds):
    return f"{three_digits(seconds * 1e3)} ms" if seconds < 0.9995 else f"{three_digits(seconds)} s"


def time(seconds, reached, runs):
    """"4.4 ms" or "1.03 s", with the share of the seeds that came so far unless it is all or none."""
    share = "" if reached in (0, runs) else f" ({reached}/{runs})"
    return (duration(seconds) if math.isfinite(seconds) else "-") + share


def loss(row):
    """"hinge, lambda 1e-4, target 0.58", of a score "target test_rmse 0.9": of a row with a target; a problem without a regulariser has no lambda."""
    shrink = [f"lambda {row['l2']}"] if row["l2"] else []
    of = row.get("target_of") or "train_loss"
    return ", ".join([row["problem"], *shrink, f"target {'' if of == 'train_loss' else of + ' '}{float(row['target']):.5g}"])


def data_name(row):
    return row["data"] if row["data"].startswith("synthetic:") else row["data"].rsplit("/", 1)[-1]


def print_row(*cells):
    print("|", " | ".join(cells), "|")


def print_head(*titles):
    print_row(*titles)
    print("|" + "---|" * len(titles))
