"""Errors that reach the user, in the grammar `what is wrong (why); what to try`."""


class ResultsError(Exception):
    """`str()` reads "WHAT (WHY); TRY" and is shown to the user as it is. It may cross from one process to another."""

    exit_status = 1

    def __init__(self, what, why, suggestion):
        super().__init__(what, why, suggestion)

    def __str__(self):
        what, why, suggestion = self.args
        return f"{what} ({why}); {suggestion}"


class Missing(ResultsError):
    """A file or folder that was named and is not there."""

    exit_status = 69


class NotWritten(ResultsError):
    """A full disk, a folder that must not be written."""

    exit_status = 74


class NotDrawn(Exception):
    """A figure that the runs cannot carry; `str()` is the reason, for the reader of a report."""
