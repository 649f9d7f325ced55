"""A file that a user names is written where it lies, or refused. Links are followed, pipes and devices stay what they
are. No output is one of the command's inputs."""

import os
import stat
import subprocess
import unittest

from predicting import PROGRAM, TINY, Predicting

SAMPLES = "".join(f"{'+1' if i % 2 else '-1'} {1 + i % 2}:1 {3 + i % 3}:0.5\n" for i in range(40))
RUN = ("run", "--data", "train.svm", "--scheme", "serial", *TINY)
KEPT = ("train.svm", "test.svm", "w.npy")


class NamedOutputs(Predicting):
    def setUp(self):
        super().setUp()
        for name in ("train.svm", "test.svm"):
            self.write(name, SAMPLES)
        self.done(*RUN, "-o", "a", "--save", "w.npy")

    def done(self, *words, **options):
        done = self.call(*words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def writers(self, output):
        """A command for each option that names a file, with an ending that the option takes."""
        number = len(list(self.folder.iterdir()))  # a result folder of its own each time
        return {"predict": ("predict", "--model", "w.npy", "--data", "test.svm", "--no-cache", "-o", output),
                "save": (*RUN, "-o", f"out-{number}", "--save", output),
                "compare": ("compare", "a", "--against", "scheme=serial", "--csv", output),
                "convert": ("data", "convert", "train.svm", output, "--overwrite", "--no-cache")}

    def kept(self):
        return {name: (self.folder / name).read_bytes() for name in KEPT}

    def test_a_link_is_followed_and_stays_a_link(self):
        for of in ("predict", "save", "convert"):
            for there in (True, False):
                with self.subTest(of=of, there=there):
                    target, link = self.folder / f"target-{of}-{there}.npy", self.folder / f"link-{of}-{there}.npy"
                    if there:
                        target.write_text("old")
                    link.symlink_to(target.name)
                    self.done(*self.writers(link.name)[of])
                    self.assertTrue(link.is_symlink())
                    self.assertNotIn(target.read_bytes(), (b"", b"old"))

    def test_an_empty_name_is_no_name(self):
        for words in (*self.writers("").values(), ("compare", "a", "--against", "scheme=serial", "-o", ""), ("data", ""),
                      (*RUN, "-o", ""), (*RUN, "-o", "b", "--tensorboard", ""), ("export", "a", "--tensorboard", "")):
            with self.subTest(words):
                self.refused(2, "has an empty value", *words)

    def test_a_pipe_and_standard_output_are_written_in_place(self):
        for of in ("predict", "save", "convert"):
            with self.subTest(of=of):
                pipe = self.folder / f"pipe-{of}.npy"
                os.mkfifo(pipe)
                reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
                self.addCleanup(reader.wait)
                self.addCleanup(reader.kill)
                self.addCleanup(reader.stdout.close)
                self.done(*self.writers(pipe.name)[of], timeout=60)
                self.assertTrue(stat.S_ISFIFO(pipe.lstat().st_mode))
                self.assertNotEqual(reader.communicate(timeout=60)[0], b"")
        for of in ("predict", "convert"):
            with self.subTest(of=of):
                link = self.folder / f"stdout-{of}"  # of this test: a program that replaced /dev/stdout would cost the machine its own
                link.symlink_to("/proc/self/fd/1")
                done = self.done(*self.writers(link.name)[of])
                self.assertGreaterEqual(len(done.stdout.splitlines()), len(SAMPLES.splitlines()))
                self.assertTrue(link.is_symlink())

    def test_a_device_is_written_in_place(self):
        full, null = self.folder / "full", self.folder / "null"  # of this test, for the same reason
        try:
            os.mknod(full, 0o600 | stat.S_IFCHR, os.makedev(1, 7))
            os.mknod(null, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            null.write_bytes(b"")
        except PermissionError:
            self.skipTest("skipped: no device can be made here; to run it: be root, on a file system that has devices")
        for of in ("predict", "convert"):
            with self.subTest(of=of):
                self.assertEqual(self.call(*self.writers("full")[of]).returncode, 74)
                self.done(*self.writers("null")[of])
                self.assertTrue(full.is_char_device() and null.is_char_device())

    def test_an_output_that_is_an_input_is_refused_by_whatever_name(self):
        before = self.kept()
        for name in KEPT:
            (self.folder / f"link-to-{name}.npy").symlink_to(name)
            os.link(self.folder / name, self.folder / f"hard-{name}.npy")
        for of, inputs in (("predict", ("test.svm", "w.npy")), ("save", ("train.svm",)), ("convert", ("train.svm",))):
            for name in inputs:
                for output in (f"link-to-{name}.npy", f"hard-{name}.npy", f"./hard-{name}.npy"):
                    with self.subTest(of=of, output=output):
                        self.refused(2, "which this command reads", *self.writers(output)[of])
        self.refused(2, "which this command reads", *RUN, "--test", "test.svm", "-o", "tested", "--save", "link-to-test.svm.npy")
        self.refused(2, "which this command reads", *self.writers("a/summary.csv")["compare"])
        self.assertEqual(self.kept(), before)

    def test_an_output_among_the_files_of_results_is_refused_by_whatever_name(self):
        run = next(path for path in (self.folder / "a").iterdir() if path.is_dir()).name
        for name in ("tuning", "figures", "mine"):
            (self.folder / "a" / name).mkdir()
        self.write("a/tuning/summary.csv", "run\n")
        self.write("elsewhere", "a table that lies elsewhere\n")
        (self.folder / "a" / "choices.csv").symlink_to(self.folder / "elsewhere")
        (self.folder / "to-trace").symlink_to(f"a/{run}/trace.csv")
        (self.folder / "to-run").symlink_to(f"a/{run}")
        everything = lambda: {path: path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}
        before = everything()
        against = ("compare", "a", "--against", "scheme=serial", "--metric", "updates-per-second")
        for output in (f"a/{run}/trace.csv", f"a/{run}/manifest.json", f"./a/{run}/new.csv", "to-trace", "to-run/trace.csv", "to-run/new.csv",
                       "a/tuning/summary.csv", "a/tuning/new.csv", "a/figures/new.csv", "elsewhere", "a/sweep.toml", "a/summary-2of4.csv"):
            with self.subTest(output):
                self.refused(2, " cannot be ", *against, "--csv", output)
                self.assertEqual(everything(), before)
        for words in ((*against, "-o", f"a/{run}"), ("export", "a", "--tensorboard", f"a/{run}/tb"), ("export", "a", "--mlflow", "to-run/store"),
                      ("export", "a", "--overwrite", "--mlflow", "a/figures"), (*RUN, "-o", "new", "--save", "new/summary.csv"),
                      (*RUN, "-o", "new", "--tensorboard", "new/figures"),
                      (*RUN, "-o", "a", "--resume", "--save", f"a/{run}/w.npy")):
            with self.subTest(words):
                self.refused(2, " cannot be ", *words)
                self.assertEqual(everything(), before)
        for output in ("a/verdicts.csv", "a/mine.csv", "a/mine.csv", "a/mine/verdicts.csv"):
            self.done("compare", "a", "a", *against[-2:], "--csv", output)
        (self.folder / "new").mkdir()
        self.done(*RUN, "-o", "new", "--save", "new/checkpoint.npy")

    def test_a_folder_and_a_file_with_other_names_are_refused_before_anything_runs(self):
        (self.folder / "folder.npy").mkdir()
        self.write("one.npy", "old")
        os.link(self.folder / "one.npy", self.folder / "two.npy")
        for of in ("predict", "save", "compare", "convert"):
            with self.subTest(of=of):
                before = sorted(self.folder.iterdir())
                self.refused(74, "it is a folder", *self.writers("folder.npy")[of])
                self.refused(74, "it has 2 names", *self.writers("one.npy")[of])
                self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual((self.folder / "two.npy").read_text(), "old")

    def test_permissions_of_a_file_that_is_replaced_are_kept(self):
        self.write("mine.npy", "old")
        for of in ("predict", "save", "convert"):
            (self.folder / "mine.npy").chmod(0o600)
            self.done(*self.writers("mine.npy")[of])
            self.assertEqual(stat.S_IMODE((self.folder / "mine.npy").stat().st_mode), 0o600)


if __name__ == "__main__":
    unittest.main()
