"""How a script speaks and ends: warnings, packages that are not there, and errors that its main raises, each on a line of standard error."""

import io
import os
import signal
import sys

from plot.files import limits
from plot.files.errors import ResultsError
from plot.files.naming import printable


def without(package, missing, what, path):
    """Ends a script at `path` that needs a package: `what` needs it, and `missing` is the ImportError that said so."""
    if limits.met(missing):
        raise missing
    print(f"{what} ({missing}); try: sudo apt-get install {package}, then /usr/bin/python3 {path}", file=sys.stderr)
    sys.exit(69)


def uncaught(kind, error, trace):
    """A limit that was met wherever the script was, also while it took its packages; the exit status is 1."""
    number = limits.met(error)
    if number is None:
        sys.__excepthook__(kind, error, trace)
    else:
        print(f"hogwild: {os.path.basename(sys.argv[0])} ended ({limits.why(number)}); {limits.RAISE[number]}", file=sys.stderr)


sys.excepthook = uncaught


def warn(warnings):
    for warning in warnings:
        print(f"warning: {printable(warning)}", file=sys.stderr)


class Output(io.TextIOBase):
    """Standard output, written at once. What it does not take ends nothing: `refused` says why, once everything is saved."""

    refused = None

    def write(self, text):
        rest = text.encode(sys.__stdout__.encoding, sys.__stdout__.errors)
        try:
            while rest and self.refused is None:
                rest = rest[os.write(1, rest):]
        except OSError as error:
            self.refused = error.strerror
        return len(text)


def run(main, said_by=""):
    """Calls `main` with the command line's arguments and exits with what it returns; `said_by`: what an error's line begins with."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    sys.stdout = output = Output()
    try:
        status = main(sys.argv[1:])
    except ResultsError as error:
        print(said_by + printable(error), file=sys.stderr)
        status = error.exit_status
    except SystemExit as ended:
        status = ended.code
    if output.refused and not status:
        print(f"{said_by}cannot write to standard output ({output.refused})", file=sys.stderr)
        status = 74
    sys.exit(status)
