"""Result folders in the formats of other programs. Start it with `python3 results/export/export.py`."""
