"""How a script speaks and ends: warnings, packages that are not there, and errors that its main raises, each on a line of standard error."""

import signal
import sys

from plot.files.errors import ResultsError
from plot.files.naming import printable


def without(package, missing, what, path):
    """Ends a script at `path` that needs a package: `what` needs it, and `missing` is the ImportError that said so."""
    print(f"{what} ({missing}); try: sudo apt-get install {package}, then /usr/bin/python3 {path}", file=sys.stderr)
    sys.exit(69)


def warn(warnings):
    for warning in warnings:
        print(f"warning: {printable(warning)}", file=sys.stderr)


def run(main, said_by=""):
    """Calls `main` with the command line's arguments and exits with what it returns; `said_by`: what an error's line begins with."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    try:
        sys.exit(main(sys.argv[1:]))
    except ResultsError as error:
        print(said_by + printable(error), file=sys.stderr)
        sys.exit(error.exit_status)
