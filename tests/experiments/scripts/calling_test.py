"""Folders that the scripts make are for the user alone, as those that the program makes."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[3]))
sys.path.insert(0, str(ROOT / "experiments" / "scripts"))
import calling  # noqa: E402


class Folders(unittest.TestCase):
    def test_a_folder_and_its_new_parents_are_for_the_user_alone_and_old_ones_stay(self):
        with tempfile.TemporaryDirectory() as scratch:
            old = Path(scratch) / "old"
            old.mkdir()
            old.chmod(0o755)
            before = os.umask(0o022)
            self.addCleanup(os.umask, before)
            calling.make_folder(old / "parent" / "folder")
            modes = [path.stat().st_mode & 0o777 for path in (old, old / "parent", old / "parent" / "folder")]
            self.assertEqual(modes, [0o755, 0o700, 0o700])
            self.assertEqual(os.umask(0o022), 0o022)


if __name__ == "__main__":
    unittest.main()
