"""A folder of runs as one page."""
