"""A folder that is there whole or not at all: written below a hidden name beside its own, then renamed.

What is there is left alone. With `overwrite` it makes way if it is empty or an earlier export, which a file of the name MARK says.
A wrong word on the command line must cost no other files. A process that is killed leaves a hidden folder, which the next export to
the same name removes. One export to a name at a time.
"""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

from plot.files.errors import ResultsError
from plot.files.writing import flush, made, not_written

MARK = ".hogwild-export"


class Taken(ResultsError):
    exit_status = 2


def free(path, overwrite):
    """The absolute path, once nothing that has to stay is in its way. Errors: Taken."""
    target = Path(os.path.abspath(path))
    if not os.path.lexists(target):
        return target
    if not overwrite:
        raise Taken(f"{path}: not written", "it is there already", "name another folder, or add --overwrite to replace an earlier export")
    try:
        earlier = target.is_dir() and not target.is_symlink() and ((target / MARK).is_file() or not any(target.iterdir()))
    except OSError as error:
        raise not_written(path, error) from None
    if not earlier:
        raise Taken(f"{path}: not replaced", f"it is no earlier export: no {MARK} in it", "name another folder")
    return target


@contextmanager
def published(target):
    """An empty folder, which is called `target` in the end if nothing is raised, and is gone otherwise. `target`: of `free`."""
    partial, replaced = (target.with_name(f".{target.name}.{state}") for state in ("partial", "replaced"))
    try:
        for left in (partial, replaced):
            if left.exists():
                shutil.rmtree(left)
        made(partial.parent)
        partial.mkdir(mode=0o700)
        (partial / MARK).touch()
        yield partial
        for each in (*partial.rglob("*"), partial):
            flush(each)
        exchange(partial, target, replaced)
    except OSError as error:
        raise not_written(target, error) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def exchange(partial, target, replaced):
    earlier = os.path.lexists(target)
    if earlier:
        target.rename(replaced)
    try:
        partial.rename(target)
    except OSError:
        if earlier:
            replaced.rename(target)
        raise
    if earlier:
        shutil.rmtree(replaced)
