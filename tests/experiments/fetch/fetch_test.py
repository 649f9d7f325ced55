"""Laws of `hogwild data fetch`. A file has its name only when it is whole and what is known. What cannot be had is said with
what to do instead."""

import unittest

from fetching import FILE, NAME, NOISE, Fetching, sha256
from file_server import FileServer


class Fetch(Fetching):
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
        for name in ("kdda.t", NAME):
            done = self.call("data", "check", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2,000 samples", done.stdout)
        run = self.call("run", "--data", "kdda.t", "--test", "kdda.t", "--scheme", "serial", "--epochs", "1", "--no-plot", "--no-cache")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_file_of_the_same_name_comes_before_a_fetched_set(self):
        self.fetch(self.serve())
        (self.home / "kdda.t").write_text("+1 1:1\n-1 2:1\n")
        self.assertIn("2 samples", self.call("data", "check", "kdda.t").stdout)

    def test_a_set_that_a_run_cannot_take_says_why(self):
        for name, code, part in (("url", 69, "hogwild data fetch url"), ("rcv1", 2, "rcv1_test.binary.bz2"), ("text8", 69, "(unzip "),
                                 ("cifar-10", 69, "hogwild data fetch cifar-10 (from https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz), then unpack"),
                                 ("cifar-10", 69, "(tar xf "), ("mnist", 69, "hogwild data fetch mnist, or use synthetic:images; images are for --problem network")):
            done = self.call("run", "--data", name, "--no-plot")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(part, done.stderr)
        (self.folder / "cifar-10-binary.tar.gz").parent.mkdir(parents=True, exist_ok=True)
        (self.folder / "cifar-10-binary.tar.gz").touch()
        done = self.call("run", "--data", "cifar-10", "--no-plot")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("cifar-10 cannot be run on (its files are packed together); unpack it (tar xf ", done.stderr)

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
        self.assertIn("synthetic:images", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 2, done.stderr)  # the terms, and one error

    def test_a_folder_that_cannot_be_made_is_exit_code_74(self):
        (self.home / "file").write_text("")
        self.assertEqual(self.fetch(self.serve(), "-o", str(self.home / "file" / "folder")).returncode, 74)

    def test_without_a_name_the_table_is_listed(self):
        self.fetch(self.serve())
        done = self.call("data", "fetch")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("rcv1", "677,399", "kdda.t.bz2 (here)", "CC BY-SA 3.0", "https://mattmahoney.net/dc", str(self.folder)):
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
