"""Limits of this process that a call met, by their names: descriptors (EMFILE, ENFILE), processes and threads (EAGAIN).

The program says the same of its own calls. Libraries that are imported do not always keep the number of the error: their texts are read.
"""

import errno
import os
import resource

RAISE = {errno.EMFILE: "raise the limit", errno.ENFILE: "close other programs, or raise the limit (sysctl fs.file-max)",
         errno.EAGAIN: "end other programs, or raise the limit (ulimit -u; pids.max of the control group)"}
TEXTS = {os.strerror(errno.EMFILE): errno.EMFILE, "Error 24": errno.EMFILE, "can't start new thread": errno.EAGAIN}


def met(error):
    """The number of the limit that an exception, or one that it came from, tells of; None: of none."""
    while error is not None:
        number = getattr(error, "errno", None)
        if number in RAISE:
            return number
        for text, number in TEXTS.items():
            if isinstance(error, (ImportError, RuntimeError)) and text in str(error):
                return number
        error = error.__cause__ or error.__context__
    return None


def own(kind, command):
    most = resource.getrlimit(kind)[0]
    return "" if most == resource.RLIM_INFINITY else f", {most} (ulimit {command})"


def why(number):
    """The system's text, and which limit it is: "..., 64 (ulimit -n)"."""
    text = os.strerror(number)
    if number == errno.EMFILE:
        return f"{text}: the limit of descriptors of this process is met{own(resource.RLIMIT_NOFILE, '-n')}"
    if number == errno.ENFILE:
        return f"{text}: the limit of the whole system is met"
    return f"{text}: a limit of processes and threads is met{own(resource.RLIMIT_NPROC, '-u')}"


def reason_of(error):
    """Of an OSError: its text, and the limit where one was met."""
    return why(error.errno) if error.errno in RAISE else error.strerror or str(error)


def remedy_of(error, otherwise):
    return RAISE.get(error.errno, otherwise)
