"""CSV tables as the program leaves them, which after a crash may end in a torn line.

A record is torn when the file ends inside it: no final newline, or a last record with fewer fields than the header. A
torn record may hold half a number, so it is never used; `Table.torn` says that one was left out. Anything else that is
not a table is a ResultsError.

Any file may lie compressed by gzip, as NAME.gz; `at` finds it, and reading it gives the text.
"""

import csv
import gzip
import io
import math
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from plot.files import limits, regular_file
from plot.files.errors import Missing, ResultsError

@dataclass
class Table:
    path: Path
    header: list
    rows: list = field(default_factory=list)  # of (line number, {column: text})
    torn: str = ""  # empty, or a sentence about the record that was left out


def at(path):
    """Where the file lies: `path`, or the same compressed by gzip where only that is there."""
    packed = path.with_name(path.name + ".gz")
    return packed if packed.is_file() and not path.exists() else path


def read_bytes(path, links):
    data = regular_file.read(path, links)
    return gzip.decompress(data) if path.suffix == ".gz" else data


def read_text(path, links=True):
    """The file's text, as regular_file.read finds it. A byte that is not UTF-8 becomes U+FFFD, so that a damaged name
    costs a letter, not a figure."""
    try:
        return read_bytes(Path(path), links).decode("utf-8-sig", errors="replace")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ResultsError(f"{path}: cannot be unpacked", str(error), "restore the file as it was packed") from None
    except OSError as error:
        kind = Missing if isinstance(error, FileNotFoundError) else ResultsError
        raise kind(f"{path}: cannot be read", limits.reason_of(error), limits.remedy_of(error, "check the folder and its permissions")) from None


def read_table(path, links=True):
    path = Path(path)
    text = read_text(path, links)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        records = [(reader.line_num, record) for record in reader if record]
    except csv.Error as error:
        raise ResultsError(f"{path}:{reader.line_num}: not a CSV line", str(error),
                           "restore the file as the program wrote it") from None
    unterminated = bool(text) and not text.endswith("\n")
    if not records or (unterminated and len(records) == 1):
        raise ResultsError(f"{path}: no header", "the file ends before its first line does",
                           "run again; the program stopped before it could write")

    table = Table(path, records[0][1])
    last = len(records) - 1
    for index, (line, record) in enumerate(records[1:], start=1):
        if index == last and (unterminated or len(record) < len(table.header)):
            table.torn = (f"{path}:{line}: torn last line left out (the program stopped while writing it); "
                          "what stands above it is used")
        elif len(record) != len(table.header):
            raise ResultsError(f"{path}:{line}: {len(record)} fields", f"the header names {len(table.header)}",
                               "restore the file as the program wrote it")
        else:
            table.rows.append((line, dict(zip(table.header, record))))
    return table


def need_columns(table, columns):
    missing = [name for name in columns if name not in table.header]
    if missing:
        first = ", ".join(table.header[:4]) + (", ..." if len(table.header) > 4 else "")
        raise ResultsError(f"{table.path}:1: column '{missing[0]}' is missing", f"its columns are {first}",
                           "name a file of the program that this reads, or use the scripts of the release that wrote it")


def need_numbers(table, columns):
    """A cell of a column that is named and there is a number or empty."""
    for line, row in table.rows:
        for name in columns:
            number(row.get(name, ""), f"{table.path}:{line}: {name}")


def whole(text, place):
    value = number(text, place)
    if not float(value).is_integer():
        raise ResultsError(f"{place}: not a whole number", f"'{text}'", "restore the file as the program wrote it")
    return int(value)


def number(text, place):
    """The value of a field; NaN for an empty one."""
    if text == "":
        return math.nan
    try:
        return float(text)
    except ValueError:
        raise ResultsError(f"{place}: '{text}' is not a number", "the field holds numbers only",
                           "restore the file as the program wrote it") from None
