"""What the atomic policy's steps compile to, for every problem: reductions, which ask the memory for no answer."""

import os
import re
import shutil
import subprocess
import unittest

ATOMIC_STEPS = re.compile(r"12sparse_stepsI.*AtomicAdd")  # as mangled; sparse_steps_hot has another length before its name
REDUCTION = re.compile(r"\bREDG?\.E\.ADD\.F32")
ANSWERED = re.compile(r"\bATOMG?\.\S*F32")  # the value before comes back


def functions(listing):
    """{mangled name: its lines} of cuobjdump's listing."""
    found = {}
    for part in re.split(r"^\s*Function : ", listing, flags=re.MULTILINE)[1:]:
        name, _, lines = part.partition("\n")
        found[name.strip()] = lines
    return found


class MachineCode(unittest.TestCase):
    def steps(self):
        kernels = os.environ.get("HOGWILD_CUDA_KERNELS", "")
        if not kernels:
            self.skipTest("skipped: this build is without CUDA")
        if shutil.which("cuobjdump") is None:
            self.skipTest("skipped: no cuobjdump on the PATH")
        done = subprocess.run(["cuobjdump", "-sass", kernels], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: lines for name, lines in functions(done.stdout).items() if ATOMIC_STEPS.search(name)}

    def test_atomic_increments_are_reductions_and_none_asks_for_the_value_before(self):
        steps = self.steps()
        problems = {re.search(r"sparse_stepsINS_\d+(\w+?)ELNS", name).group(1) for name in steps}
        root = os.environ["HOGWILD_SOURCE_DIR"]
        headers = [file for file in os.listdir(os.path.join(root, "kernels", "problems")) if file.endswith(".h")]
        self.assertEqual(len(problems), len(headers), problems)
        for name, lines in steps.items():
            self.assertRegex(lines, REDUCTION, name)
            self.assertNotRegex(lines, ANSWERED, name)

    def test_the_patterns_tell_an_increment_with_an_answer_from_one_without(self):
        self.assertRegex("  REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR8][R2.64], R5 ;", REDUCTION)
        self.assertNotRegex("  REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR8][R2.64], R5 ;", ANSWERED)
        self.assertRegex("  ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R5, desc[UR8][R2.64], R5 ;", ANSWERED)
        self.assertNotRegex("  ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR6][R2.64], R9 ;", ANSWERED)  # a claim


if __name__ == "__main__":
    unittest.main(verbosity=2)  # says why something was skipped
