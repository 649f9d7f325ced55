"""Tables that sort: a cell shows a short text and carries the exact value that it is sorted by.

Numbers are sorted as numbers, `Infinity` (never) last, cells without a value after all others. A table is whole without the script.
"""

import math
from dataclasses import dataclass

from cells import three_digits
from report.markup import lines, tag

NEAR = 0.1  # of 1


@dataclass
class Cell:
    text: object
    sort: object = None  # a float, or text; None: sorted by the text
    note: str = ""  # smaller, below the text
    number: bool = False


def amount(value, form, note=""):
    """A number's cell: a dash where there is none, `missed` where it is infinite."""
    if value != value:
        return Cell("–", "", number=True)
    return Cell(form(value) if math.isfinite(value) else "missed", exact(value), note, True)


def factor(value):
    """How many times: near 1 with a digit more, so that it shows on which side of 1 it lies."""
    return "∞" if math.isinf(value) else f"{value:.4g}" if abs(value - 1) < NEAR else three_digits(value)


def exact(value):
    """The number as JavaScript reads it back, every digit kept."""
    return "Infinity" if value == math.inf else repr(value)


def table(heads, rows, caption=""):
    """`heads`: (text, explanation); `rows`: lists of Cell. Columns without any value are left out."""
    kept = [place for place in range(len(heads)) if any(row[place].text not in ("", "–") for row in rows)]
    numeric = {place for place in kept if all(row[place].number for row in rows)}
    head = tag("tr", [tag("th", tag("button", heads[place][0], type="button"), scope="col", title=heads[place][1] or None,
                          class_="number" if place in numeric else None) for place in kept])
    body = [tag("tr", [cell(row[place], place in numeric) for place in kept]) for row in rows]
    return tag("div", tag("table", tag("caption", caption) if caption else "", tag("thead", head),
                          tag("tbody", lines(*body)), class_="sortable"), class_="scroll")


def cell(content, numeric):
    return tag("td", content.text, tag("small", content.note) if content.note else "",
               data_sort=content.sort, class_="number" if numeric else None)
