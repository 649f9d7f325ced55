"""Files that are there whole or not at all: written beside, under a hidden name, then renamed. What was there before stays until then.

Errors: NotWritten, and the partial file is gone.
"""

import os
from contextlib import contextmanager, suppress
from pathlib import Path

from plot.files import limits
from plot.files.errors import NotWritten

ADVICE = "check the disk and the folder's permissions"


@contextmanager
def whole(path):
    """The path to write to; it is `path` once nothing was raised."""
    path = Path(path)
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)  # what a crash left, or a link that somebody planted
        yield partial
        flush(partial)
        os.replace(partial, path)
        flush(path.parent)
    except OSError as error:
        raise not_written(path, error) from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def flush(path):
    """A file or folder is on the disk: a name that is given to it afterwards never leads to less."""
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def made(folder):
    """The folder, which is there now; what was made of it is the user's alone."""
    try:
        for part in (*reversed(folder.parents), folder):
            if not part.is_dir():
                part.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise not_written(folder, error) from None
    return folder


def made_within(folder, name):
    """The folder of ours in one of results, which is there now. A link in its place is not followed."""
    if (folder / name).is_symlink():
        raise NotWritten(f"{folder / name}: cannot be written", "it is a link, which is not followed", "take the link away")
    return made(folder / name)


def not_written(path, error):
    return NotWritten(f"{path}: cannot be written", limits.reason_of(error), limits.remedy_of(error, ADVICE))
