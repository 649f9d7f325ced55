"""What a folder of `hogwild sweep` holds beside its runs and tables: its file, journals, optima, ceilings, choices.

Shards have files of their own (journal-2of4, choices-2of4.csv). Hashes of journals and optima are XXH3, which is not in Python's library.
The program compares them when it reads the files; here only their form is checked.
"""

from checked_files import ADVICE, check_json, check_table, check_value, describe, typed
from plot.files import documents
from plot.files.errors import ResultsError
from plot.files.schema import UNNAMED, resolve
from plot.files.tables import at, read_text

OPTIMUM = "hogwild optimum 1"
HASH = 16  # hexadecimal digits


def is_sweep(folder):
    return (folder / "sweep.toml").exists()


def shards(folder, stem, ending=""):
    """The file of the whole sweep, where it is there, and those of shards."""
    whole = [at(folder / (stem + ending))]
    return [path for path in whole if path.exists()] + sorted(folder.glob(f"{stem}-*of*[0-9]{ending}"))


def check_sweep(folder, schema, version=UNNAMED):
    yield from check_sweep_file(folder / "sweep.toml", schema)
    for path in shards(folder, "journal"):
        yield from check_journal(path, schema)
    for path in shards(folder, "choices", ".csv"):
        yield from check_choices(path, schema, version)
    for path in sorted((folder / "optima").glob("[!.]*")):
        yield from check_optimum(path, schema)


def check_sweep_file(path, schema):
    """What Python before 3.11 cannot read is not checked; `unread` says so."""
    try:
        text = read_text(path)
        if documents.tomllib:
            yield from check_value(path, documents.of_toml(text), "sweep_file", schema)
    except ResultsError as error:
        yield str(error)
    except ValueError as error:
        yield f"{path}: not TOML ({error}); {ADVICE}"


def unread(folders):
    """A word on what was not checked; empty: nothing."""
    return "" if documents.tomllib or not any(map(is_sweep, folders)) else " (sweep.toml was not read: that takes Python 3.11)"


def check_journal(path, schema):
    """A torn last line is what a crash leaves; the sweep cuts it off when it goes on."""
    try:
        lines = read_text(path).splitlines(keepends=True)
    except ResultsError as error:
        yield str(error)
        return
    for number, line in enumerate(lines, start=1):
        place = f"{path}:{number}"
        digest, _, text = line.partition(" ")
        if not line.endswith("\n"):
            yield f"{place}: torn last line (the program stopped while writing it); run the sweep again, which goes on"
        elif len(digest) != HASH or set(digest) - set("0123456789abcdef"):
            yield describe(place, "hash", digest, f"a line begins with {HASH} hexadecimal digits and a blank")
        else:
            try:
                yield from check_value(place, documents.of_json(text), "journal_record", schema)
            except ValueError as error:
                yield f"{place}: not JSON ({error}); {ADVICE}"


def check_choices(path, schema, version=UNNAMED):
    rows = []
    yield from check_table(path, "choice_row", schema, rows, version)
    for line, row in rows:
        if isinstance(row["trials"], int) and isinstance(row["reached"], int) and row["reached"] > row["trials"]:
            yield describe(f"{path}:{line}", "reached", row["reached"], f"there were {row['trials']} trials")


def check_optimum(path, schema):
    """A bound above what it bounds is no bound."""
    definition = schema["$defs"]["optimum"]
    try:
        first, *lines = read_text(path).splitlines()
    except ResultsError as error:
        yield str(error)
        return
    except ValueError:
        first, lines = "", []
    if first != OPTIMUM:
        yield describe(f"{path}:1", "", first, f"the first line is '{OPTIMUM}'")
        return
    found = dict(line.split(" ", 1) if " " in line else (line, "") for line in lines)
    if list(found) != definition["required"] or len(lines) != len(found):
        yield f"{path}: lines {', '.join(found) or 'none'} (they are {', '.join(definition['required'])}); {ADVICE}"
        return
    values = {name: typed(text, resolve(definition["properties"][name], schema)) for name, text in found.items()}
    wrong = list(check_value(path, values, "optimum", schema))
    yield from wrong
    for low, high in () if wrong else (("lower", "value"), ("value", "initial")):
        if values[low] > values[high]:
            yield describe(path, low, values[low], f"{high} is {values[high]}")


def check_ceilings(folder, schema):
    """Any result folder may have them."""
    for path in shards(folder, "ceilings", ".json"):
        yield from check_json(path, "ceilings", schema, [])


def check_row(path, row, schema, version=UNNAMED):
    """A run's row.csv holds its row of summary.csv; `row`: None where that is not known."""
    rows = []
    wrong = list(check_table(path, "summary_row", schema, rows, version))
    yield from wrong
    if wrong:
        return
    if len(rows) != 1:
        yield f"{path}: {len(rows)} rows (a run has one); {ADVICE}"
    elif row is not None and rows[0][1] != row:
        column = next(name for name in row if rows[0][1][name] != row[name])
        yield describe(f"{path}:2", column, rows[0][1][column], f"summary.csv says {row[column]}")
