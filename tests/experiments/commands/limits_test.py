"""A limit of descriptors, of processes or of a file's size that is met is named as such, with what to try."""

import os
import resource
import unittest

from predicting import PROGRAM, TINY, Predicting

SAMPLES = "".join(f"{'+1' if i % 2 else '-1'} {1 + i % 2}:1 {3 + i % 3}:0.5\n" for i in range(400))
RUN = ("run", "--data", "train.svm", "--scheme", "hogwild", "--threads", "2", *TINY)
SWEEP = '[run]\ndata = "train.svm"\nepochs = 2\n[axes]\nscheme = ["serial", "hogwild"]\n'
STRANGER = 54321  # a user without processes
DESCRIPTORS = "Too many open files: the limit of descriptors of this process is met"
PROCESSES = "a limit of processes and threads is met"
CORES = os.environ.get("HOGWILD_CORES", "")  # a library that says that there are more processors


class Limits(Predicting):
    def setUp(self):
        super().setUp()
        self.write("train.svm", SAMPLES)
        self.write("sweep.toml", SWEEP)

    def limited(self, what, most, *words, user=None, **environment):
        def limit():
            if user is not None:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            resource.setrlimit(what, (most, most))
        # A sanitizer's look for leaks would need a process more.
        own = {"HOME": str(self.folder), "XDG_CACHE_HOME": "", "ASAN_OPTIONS": "detect_leaks=0"}
        return self.call(*words, preexec_fn=limit, timeout=120, env={**os.environ, **own, **environment})

    def commands(self, number):
        return {"run": (*RUN, "-o", f"run-{number}", "--checkpoint", "every 1s"),
                "save": (*RUN, "-o", f"saved-{number}", "--save", f"w-{number}.npy"),
                "sweep": ("sweep", "sweep.toml", "-o", f"swept-{number}", "--no-report"),
                "convert": ("data", "convert", "train.svm", f"converted-{number}", "--no-cache"),
                "fetch": ("data", "fetch", "kdda.t", "-o", f"fetched-{number}", "--from", "http://127.0.0.1:9")}

    def test_a_limit_of_descriptors_is_named(self):
        refused = set()
        for most in range(4, 14):
            for name, words in self.commands(most).items():
                done = self.limited(resource.RLIMIT_NOFILE, most, *words)
                with self.subTest(name=name, most=most, said=done.stderr):
                    self.assertNotIn("internal error", done.stderr)
                    if "Too many open files" in done.stderr:
                        refused.add(name)
                        self.assertNotEqual(done.returncode, 0)
                        self.assertIn(f"{DESCRIPTORS}, {most} (ulimit -n)); raise the limit", done.stderr)
        self.assertLessEqual({"run", "sweep"}, refused)

    def test_a_limit_of_descriptors_is_named_by_what_python_draws_and_exports(self):
        self.assertEqual(self.call(*RUN, "-o", "done").returncode, 0)
        commands = {"report": ("report", "done"), "export": ("export", "done", "--overwrite", "--tensorboard", "exported")}
        for name, words in commands.items():
            done = self.call(*words)
            if done.returncode == 69:
                self.skipTest(f"skipped: {done.stderr}; to run it: install what that names")
        refused, unseen = set(), set()
        for most in (4, 7):
            for name, words in commands.items():
                done = self.limited(resource.RLIMIT_NOFILE, most, *words)
                if "object has invalid vptr" in done.stderr:
                    unseen.add(name)  # UBSan looks at objects through a pipe, for which no descriptor was left
                    continue
                with self.subTest(name=name, most=most, said=done.stderr):
                    self.assertNotIn("apt-get", done.stderr)
                    self.assertNotIn("Traceback", done.stderr)
                    if done.returncode != 0:
                        refused.add(name)
                        self.assertIn(f"{DESCRIPTORS}, {most} (ulimit -n)); raise the limit", done.stderr)
        self.assertEqual(refused | unseen, set(commands))

    def test_a_limit_of_descriptors_is_named_where_plots_are_not_drawn(self):
        words = [word for word in RUN if word not in ("--no-plot", "--quiet")]
        for most in (4, 8):
            done = self.limited(resource.RLIMIT_NOFILE, most, *words, "-o", f"plotted-{most}")
            with self.subTest(most=most, said=done.stderr):
                self.assertNotIn("no python3", done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_a_limit_of_threads_is_named_by_what_python_draws(self):
        user = self.bound_user()
        self.assertEqual(self.call(*RUN, "-o", "done").returncode, 0)
        for path in (self.folder / "done", *(self.folder / "done").rglob("*")):
            path.chmod(0o777)
        done = self.limited(resource.RLIMIT_NOFILE, 64, "report", "done", user=user)
        if done.returncode != 0:
            self.skipTest(f"skipped: {done.stderr}; to run it: be no root, or install what that names where others may read it")
        anew = str(self.folder / "absent")  # matplotlib lists fonts, and times that on a thread
        done = self.limited(resource.RLIMIT_NPROC, 2, "report", "done", user=user, MPLCONFIGDIR=anew)
        self.assertNotIn("Traceback", done.stderr)
        if done.returncode != 0:
            self.assertIn(PROCESSES, done.stderr)
            self.assertIn("(ulimit -u", done.stderr)

    def bound_user(self):
        """A user whom a limit of processes binds; None: who runs the test."""
        if os.geteuid() != 0:
            return None
        self.folder.chmod(0o777)
        try:
            self.limited(resource.RLIMIT_NOFILE, 64, "--version", user=STRANGER)
        except OSError as error:
            self.skipTest(f"skipped: as root no limit of processes binds, and another user cannot run the program ({error}); to run it: be no root, or build where others may read")
        return STRANGER

    def check_processes(self, limits, **environment):
        user = self.bound_user()
        for most in limits:
            for name in ("run", "sweep"):
                done = self.limited(resource.RLIMIT_NPROC, most, *self.commands(most)[name], user=user, **environment)
                with self.subTest(name=name, most=most, said=done.stderr):
                    self.assertEqual(done.returncode, 1)
                    self.assertNotIn("internal error", done.stderr)
                    self.assertIn(PROCESSES, done.stderr)
                    self.assertIn("(ulimit -u", done.stderr)
                    self.assertIn("ask for fewer threads", done.stderr)

    def test_a_limit_of_processes_is_named(self):
        self.check_processes(range(0, 4))

    def test_a_limit_of_processes_is_named_where_oneTBB_starts_many_threads(self):
        if not CORES:
            self.skipTest("skipped: no library that says that there are sixteen processors; to run it: ./tests/run release")
        self.check_processes((2, 3, 6), LD_PRELOAD=CORES, HOGWILD_PROCESSORS="16")

    def test_a_limit_of_file_sizes_is_named(self):
        done = self.limited(resource.RLIMIT_FSIZE, 1000, "data", "convert", "train.svm", "converted", "--no-cache")
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("the limit of file sizes of this process is 1000 bytes (ulimit -f)", done.stderr)
        self.assertFalse((self.folder / "converted").exists())


if __name__ == "__main__":
    unittest.main()
