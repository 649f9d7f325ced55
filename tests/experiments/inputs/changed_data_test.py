"""What is hashed is what is parsed, for every kind of file that holds samples: data that another program writes to while they are read are
refused by name, or the results are those of the bytes whose hash they carry."""

import bz2
import csv
import gzip
import json
import lzma
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM, LIBRARY = os.environ.get("HOGWILD_PROGRAM", ""), os.environ.get("HOGWILD_CHANGES", "")
CHANGES = ("rewrite", "cut", "grow", "replace")
REFUSED = (1, 2, 69, 74)  # where the bytes are no samples any more, too


def rows(draw):
    return "".join(f"{draw.choice(('-1', '+1'))} {draw.randint(1, 9)}:{draw.randint(1, 9)} {draw.randint(10, 99)}:0.5\n" for _ in range(3000)).encode()


def ratings(draw):
    return b"user,item,rating\n" + "".join(f"{draw.randint(10, 99)},{draw.randint(10, 99)},{draw.randint(1, 5)}\n" for _ in range(4000)).encode()


def matrix(draw):
    return b"%%MatrixMarket matrix coordinate integer general\n90 90 3000\n" + "".join(
        f"{10 + n % 80} {draw.randint(10, 90)} {draw.randint(1, 5)}\n" for n in range(3000)).encode()


def graph(draw):
    return ("t 100 0\nt 300 1\n" + "".join(f"{100 + n % 100} {300 + draw.randint(0, 99)}\n" for n in range(3000))).encode()


def words(draw):
    return " ".join(draw.choice(("alpha", "gamma", "delta", "kappa", "omega")) for _ in range(6000)).encode()


def idx(draw):
    return bytes((0, 0, 8, 3, 0, 0, 0, 80, 0, 0, 0, 10, 0, 0, 0, 10)) + draw.randbytes(8000)


def batch(draw):
    return b"".join(bytes((n % 10,)) + draw.randbytes(3072) for n in range(24))


NETWORK = ("--network", "dense 4 sigmoid; dense 10", "--test", "none")
# What holds samples: its name, its bytes, options. Of each problem of `hogwild schema`.
KINDS = {
    "hinge": ("d.svm", rows, ()), "logistic": ("d.svm.gz", lambda draw: gzip.compress(rows(draw), mtime=0), ()),
    "squared": ("d.svm.xz", lambda draw: lzma.compress(rows(draw)), ("--real-labels",)),
    "hinge bz2": ("d.svm.bz2", lambda draw: bz2.compress(rows(draw)), ()),
    "factorization": ("d.csv", ratings, ("--test", "none")), "factorization mtx": ("d.mtx", matrix, ("--test", "none")),
    "cut": ("d.max", graph, ()), "skipgram": ("d.txt", words, ("--min-count", "1", "--dim", "4")),
    "network": ("train-images-idx3-ubyte.gz", lambda draw: gzip.compress(idx(draw), mtime=0), NETWORK),
    "network cifar": ("data_batch_1.bin.gz", lambda draw: gzip.compress(batch(draw), mtime=0), NETWORK),
}


@unittest.skipUnless(LIBRARY, "skipped: no library of changes in this build, as a sanitizer has to be loaded first; to run it: ./tests/run release")
class Changed(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.runs = 0

    def run_on(self, kind, cache, change=None):
        """Exit code, what was said, and the hash of the samples with the loss on them."""
        name, _, options = KINDS[kind]
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        own = {"XDG_CACHE_HOME": str(self.folder / cache)}
        if change:
            own |= {"LD_PRELOAD": LIBRARY, "HOGWILD_CHANGE": change, "HOGWILD_CHANGED": str(self.folder / name), "HOGWILD_BYTES": str(self.folder / "other")}
        done = subprocess.run([PROGRAM, "run", "--data", name, "--problem", kind.split()[0], "--scheme", "serial", "--epochs", "1", "--step-size", "0.01",
                               "--no-plot", "--quiet", "-o", str(out), *options], capture_output=True, text=True, cwd=self.folder, env={**os.environ, **own}, timeout=60)
        if done.returncode:
            return done.returncode, done.stderr, None
        with open(out / "summary.csv", newline="") as file:
            row, = csv.DictReader(file)
        manifest = json.loads((out / row["run"] / "manifest.json").read_text())
        return 0, done.stderr, (manifest["data"]["hash"], row["train_loss"])

    def test_every_problem_is_tried(self):
        done = subprocess.run([PROGRAM, "schema"], capture_output=True, text=True, check=True)
        self.assertEqual({kind.split()[0] for kind in KINDS}, {each["name"] for each in json.loads(done.stdout)["problems"]})

    def test_changed_while_it_is_read_a_file_is_refused_or_gives_what_its_hash_says(self):
        for kind, (name, make, _) in KINDS.items():
            draw = random.Random(1)
            before, other = make(draw), make(draw)
            path = self.folder / name
            if name.startswith("train"):
                (self.folder / "train-labels-idx1-ubyte").write_bytes(bytes((0, 0, 8, 1, 0, 0, 0, 80, *(n % 10 for n in range(80)))))
            known = {}
            for content in (other, before):
                path.write_bytes(content)
                code, said, found = self.run_on(kind, "cache")
                self.assertEqual(code, 0, (kind, said))
                known[found[0]] = found[1]
            self.assertEqual(len(known), 2, kind)
            for change in CHANGES:
                for call in range(1, 6):
                    path.write_bytes(before)
                    (self.folder / "other").write_bytes(other)
                    code, said, found = self.run_on(kind, f"cache {kind} {change} {call}", f"{change}:{call}")
                    with self.subTest(kind=kind, change=change, call=call):
                        if code:
                            self.assertIn(code, REFUSED, said)
                            self.assertIn(name, said)
                            self.assertNotIn("internal error", said)
                        elif found[0] in known:
                            self.assertEqual(found[1], known[found[0]])
                        else:
                            self.assertEqual(change, "grow")
                        for content, (sure, loss) in zip((other, before), known.items()) if name.startswith("d.svm") else ():  # what is cached
                            path.write_bytes(content)
                            self.assertEqual(self.run_on(kind, f"cache {kind} {change} {call}")[2], (sure, loss))


if __name__ == "__main__":
    unittest.main()
