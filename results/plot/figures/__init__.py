"""The figures, one drawing each."""
