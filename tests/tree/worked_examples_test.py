"""What CONTRIBUTING shows is compiled: each example, put where the page says, is read by the compiler without a complaint.

The tree stays as it is. An example is a copy of a file with the example in it, in a folder that is looked into first.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("HOGWILD_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMPILER = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def examples(title):
    """The C++ blocks of a section."""
    section = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^```cpp\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


class Overlay:
    """A folder of changed files, looked into before the tree."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def write(self, path, text):
        (self.path / path).parent.mkdir(parents=True, exist_ok=True)
        (self.path / path).write_text(text, encoding="utf-8")

    def insert(self, path, before, text):
        """A copy of a file with `text` before the first `before`."""
        content = (ROOT / path).read_text(encoding="utf-8")
        assert before in content, f"{path} has no {before!r}"
        self.write(path, content.replace(before, text + before, 1))

    def complaints(self, path):
        done = subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", "-ffp-contract=off", "-Wall", "-Wextra", "-I", self.path, "-I", ROOT,
                               self.path / path], capture_output=True, text=True)
        return done.stderr if done.returncode else ""


class WorkedExamples(unittest.TestCase):
    def setUp(self):
        self.overlay = Overlay()
        self.addCleanup(self.overlay.folder.cleanup)

    def loss(self, change=str):
        header, lines = examples("Add a problem")
        include, registry = lines.strip().splitlines()
        catalog = (ROOT / "kernels" / "catalog.h").read_text(encoding="utf-8")
        catalog = re.sub(r"using Problems = .*?;", registry, catalog, count=1, flags=re.DOTALL)
        self.overlay.write("kernels/problems/smooth_hinge.h", change(header))
        self.overlay.write("kernels/catalog.h", catalog.replace("#include", include + "\n#include", 1))
        self.overlay.write("use.cpp", '#include "kernels/catalog.h"\nusing namespace hogwild;\n'
                           'static_assert(catalog::find<Problems>("smooth_hinge") + 1 == std::variant_size_v<Problems>);\n'
                           "float slope(float margin) { return SmoothHinge::slope(margin, 1.0f); }\n")
        return self.overlay.complaints("use.cpp")

    def test_a_loss_is_its_header_and_two_lines(self):
        self.assertEqual(self.loss(), "")

    def test_a_loss_with_a_fault_is_found(self):
        self.assertNotEqual(self.loss(lambda header: header.replace("Real(0.5)", "Reel(0.5)")), "")

    def test_an_update_policy_is_its_header_and_two_lines(self):
        header, lines = examples("Add an update policy, a guard")
        include, registry = lines.strip().splitlines()
        catalog = (ROOT / "kernels" / "catalog.h").read_text(encoding="utf-8")
        catalog = re.sub(r"using Updates = .*?;", registry, catalog, count=1, flags=re.DOTALL)
        self.overlay.write("kernels/updates/release.h", header)
        self.overlay.write("kernels/catalog.h", catalog.replace("#include", include + "\n#include", 1))
        self.overlay.write("use.cpp", '#include "kernels/catalog.h"\nusing namespace hogwild;\n'
                           'static_assert(catalog::find<Updates>("release") + 1 == std::variant_size_v<Updates>);\n'
                           "void add(float& weight) { Release().add(weight, 1.0f); }\n")
        self.assertEqual(self.overlay.complaints("use.cpp"), "")

    def test_a_layer_is_its_header_its_name_and_its_entry(self):
        (header,) = examples("Add a layer")
        kinds, names = ((ROOT / "kernels" / "network" / path).read_text(encoding="utf-8") for path in ("layers/kinds.h", "network.h"))
        self.overlay.write("kernels/network/layers/absolute.h", header)
        self.overlay.write("kernels/network/layers/kinds.h", re.sub(r"(using Layers =[^;]*)>;", r"\1, AbsoluteLayer>;", kinds)
                           .replace("#include", '#include "kernels/network/layers/absolute.h"\n#include', 1))
        self.overlay.write("kernels/network/network.h", re.sub(r"(enum class LayerKind [^}]*?) }", r"\1, kAbsolute }", names))
        self.overlay.write("use.cpp", '#include "kernels/network/layers/kinds.h"\nusing namespace hogwild;\n'
                           'static_assert(kLayerForms.back().name == "absolute");\n'
                           "void pass(const LayerSample& of, const float* in, float* out) { AbsoluteLayer::forward(of, in, out); }\n")
        self.assertEqual(self.overlay.complaints("use.cpp"), "")

    def test_an_axis_is_a_field_and_a_row(self):
        field, row = examples("Add an axis")
        self.overlay.insert("engine/plan/step_settings.h", "    double half_life", field)
        self.overlay.insert("engine/plan/axes/step.cpp", '    {.name = "half_life"', row)
        self.assertEqual(self.overlay.complaints("engine/plan/axes/step.cpp"), "")

    def test_a_telemetry_column_is_a_row(self):
        (row,) = examples("Add a telemetry column")
        self.overlay.insert("experiments/folder/measured_columns.cpp", '    {"status"', row)
        self.assertEqual(self.overlay.complaints("experiments/folder/measured_columns.cpp"), "")

    def test_a_scheme_is_its_file_and_one_line(self):
        (scheme,) = examples("Add a scheme")
        self.overlay.insert("engine/schemes/all.h", "    X(kSerialScheme)", "    X(kTurnsScheme) \\\n")
        self.overlay.write("engine/schemes/turns.cpp", scheme)
        self.assertEqual(self.overlay.complaints("engine/schemes/turns.cpp"), "")


if __name__ == "__main__":
    if not COMPILER:
        print("skipped: no C++ compiler (looked for CXX, g++ and clang++); to run it: ./experiments/setup")
        sys.exit(77)
    unittest.main()
