"""Laws of `hogwild data fetch`: a file has its name only when it is whole and what is known, what arrived is never fetched twice,
and what cannot be had is said with what to do instead."""

import bz2
import hashlib
import os
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from file_server import FileServer

PROGRAM = os.environ.get("HOGWILD_PROGRAM", "")
NAME = "real-sim.bz2"  # neither its size nor its SHA-256 is in the table
TEXT = "".join(f"{'+1' if i % 3 else '-1'} {1 + i % 7}:0.5 {9 + i % 5}:{i % 11 + 1}\n" for i in range(2000))
FILE = bz2.compress(TEXT.encode())
NOISE = hashlib.shake_128(b"noise").digest(400_000)  # a file that takes several writes


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@unittest.skipUnless(PROGRAM, "skipped: HOGWILD_PROGRAM names no program")
class Fetch(unittest.TestCase):
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

    def fetch(self, server, *words, name="real-sim", **options):
        return self.call("data", "fetch", name, "--from", server.address, *words, **options)

    def check_whole(self, data, name=NAME, folder=None):
        folder = folder or self.folder
        self.assertEqual((folder / name).read_bytes(), data)
        self.assertEqual((folder / f"{name}.sha256").read_text(), f"{sha256(data)}  {name}\n")
        self.assertEqual({path.name for path in folder.iterdir()}, {name, f"{name}.sha256"})  # and no part of it

    def test_a_file_is_whole_has_its_name_and_its_recorded_sum(self):
        done = self.fetch(self.serve())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole(FILE)
        self.assertIn(sha256(FILE), done.stdout)
        self.assertIn("recorded from now on", done.stdout)
        self.assertIn("states no licence", done.stderr)

    def test_an_empty_file_is_a_file(self):
        self.assertEqual(self.fetch(self.serve(b"")).returncode, 0)
        self.check_whole(b"")

    def test_what_is_here_is_verified_and_not_fetched_again(self):
        server = self.serve()
        self.fetch(server)
        done = self.fetch(server)
        self.assertEqual((done.returncode, len(server.requests)), (0, 1))
        self.assertIn("here already, verified", done.stdout)

    def test_a_folder_of_ones_own_is_made(self):
        done = self.fetch(self.serve(), "-o", str(self.home / "a" / "b"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole(FILE, folder=self.home / "a" / "b")
        self.assertFalse(self.folder.exists())

    def test_a_run_takes_a_fetched_set_by_its_name(self):
        self.fetch(self.serve())
        for name in ("real-sim", NAME):
            done = self.call("data", "check", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2,000 samples", done.stdout)
        run = self.call("run", "--data", "real-sim", "--test", "real-sim", "--scheme", "serial", "--epochs", "1", "--no-plot", "--no-cache")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_file_of_the_same_name_comes_before_a_fetched_set(self):
        self.fetch(self.serve())
        (self.home / "real-sim").write_text("+1 1:1\n-1 2:1\n")
        self.assertIn("2 samples", self.call("data", "check", "real-sim").stdout)

    def test_a_set_that_a_run_cannot_take_says_why(self):
        for name, code, part in (("url", 69, "hogwild data fetch url"), ("rcv1", 2, "rcv1_test.binary.bz2"), ("mnist", 2, "no LIBSVM text")):
            done = self.call("run", "--data", name, "--no-plot")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(part, done.stderr)

    def test_a_cut_connection_is_taken_up_where_it_was_cut(self):
        server = self.serve(NOISE)
        server.rules[f"/{NAME}"] = server.cut_after(150_000)
        done = self.fetch(server)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole(NOISE)
        self.assertEqual(server.requests, [(f"/{NAME}", None), (f"/{NAME}", "bytes=150000-")])

    def cut_for_good(self, server, sent=150_000):
        """A command that ends with `sent` bytes in the part."""
        cut = server.cut_after(sent)
        server.rules[f"/{NAME}"] = lambda handler: cut(handler) or handler.send_error(503) or True
        done = self.fetch(server)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("answers 503", done.stderr)
        self.assertIn(f"goes on after {sent:,} bytes", done.stderr)
        self.assertEqual((self.folder / f"{NAME}.part").read_bytes(), server.files[f"/{NAME}"][:sent])
        self.assertFalse((self.folder / NAME).exists())
        server.rules.clear()
        server.requests.clear()

    def test_a_later_command_goes_on_where_the_last_ended(self):
        for version in (True, False):
            with self.subTest(version=version):
                server = self.serve(NOISE, version=version)
                self.cut_for_good(server)
                self.assertEqual(self.fetch(server).returncode, 0)
                self.check_whole(NOISE)
                self.assertEqual(server.requests, [(f"/{NAME}", "bytes=150000-")])
                for path in self.folder.iterdir():
                    path.unlink()

    def test_a_server_without_ranges_is_started_over(self):
        server = self.serve(NOISE, ranges=False)
        self.cut_for_good(server)
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE)

    def test_another_file_at_the_same_address_is_never_mixed_with_the_first(self):
        server = self.serve(NOISE)
        self.cut_for_good(server)
        server.files[f"/{NAME}"] = NOISE[::-1]  # as long as the first
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE[::-1])

    def test_a_part_of_another_address_is_not_gone_on_with(self):
        self.cut_for_good(self.serve(NOISE))
        other = self.serve(FILE)
        self.assertEqual(self.fetch(other).returncode, 0)
        self.check_whole(FILE)
        self.assertEqual(other.requests, [(f"/{NAME}", None)])

    def test_a_part_longer_than_the_file_is_started_over(self):
        server = self.serve(NOISE, version=False)
        self.cut_for_good(server)
        server.files[f"/{NAME}"] = NOISE[:100_000]
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE[:100_000])

    def test_a_torn_note_of_a_part_is_no_part(self):
        server = self.serve(NOISE)
        self.cut_for_good(server)
        (self.folder / f"{NAME}.part.of").write_text(server.address)
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE)
        self.assertEqual(server.requests, [(f"/{NAME}", None)])

    def test_a_part_that_was_whole_only_gets_its_name(self):
        server = self.serve(NOISE)
        self.cut_for_good(server)
        (self.folder / f"{NAME}.part").write_bytes(NOISE)  # as after a kill between the last byte and the rename
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE)
        self.assertEqual(server.requests, [])

    def test_a_wrong_size_is_not_kept(self):
        done = self.fetch(self.serve(b"short", "ml-100k.zip"), name="ml-100k")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has 5 bytes, not 4,924,029", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_wrong_sum_of_the_table_is_not_kept(self):
        name = "t10k-labels-idx1-ubyte.gz"
        done = self.fetch(self.serve(bytes(4542), name), name=name)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"its SHA-256 is {sha256(bytes(4542))}, not f7ae60f9", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_sum_that_was_recorded_is_compared_from_then_on(self):
        server = self.serve()
        self.fetch(server)
        (self.folder / NAME).unlink()
        server.files[f"/{NAME}"] = NOISE
        done = self.fetch(server)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"its SHA-256 is {sha256(NOISE)}", done.stderr)
        self.assertIn(f"delete {self.folder / NAME}.sha256", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], [f"{NAME}.sha256"])
        (self.folder / f"{NAME}.sha256").unlink()
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE)

    def test_a_file_that_rotted_on_the_disk_is_said(self):
        server = self.serve()
        self.fetch(server)
        (self.folder / NAME).write_bytes(FILE[:-1] + b"?")
        done = self.fetch(server)
        self.assertEqual(done.returncode, 1)
        self.assertIn("delete it and fetch it again", done.stderr)

    def redirects(self, server, target):
        def rule(handler):
            handler.send_response(302)
            handler.send_header("Location", target)
            handler.send_header("Content-Length", "5")
            handler.end_headers()
            handler.wfile.write(b"moved")

        server.rules[f"/{NAME}"] = rule

    def test_a_redirect_is_followed_and_its_page_is_not_the_file(self):
        server = self.serve()
        server.files["/elsewhere"] = FILE
        self.redirects(server, "/elsewhere")
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(FILE)

    def test_a_redirect_in_a_circle_ends(self):
        server = self.serve()
        self.redirects(server, f"/{NAME}")
        done = self.fetch(server)
        self.assertEqual(done.returncode, 69)
        self.assertIn("redirects more than 10 times", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_redirect_to_a_file_of_this_machine_is_not_followed(self):
        (self.home / "secret").write_text("secret")
        server = self.serve()
        self.redirects(server, f"file://{self.home}/secret")
        done = self.fetch(server)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_is_not_there_is_said(self):
        done = self.fetch(self.serve(name="another"))
        self.assertEqual(done.returncode, 69)
        self.assertIn("answers 404", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_without_a_connection_it_says_what_else_to_run(self):
        server = FileServer({})
        server.close()
        done = self.fetch(server)
        self.assertEqual(done.returncode, 69)
        self.assertIn("no connection", done.stderr)
        self.assertIn("hogwild run --data synthetic:rcv1", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 2, done.stderr)  # the terms, and one error

    def test_a_full_disk_is_exit_code_74_and_goes_on_afterwards(self):
        server = self.serve(NOISE)
        limit = 200_000
        done = self.fetch(server, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("goes on after 200,000 bytes", done.stderr)
        self.assertEqual((self.folder / f"{NAME}.part").stat().st_size, limit)
        self.assertEqual(self.fetch(server).returncode, 0)
        self.check_whole(NOISE)
        self.assertEqual(server.requests[1:], [(f"/{NAME}", f"bytes={limit}-")])

    def test_a_folder_that_cannot_be_made_is_exit_code_74(self):
        (self.home / "file").write_text("")
        self.assertEqual(self.fetch(self.serve(), "-o", str(self.home / "file" / "folder")).returncode, 74)

    def interrupted(self, server, act):
        """Starts a fetch on a terminal, calls act(process) once half of it is on the disk; its exit code and what it said."""

        def half(handler):
            server.answer(handler, len(NOISE) // 2)
            server.released.wait()

        server.rules[f"/{NAME}"] = half
        terminal, of_child = pty.openpty()
        self.addCleanup(os.close, terminal)
        words = [PROGRAM, "data", "fetch", "real-sim", "--from", server.address]
        process = subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL, stderr=of_child)
        os.close(of_child)
        said = b""
        while b"50 %" not in said:
            said += os.read(terminal, 4096)
        result = act(process)
        code = process.wait()
        try:
            while more := os.read(terminal, 4096):
                said += more
        except OSError:  # the terminal has lost its last writer
            pass
        server.rules.clear()
        return code, said.decode(), result

    def test_an_interrupt_leaves_what_a_later_command_goes_on_with(self):
        for stop, code in ((signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(stop=stop):
                server = self.serve(NOISE)
                ended, said, _ = self.interrupted(server, lambda process: process.send_signal(stop))
                self.assertEqual(ended, code, said)
                self.assertEqual("run the command again" in said, code == 130, said)
                self.assertEqual((self.folder / f"{NAME}.part").read_bytes(), NOISE[:200_000])
                self.assertEqual(self.fetch(server).returncode, 0)
                self.check_whole(NOISE)
                self.assertEqual(server.requests[1:], [(f"/{NAME}", "bytes=200000-")])
                for path in self.folder.iterdir():
                    path.unlink()

    def test_two_commands_do_not_write_the_same_file(self):
        server = self.serve(NOISE)

        def second(process):
            done = self.fetch(server)
            process.kill()
            return done

        _, _, done = self.interrupted(server, second)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is being fetched already", done.stderr)
        self.assertEqual((self.folder / f"{NAME}.part").stat().st_size, 200_000)

    def test_without_a_name_the_table_is_listed(self):
        self.fetch(self.serve())
        done = self.call("data", "fetch")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("rcv1", "677,399", "real-sim.bz2 (here)", "CC BY-SA 3.0", "https://mattmahoney.net/dc", str(self.folder)):
            self.assertIn(part, done.stdout)

    def test_an_unknown_name_or_mirror_is_a_usage_error(self):
        done = self.call("data", "fetch", "rcv2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown data set 'rcv2' (known: rcv1, news20.binary", done.stderr)
        done = self.call("data", "fetch", "url", "--from", "ftp://host")
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither https:// nor http://", done.stderr)


if __name__ == "__main__":
    unittest.main()
