"""Laws of a download: what arrived is not fetched twice, whatever ended it, and bytes of two files are never mixed."""

import os
import pty
import resource
import signal
import subprocess
import unittest

from fetching import FILE, NAME, NOISE, PROGRAM, Fetching


class Download(Fetching):
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

    def interrupted(self, server, act):
        """Starts a fetch on a terminal, calls act(process) once half of it is on the disk; its exit code and what it said."""

        def half(handler):
            server.answer(handler, len(NOISE) // 2)
            server.released.wait()

        server.rules[f"/{NAME}"] = half
        terminal, of_child = pty.openpty()
        self.addCleanup(os.close, terminal)
        words = [PROGRAM, "data", "fetch", "kdda.t", "--from", server.address]
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


if __name__ == "__main__":
    unittest.main()
