"""Bytes of files in a folder of results. What lies there may be anything by now: a pipe is not waited for. What is copied into a page or
an export is no link, else they would show whatever it leads to.

Errors: OSError, whose text says why.
"""

import errno
import os
import stat
from pathlib import Path


def is_own(path):
    """Whether a regular file lies there itself."""
    path = Path(path)
    return path.is_file() and not path.is_symlink()


def read(path, links=True):
    """The bytes of a regular file. Without `links`, of one that lies there itself."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | (0 if links else os.O_NOFOLLOW)
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is no regular file", str(path))
            return file.read()
    except OSError as error:
        if not links and error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "it is a link, which is not followed", str(path)) from None
        raise
