"""A folder for each test, gone when it has ended."""

import tempfile
import unittest
from pathlib import Path


class Scratch(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
