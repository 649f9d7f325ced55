"""The program is built hardened: its own headers say so."""

import os
import shutil
import subprocess
import sys
import unittest

PROGRAM = os.environ.get("HOGWILD_PROGRAM")


def said(*options):
    return subprocess.run(["readelf", "--wide", *options, PROGRAM], capture_output=True, text=True, check=True).stdout


class Hardened(unittest.TestCase):
    def test_it_lies_at_an_address_that_nobody_knows_before(self):
        self.assertRegex(said("--file-header"), r"Type:\s+DYN")

    def test_addresses_of_functions_are_read_only_from_the_start(self):
        self.assertIn("GNU_RELRO", said("--program-headers"))
        self.assertRegex(said("--dynamic"), r"FLAGS.*(BIND_NOW|NOW)")

    def test_no_page_is_both_writable_and_executable(self):
        for line in said("--program-headers").splitlines():
            self.assertNotRegex(line, r"^\s+(LOAD|GNU_STACK)\s.*\sRWE\s")

    def test_stacks_and_sizes_of_copies_are_checked(self):
        symbols = said("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__(memcpy|memset|snprintf|vsnprintf|fread|read|strncpy|memmove|fprintf|vfprintf|longjmp|realpath|open_2|pread|pread64|fdelt)_?\w*chk")


if __name__ == "__main__":
    if shutil.which("readelf") is None:
        print("skipped: readelf is not installed (package binutils)")
        sys.exit(77)
    if "__asan_init" in said("--dyn-syms", "--syms"):
        print("skipped: the program is built for AddressSanitizer, which checks more")
        sys.exit(77)
    unittest.main()
