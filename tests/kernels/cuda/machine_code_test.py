"""What the atomic policy's steps compile to, for every problem: reductions, which ask the memory for no answer."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

# As mangled, of the problems of an access pattern. Steps through copies of hot coordinates exchange with the buffer by additions that
# answer; all other increments are those of plain sparse steps.
PROBLEM = r"NS_\d+(\w+?)ELNS"
KERNELS = {"sparse_steps": re.compile(rf"12sparse_stepsI{PROBLEM}.*AtomicAdd"),
           "sparse_steps_hot": re.compile(rf"16sparse_steps_hotI{PROBLEM}.*AtomicAdd"),
           "dense_steps by ones": re.compile(rf"11dense_stepsI.*OneFloat\w+?EE{PROBLEM}.*AtomicAdd"),
           "dense_steps by fours": re.compile(rf"11dense_stepsI.*FourFloats\w+?EE{PROBLEM}.*AtomicAdd"),
           "window_steps by ones": re.compile(rf"12window_stepsI.*OneFloat\w+?EE{PROBLEM}.*AtomicAdd"),
           "window_steps by fours": re.compile(rf"12window_stepsI.*FourFloatsELj1\w+?EE{PROBLEM}.*AtomicAdd"),
           "edge_steps of two classes": re.compile(rf"10edge_stepsI.*TwoClassesE{PROBLEM}.*AtomicAdd"),
           "edge_steps of many classes": re.compile(rf"10edge_stepsI.*ManyClassesILj16ELj4EEE{PROBLEM}.*AtomicAdd")}
PATTERNS = {"edge_steps of two classes": "EdgeEnds", "edge_steps of many classes": "EdgeEnds",
            "window_steps by ones": "TokenWindows", "window_steps by fours": "TokenWindows"}  # others': SparseRows
REDUCTION = re.compile(r"\bREDG?\.E\.ADD\.F32")
WIDE = re.compile(r"\bREDG?\.E\.ADD\.F32x4")
SCOPES = {"0": "GPU", "1": "SYS"}  # enum class Scope
ANSWERED = re.compile(r"\bATOMG?\.\S*F32")  # the value before comes back
NETWORK_STEPS = re.compile(r"13network_stepsI\w+ELb([01])E")  # on the shared weights, on replicas


def functions(listing):
    """{mangled name: its lines} of cuobjdump's listing."""
    found = {}
    for part in re.split(r"^\s*Function : ", listing, flags=re.MULTILINE)[1:]:
        name, _, lines = part.partition("\n")
        found[name.strip()] = lines
    return found


class MachineCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kernels = os.environ.get("HOGWILD_CUDA_KERNELS", "")
        if not kernels:
            raise unittest.SkipTest("skipped: this build is without CUDA; to run it: ./tests/gpu where nvcc is installed")
        cuobjdump = shutil.which("cuobjdump", path=f"{os.environ['PATH']}:{os.environ.get('HOGWILD_CUDA_BIN', '')}")
        if cuobjdump is None:
            raise unittest.SkipTest("skipped: no cuobjdump on the PATH or beside nvcc; to run it: install CUDA's binary utilities (cuobjdump)")
        done = subprocess.run([cuobjdump, "-sass", kernels], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.functions = functions(done.stdout)

    def steps(self, kernel):
        """{what comes after the kernel's name: its lines}, for each problem, scope and probe."""
        found = {KERNELS[kernel].search(name): lines for name, lines in self.functions.items()}
        found = {match.string[match.start(1):]: lines for match, lines in found.items() if match}
        root = os.environ["HOGWILD_SOURCE_DIR"]
        problems = [header for header in pathlib.Path(root, "kernels", "problems").glob("*.h")
                    if f"using Pattern = {PATTERNS.get(kernel, 'SparseRows')};" in header.read_text()]
        self.assertEqual(len({name.partition("ELNS")[0] for name in found}), len(problems), list(found))
        return found

    def test_atomic_increments_are_reductions_and_none_asks_for_the_value_before(self):
        for kernel in set(KERNELS) - {"sparse_steps_hot"}:
            for name, lines in self.steps(kernel).items():
                self.assertRegex(lines, WIDE if kernel.endswith("by fours") else REDUCTION, name)
                self.assertNotRegex(lines, ANSWERED, name)

    def test_their_scope_is_that_of_the_buffer(self):
        for kernel in KERNELS:
            scopes = set()
            for name, lines in self.steps(kernel).items():
                scopes.add(scope := SCOPES[re.search(r"5ScopeE(\d)E", name)[1]])
                for reduction in re.findall(r"\bREDG?\.E\.ADD\.F32.*", lines):
                    self.assertIn(f".STRONG.{scope} ", reduction, name)
            self.assertEqual(scopes, set(SCOPES.values()), kernel)

    def test_beside_copies_of_hot_coordinates_the_others_are_reductions_as_without(self):
        plain = self.steps("sparse_steps")
        for name, lines in self.steps("sparse_steps_hot").items():
            self.assertEqual(len(REDUCTION.findall(lines)), len(REDUCTION.findall(plain[name])), name)

    def test_steps_on_networks_ask_for_no_value_before_but_where_replicas_are_exchanged(self):
        found = {NETWORK_STEPS.search(name): lines for name, lines in self.functions.items()}
        found = {match[1]: lines for match, lines in found.items() if match}
        self.assertEqual(set(found), {"0", "1"})
        for replicas, lines in found.items():
            self.assertRegex(lines, REDUCTION)
            answered = {line.split(".")[0] for line in ANSWERED.findall(lines)}
            self.assertEqual(answered, {"ATOMG"} if replicas == "1" else set())  # of an unknown kind of memory: ATOM
        self.assertRegex(found["1"], r"\bATOMG\.E\.ADD\.F32x4")


class Patterns(unittest.TestCase):
    def test_the_patterns_tell_an_increment_with_an_answer_from_one_without(self):
        self.assertRegex("  REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR8][R2.64], R5 ;", REDUCTION)
        self.assertNotRegex("  REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR8][R2.64], R5 ;", ANSWERED)
        self.assertRegex("  ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R5, desc[UR8][R2.64], R5 ;", ANSWERED)
        self.assertRegex("  REDG.E.ADD.F32x4.FTZ.RN.STRONG.SYS desc[UR8][R2.64], R4 ;", WIDE)
        self.assertNotRegex("  ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR6][R2.64], R9 ;", ANSWERED)  # a claim


if __name__ == "__main__":
    unittest.main(verbosity=2)  # says why something was skipped
