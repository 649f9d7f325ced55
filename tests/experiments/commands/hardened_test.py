"""The program is built hardened, where it is built, where it is installed and with either compiler: its own headers say so."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM")
ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[3]))
ASSERTED = ("engine/data/cache", "engine/data/files", "engine/data/images", "engine/network", "engine/plan", "experiments")
HARDENING = re.compile(r"-fstack-protector\S*|-[DU]_FORTIFY_SOURCE\S*|-D_GLIBCXX_ASSERTIONS|-fPIE|-O[0-3]|-pie|-Wl,-z,\S+")
SMALL = """#include <cstdio>
#include <cstring>
#include <vector>
int main(int count, char** words) {
    char text[64];
    std::strcpy(text, words[count - 1]);
    return std::puts(text) + std::vector<int>(static_cast<std::size_t>(count))[std::strlen(text)];
}
"""


def said(*options, program=PROGRAM):
    return subprocess.run(["readelf", "--wide", *options, program], capture_output=True, text=True, check=True).stdout


class Hardened(unittest.TestCase):
    program = PROGRAM

    def said(self, *options):
        return said(*options, program=self.program)

    def test_it_lies_at_an_address_that_nobody_knows_before(self):
        self.assertRegex(self.said("--file-header"), r"Type:\s+DYN")

    def test_addresses_of_functions_are_read_only_from_the_start(self):
        self.assertIn("GNU_RELRO", self.said("--program-headers"))
        self.assertRegex(self.said("--dynamic"), r"FLAGS.*(BIND_NOW|NOW)")

    def test_no_page_is_both_writable_and_executable(self):
        for line in self.said("--program-headers").splitlines():
            self.assertNotRegex(line, r"^\s+(LOAD|GNU_STACK)\s.*\sRWE\s")

    def test_stacks_and_sizes_of_copies_are_checked(self):
        symbols = self.said("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__(memcpy|memset|snprintf|vsnprintf|fread|read|strncpy|memmove|fprintf|vfprintf|longjmp|realpath|strcpy|open_2|pread|pread64|fdelt)_?\w*chk")


    def test_assertions_of_the_standard_library_are_checked(self):
        self.assertIn("__glibcxx_assert_fail", self.said("--dyn-syms"))


class Units(unittest.TestCase):
    def test_what_reads_files_checks_sizes_and_loops_over_samples_do_not(self):
        commands = json.loads((Path(PROGRAM).parent / "compile_commands.json").read_text())
        of = {unit["file"]: unit["command"] for unit in commands if unit["file"].endswith(".cpp") and "/bench/" not in unit["file"]}
        chosen = lambda part: {file: command for file, command in of.items() if file.startswith(f"{ROOT}/{part}/")}
        for part in ("engine/data", *ASSERTED):
            units = chosen(part)
            self.assertTrue(units, part)
            for file, command in units.items():
                with self.subTest(file):
                    self.assertRegex(command, r"-D_FORTIFY_SOURCE=[23]\b")
                    self.assertIn("-fstack-protector-strong", command)
                    if part in ASSERTED and not file.endswith("/commands/hogwild.cpp"):  # that calls main() alone
                        self.assertIn("-D_GLIBCXX_ASSERTIONS", command)
        for part in ("engine/schemes", "engine/workers"):
            for file, command in chosen(part).items():
                self.assertNotRegex(command, "FORTIFY|ASSERTIONS", file)


class Elsewhere(Hardened):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder, cls.build = Path(holder.name), Path(PROGRAM).parent
        cls.program = cls.made()


class Installed(Elsewhere):
    @classmethod
    def made(cls):
        subprocess.run(["cmake", "-D", f"CMAKE_INSTALL_PREFIX={cls.folder}", "-P", cls.build / "experiments" / "cmake_install.cmake"],
                       check=True, capture_output=True)
        return cls.folder / "bin" / "hogwild"


@unittest.skipUnless(shutil.which("clang++"), "skipped: clang++ is not installed; to run it: apt-get install clang")
class BuiltByClang(Elsewhere):
    """A small program by the words that harden this build."""

    @classmethod
    def made(cls):
        commands = json.loads((cls.build / "compile_commands.json").read_text())
        compiled = next(each["command"] for each in commands if each["file"].endswith("experiments/commands/program.cpp"))
        rule = (cls.build / "build.ninja").read_text().partition("build hogwild: ")[2].partition("\nbuild ")[0]
        words = [word for word in shlex.split(compiled) + rule.split() if HARDENING.fullmatch(word)]
        (cls.folder / "small.cpp").write_text(SMALL)
        subprocess.run(["clang++", *words, "small.cpp", "-o", "small"], check=True, cwd=cls.folder)
        return cls.folder / "small"


del Elsewhere

if __name__ == "__main__":
    if shutil.which("readelf") is None:
        print("skipped: readelf is not installed; to run it: apt-get install binutils")
        sys.exit(77)
    if "__asan_init" in said("--dyn-syms", "--syms"):
        print("skipped: the program is built for AddressSanitizer, which checks more; to run it: ./tests/run release")
        sys.exit(77)
    unittest.main()
