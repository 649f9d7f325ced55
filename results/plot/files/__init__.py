"""Result files as runs: their columns and axes, what runs are called, what goes wrong."""
