"""Laws of a download from a server, and beside neighbours, that mean no good: it is whole or not there, and it ends."""

import os
import signal
import subprocess
import unittest

from fetching import NAME, NOISE, PROGRAM, Fetching

HUGE = 1 << 40
MOST_REQUESTS = 6  # the first, and those after each pause


class Hostile(Fetching):
    def serve_by(self, rule, data=NOISE, name=NAME):
        server = self.serve(data, name)
        server.rules[f"/{name}"] = rule
        return server

    def kept(self):
        return {path.name for path in self.folder.iterdir()}

    @staticmethod
    def rest(handler, body, claimed):
        """An answer of 206 with these bytes."""
        handler.send_response(206)
        handler.send_header("Content-Length", str(len(body)))
        handler.send_header("Content-Range", claimed)
        handler.end_headers()
        handler.wfile.write(body)

    def cut_once(self, sent):
        """A server whose first answer ends after so many bytes."""
        server = self.serve(NOISE)
        server.rules[f"/{NAME}"] = server.cut_after(sent)
        return server

    def test_a_short_rest_is_not_the_whole(self):
        server = self.cut_once(100_000)
        cut = server.rules[f"/{NAME}"]

        def rule(handler):
            if cut(handler):
                return True
            asked = handler.headers.get("Range")
            begin = int(asked.removeprefix("bytes=").removesuffix("-"))
            end = min(begin + 150_000, len(NOISE))  # a whole answer of a part of what was asked for
            self.rest(handler, NOISE[begin:end], f"bytes {begin}-{end - 1}/{len(NOISE)}")
            return True

        server.rules[f"/{NAME}"] = rule
        done = self.fetch(server)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole(NOISE)
        self.assertEqual([asked for _, asked in server.requests], [None, "bytes=100000-", "bytes=250000-"])

    def test_a_rest_that_was_not_asked_for_is_no_file(self):
        server = self.serve_by(lambda handler: self.rest(handler, NOISE[5:9], f"bytes 5-8/{len(NOISE)}") or True)
        done = self.fetch(server)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertEqual(self.kept(), set())
        self.assertLessEqual(len(server.requests), MOST_REQUESTS)

    def test_an_answer_without_an_end_is_not_taken_beyond_the_known_size(self):
        def rule(handler):
            handler.send_response(200)
            handler.end_headers()
            try:
                for _ in range(1000):  # of 16 MiB, where 4,542 bytes are known
                    handler.wfile.write(bytes(1 << 14))
            except OSError:
                ended.append(True)
            return True

        ended, name = [], "t10k-labels-idx1-ubyte.gz"
        done = self.fetch(self.serve_by(rule, name=name), name=name)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the server sends more than its 4,542 bytes", done.stderr)
        self.assertEqual(self.kept(), set())

    def test_a_server_that_cuts_after_each_byte_is_asked_a_few_times(self):
        def rule(handler):
            server.answer(handler, 1)
            handler.close_connection = True
            return True

        server = self.serve(NOISE)
        server.rules[f"/{NAME}"] = rule
        done = self.fetch(server, timeout=60)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertLessEqual(len(server.requests), MOST_REQUESTS)
        self.assertGreater(len(server.requests), 2)
        self.assertIn("goes on after", done.stderr)

    def test_what_was_planted_at_the_part_is_refused_and_stays(self):
        self.folder.mkdir(parents=True)
        precious = self.home / "precious"
        precious.write_bytes(b"precious")
        part = self.folder / f"{NAME}.part"
        for plant in (lambda: part.symlink_to(precious), lambda: os.link(precious, part), lambda: os.mkfifo(part)):
            plant()
            done = self.fetch(self.serve(NOISE), timeout=20)
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn("it is a link, has another name or is no regular file", done.stderr)
            self.assertEqual(precious.read_bytes(), b"precious")
            part.unlink()

    def test_a_pipe_at_any_file_of_a_download_is_not_waited_for(self):
        self.folder.mkdir(parents=True)
        for ending, code in (("", 74), (".sha256", 0), (".part.of", 0)):
            pipe = self.folder / f"{NAME}{ending}"
            os.mkfifo(pipe)
            done = self.fetch(self.serve(NOISE), timeout=20)
            self.assertEqual(done.returncode, code, done.stderr)
            for path in self.folder.iterdir():
                path.unlink()

    def test_a_termination_ends_a_pause_too(self):
        def rule(handler):
            server.answer(handler, 1)
            handler.close_connection = True
            if len(server.requests) == 3:
                process.send_signal(signal.SIGTERM)
            return True

        server = self.serve(NOISE)
        server.rules[f"/{NAME}"] = rule
        process = subprocess.Popen([PROGRAM, "data", "fetch", "kdda.t", "--from", server.address], env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("run the command again", said)

    def test_a_termination_ends_the_sum_of_a_file_and_what_arrived_stays(self):
        self.folder.mkdir(parents=True)
        file, part = self.folder / NAME, self.folder / f"{NAME}.part"
        server = self.serve()
        note = f"{server.address}/{NAME}\n\n{HUGE}\n"
        for large, beside in ((file, None), (part, note)):
            with open(large, "wb") as hole:
                hole.truncate(HUGE)  # takes no room, and an hour to read
            if beside:
                (self.folder / f"{NAME}.part.of").write_text(beside)
            process = subprocess.Popen([PROGRAM, "data", "fetch", "kdda.t", "--from", server.address], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            said = process.stderr.readline()  # of its terms, once signals are listened to
            process.send_signal(signal.SIGTERM)
            _, rest = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, said + rest)
            self.assertEqual(large.stat().st_size, HUGE)
            large.unlink()

    def test_a_file_with_another_md5_than_the_stated_one_is_not_kept(self):
        done = self.fetch(self.serve(NOISE, "url_combined.bz2"), name="url")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, "its MD5 is [0-9a-f]{32}, not 83673b8f")
        self.assertEqual(self.kept(), set())

    def test_an_address_with_a_query_is_refused_and_its_query_not_told(self):
        for query in ("/?token=hunter2", "?token=hunter2", "/folder#hunter2"):
            done = self.call("data", "fetch", "kdda.t", "--from", f"http://127.0.0.1:9{query}")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn("hunter2", done.stderr)

    def test_a_password_in_an_address_is_neither_told_nor_kept(self):
        server = self.cut_once(100_000)
        cut = server.rules[f"/{NAME}"]
        server.rules[f"/{NAME}"] = lambda handler: cut(handler) or handler.send_error(503) or True
        address = server.address.replace("http://", "http://somebody:hunter2@")
        done = self.call("data", "fetch", "kdda.t", "--from", address)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn(f"cannot fetch {server.address}/{NAME}", done.stderr)
        texts = [done.stdout, done.stderr] + [path.read_bytes().decode("latin-1") for path in self.folder.iterdir()]
        for text in texts:
            self.assertNotIn("hunter2", text)
        note = self.folder / f"{NAME}.part.of"
        self.assertEqual(note.stat().st_mode & 0o777, 0o600)
        server.rules.clear()
        done = self.call("data", "fetch", "kdda.t", "--from", address)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole(NOISE)
        self.assertEqual(server.requests[-1], (f"/{NAME}", "bytes=100000-"))
        done = self.call("data", "fetch", "kdda.t", "--from", "ftp://somebody:hunter2@host")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("hunter2", done.stderr)


if __name__ == "__main__":
    unittest.main()
