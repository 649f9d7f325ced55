"""Laws of how a script ends."""

import errno
import io
import os
import signal
import sys
import unittest
from contextlib import redirect_stderr
from unittest import mock

import fake_runs  # so that the packages are found
from plot.files import script
from plot.files.errors import Missing, NotWritten, ResultsError


class Ends(unittest.TestCase):
    def setUp(self):
        self.addCleanup(signal.signal, signal.SIGPIPE, signal.getsignal(signal.SIGPIPE))
        self.addCleanup(setattr, sys, "stdout", sys.stdout)

    def end(self, main, *said_by):
        """(exit status, what it said)."""
        said = io.StringIO()
        with redirect_stderr(said), mock.patch.object(sys, "argv", ["it.py", "a", "b"]), self.assertRaises(SystemExit) as caught:
            script.run(main, *said_by)
        return caught.exception.code, said.getvalue()

    def test_its_status_is_what_main_returned_for_the_arguments(self):
        called = mock.Mock(return_value=3)
        self.assertEqual(self.end(called), (3, ""))
        called.assert_called_once_with(["a", "b"])
        self.assertEqual(self.end(lambda arguments: None), (None, ""))

    def test_an_error_is_a_line_that_one_can_print_and_its_own_status(self):
        for kind, status in ((ResultsError, 1), (Missing, 69), (NotWritten, 74)):
            main = mock.Mock(side_effect=kind("a\x1b[31m", "why\nnot", "try b"))
            self.assertEqual(self.end(main), (status, "a\N{REPLACEMENT CHARACTER}[31m (why\N{REPLACEMENT CHARACTER}not); try b\n"))
            self.assertTrue(self.end(main, "hogwild: ")[1].startswith("hogwild: a"))

    def test_standard_output_that_takes_nothing_is_status_74_once_main_has_ended(self):
        done = []

        def main(arguments):
            print("saved")
            done.append("saved too")

        for failure, reason in ((errno.ENOSPC, "No space left on device"), (errno.EBADF, "Bad file descriptor")):
            with mock.patch.object(os, "write", side_effect=OSError(failure, os.strerror(failure))):
                self.assertEqual(self.end(main, "hogwild: ")[0], 74)
                self.assertIn(f"standard output ({reason})", self.end(main)[1])
        self.assertEqual(done, ["saved too"] * 4)

    def test_a_main_that_failed_keeps_its_status_where_standard_output_fails(self):
        def main(arguments):
            print("a line")
            raise Missing("a", "why", "try b")

        with mock.patch.object(os, "write", side_effect=OSError(errno.ENOSPC, "full")):
            self.assertEqual(self.end(main)[0], 69)

    def test_a_reader_who_leaves_early_ends_it(self):
        self.end(lambda arguments: None)
        self.assertEqual(signal.getsignal(signal.SIGPIPE), signal.SIG_DFL)


if __name__ == "__main__":
    unittest.main()
