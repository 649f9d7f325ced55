"""What tests of `hogwild data fetch` share: a data folder of their own, a server on this machine, small files."""

import bz2
import hashlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from file_server import FileServer

PROGRAM = os.environ.get("HOGWILD_PROGRAM", "")
NAME = "kdda.t.bz2"  # neither its size nor its SHA-256 is in the table
TEXT = "".join(f"{'+1' if i % 3 else '-1'} {1 + i % 7}:0.5 {9 + i % 5}:{i % 11 + 1}\n" for i in range(2000))
FILE = bz2.compress(TEXT.encode())
NOISE = hashlib.shake_128(b"noise").digest(400_000)  # a file that takes several writes


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
class Fetching(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.home = Path(holder.name)
        self.folder = self.home / "data" / "hogwild"
        self.environment = {**os.environ, "XDG_DATA_HOME": str(self.home / "data"), "no_proxy": "*"}

    def serve(self, data=FILE, name=NAME, **options):
        server = FileServer({f"/{name}": data}, **options)
        self.addCleanup(server.close)
        return server

    def call(self, *words, **options):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=self.environment, cwd=self.home, **options)

    def fetch(self, server, *words, name="kdda.t", **options):
        return self.call("data", "fetch", name, "--from", server.address, *words, **options)

    def check_whole(self, data, name=NAME, folder=None):
        folder = folder or self.folder
        self.assertEqual((folder / name).read_bytes(), data)
        self.assertEqual((folder / f"{name}.sha256").read_text(), f"{sha256(data)}  {name}\n")
        self.assertEqual({path.name for path in folder.iterdir()}, {name, f"{name}.sha256"})  # and no part of it
