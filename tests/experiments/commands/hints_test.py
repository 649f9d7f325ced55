"""Laws of what the program says to a newcomer: it suspects what was meant, names no option that a command has not, and what is to be
typed again begins as the program was called."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("HOGWILD_PROGRAM")
FILES = {"rows.svm": "-1 1:0.5 3:2\n+1 2:0.25\n-1 1:1\n+1 3:1\n", "ratings.csv": "user,item,rating\n1,2,3.5\n2,1,4\n",
         "ratings.dat": "1::2::3\n2::1::4\n", "edges.txt": "1 2\n2 3\n1 3\n", "graph.max": "p max 4 3\nn 1 s\nn 4 t\na 1 2 3\n",
         "words.txt": 5 * "the cat sat on the mat\n", "either.tsv": "1 2 3.5\n2 1 4\n"}
LOOKS = {"rows.svm": "LIBSVM text", "ratings.csv": "ratings", "ratings.dat": "ratings", "edges.txt": "edges", "graph.max": "edges", "words.txt": "text",
         "either.tsv": "ratings or edges"}
PROBLEMS = {"LIBSVM text": "--problem hinge, logistic or squared", "ratings": "--problem factorization", "edges": "--problem cut",
            "text": "--problem skipgram", "ratings or edges": "--problem factorization or cut"}
TINY = ("--data", "synthetic:rows=60,features=10,nonzeros=3", "--scheme", "serial", "--epochs", "1", "--no-plot", "--no-cache")


class Hints(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        for name, text in FILES.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def call(self, *words, program=PROGRAM):
        return subprocess.run([program, *words], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "XDG_DATA_HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder)})

    def said(self, code, *words, program=PROGRAM):
        done = self.call(*words, program=program)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_a_file_of_another_kind_is_suspected(self):
        reads = {"hinge": {"rows.svm"}, "factorization": {"ratings.csv", "ratings.dat", "either.tsv"},
                 "cut": {"edges.txt", "graph.max", "either.tsv"}, "network": set()}
        for problem, own in reads.items():
            for name in sorted(set(FILES) - own):
                said = self.call("data", "check", name, "--problem", problem).stderr
                looks = LOOKS[name]
                self.assertIn(f"{name} looks like {looks} (read as ", said, problem)
                self.assertTrue(said.endswith(f"); that is for {PROBLEMS[looks]}\n"), said)

    def test_a_kind_that_was_asked_for_is_not_suspected(self):
        for name, problem in (("either.tsv", "cut"), ("edges.txt", "cut")):
            self.assertNotIn("looks like", self.call("data", "check", name, "--problem", problem).stderr)
        (self.folder / "torn.svm").write_text(FILES["rows.svm"] + 8 * "+1 1:1\n" + "1 2 3\n", encoding="utf-8")
        self.assertIn("torn.svm:13:3: '2' is no index:value", self.said(1, "data", "check", "torn.svm"))

    def test_lines_of_numbers_are_words_with_a_note(self):
        said = self.call("data", "rows.svm", "--problem", "skipgram").stderr
        self.assertIn("rows.svm looks like LIBSVM text", said)

    def test_convert_names_no_option_that_it_lacks(self):
        for name, holds in (("synthetic:netflix/1000", "holds ratings"), ("synthetic:images/100", "holds images"), ("synthetic:words", "holds text"),
                            ("ratings.dat", "looks like ratings"), ("either.tsv", "looks like ratings or edges"), ("words.txt", "looks like text")):
            said = self.said(2, "data", "convert", name, "out.tsv")
            self.assertIn(f"cannot convert {name} ({name} {holds}, and convert writes sparse rows only, as LIBSVM text); ", said)
            self.assertNotIn("--problem", said)
            self.assertFalse((self.folder / "out.tsv").exists())

    def test_word_vectors_are_for_similarity(self):
        for name in ("vectors.bin", "vectors.txt"):
            said = self.said(2, "predict", "--model", name, "--data", "rows.svm")
            self.assertIn(f"its ending is that of word vectors); score them with {PROGRAM} similarity --model {name} --pairs FILE", said)

    def test_a_word_without_its_option_is_what_is_missing(self):
        self.assertIn("(not expected: rows.svm); did you mean --data rows.svm? see ", self.said(2, "run", "rows.svm"))
        self.assertIn("did you mean --data rows.svm? see ", self.said(2, "tune", "rows.svm"))
        self.assertIn("did you mean --model w.npy? see ", self.said(2, "predict", "w.npy", "--data", "rows.svm"))
        self.assertNotIn("--data", self.said(2, "run", "--data", "rows.svm", "rows.svm"))

    def test_a_number_in_place_of_a_name_names_the_option_of_numbers(self):
        for option, value, other in (("--step", "0.1", "--step-size"), ("--batch-rule", "16", "--batch"), ("--hot-updates", "64", "--hot"),
                                     ("--staleness-rule", "4", "--staleness-limit")):
            self.assertIn(f"; for a number there is {other}\n", self.said(2, "run", *TINY, option, value))
        self.assertNotIn("for a number", self.said(2, "run", *TINY, "--step", "fast"))

    def test_a_bare_number_that_nobody_reaches_is_said_to_be_a_loss(self):
        line = "no run reached --target 0.01: a bare number is a training loss, gap:0.01 a gap to the optimum\n"
        self.assertIn(line, self.said(4, "run", *TINY, "-o", "a", "--target", "1e-2"))
        self.assertNotIn("a bare number", self.said(4, "run", *TINY, "-o", "b", "--target", "gap:1e-9"))
        self.assertNotIn("a bare number", self.said(0, "run", *TINY, "-o", "c", "--target", "0.9999"))

    def test_what_is_typed_again_begins_as_the_program_was_called(self):
        (self.folder / "my tools").mkdir()
        (self.folder / "my tools" / "hw").symlink_to(PROGRAM)
        for called, shown in ((PROGRAM, PROGRAM), ("my tools/hw", "'my tools/hw'")):
            self.assertIn(f"fetch it with {shown} data fetch mnist", self.said(69, "run", "--data", "mnist", program=called))
            self.assertIn(f"see {shown} run --help", self.said(2, "run", "--no-such", program=called))
            help_text = self.call("run", "--help", program=called).stdout
            self.assertIn(f"\n  {shown} run --data synthetic:rcv1/20", help_text)
            self.assertNotIn("\n  hogwild ", help_text)


if __name__ == "__main__":
    unittest.main()
