"""Errors that reach the user, in the grammar `what is wrong (why); what to try`."""


class ResultsError(Exception):
    """`str()` reads "WHAT (WHY); TRY" and is shown to the user as it is."""

    def __init__(self, what, why, suggestion):
        super().__init__(f"{what} ({why}); {suggestion}")


class NotDrawn(Exception):
    """A figure that the runs cannot carry; `str()` is the reason, for the reader of a report."""
