"""Which version of schema.json the files of a folder were written with.

A run names it in its manifest. Tables whose runs' folders are not there name it in a file `schema` beside them: a number
alone. What names none was written before versions were named, and is of version 1.
"""

import re

from plot.files import documents
from plot.files.errors import ResultsError
from plot.files.schema import UNNAMED
from plot.files.tables import read_text

VERSION = re.compile("[1-9][0-9]{0,8}")


def whole(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else UNNAMED


def of_run(folder):
    """A damaged manifest names none: what is wrong with it is said where it is checked."""
    try:
        manifest = documents.of_json(read_text(folder / "manifest.json"))
    except (ResultsError, ValueError):
        return UNNAMED
    return whole(manifest.get("schema")) if isinstance(manifest, dict) else UNNAMED


def of_tables(folder):
    """The file's, else the oldest that a run in the folder names."""
    named = folder / "schema"
    if named.is_file():
        text = read_text(named).strip()
        return int(text) if VERSION.fullmatch(text) else UNNAMED
    runs = sorted(path.parent for path in folder.glob("[!.]*/manifest.json"))
    return min(map(of_run, runs), default=UNNAMED)
