"""Figures of the results floor, drawn from the files of a run folder alone."""
