"""How a script ends: an error that its main raises is said on a line, and its exit status is the script's."""

import signal
import sys

from plot.files.errors import ResultsError
from plot.files.naming import printable


def run(main, said_by=""):
    """Calls `main` with the command line's arguments and exits with what it returns; `said_by`: what an error's line begins with."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    try:
        sys.exit(main(sys.argv[1:]))
    except ResultsError as error:
        print(said_by + printable(error), file=sys.stderr)
        sys.exit(error.exit_status)
