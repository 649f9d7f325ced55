"""Calls of the program `hogwild`, and the files that come of them, for experiments/scripts/rivals and experiments/scripts/devices."""
import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

RESULTS = (0, 3, 4)  # exit codes: done; a run diverged; a run missed the target
GRACE = 10  # seconds that an interrupted program has to write what it measured


class Stopped(Exception):
    """A `hogwild run` that is no result: its exit `code` (None: it took too long), what it `said`, the `rows` it left."""

    def __init__(self, command, code, said, rows):
        super().__init__(f"{said}{' '.join(command)} failed (exit {code}); see above")
        self.code, self.said, self.rows = code, said, rows

    @property
    def left_out(self):
        """Whether every combination was left out: hogwild would not run any."""
        return self.code == 2 and "\nhogwild: nothing is left to run" in self.said


def train(command, output, limit=None, loading=0.0):
    """The rows of summary.csv of one `hogwild run` into the folder `output`, which is made anew. `limit`: seconds from one
    line on standard output, one a run with --json, to the next. After that the program is interrupted. `loading`: what the
    first may take besides. Errors: Stopped."""
    shutil.rmtree(output, ignore_errors=True)
    command = [*command, "-o", output]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        watch = Watch(process, limit and limit + loading)
        try:
            for _ in process.stdout:
                watch.restart(limit)
            code = process.wait()
        finally:
            watch.cancel()
            process.kill()
        errors.seek(0)
        said = errors.read()
    summary = os.path.join(output, "summary.csv")
    rows = rows_of(summary) if os.path.exists(summary) else []
    if watch.expired:
        code = None
    if code not in RESULTS:
        raise Stopped(command, code, said, rows)
    return rows


class Watch:
    """Interrupts a process that takes longer than `limit` seconds (None: never), and kills it when that does not help."""

    def __init__(self, process, limit):
        self.process, self.timer, self.expired = process, None, False
        self.restart(limit)

    def restart(self, limit):
        self.cancel()
        if limit is not None and not self.expired:
            self.timer = threading.Timer(limit, self.stop)
            self.timer.daemon = True
            self.timer.start()

    def cancel(self):
        if self.timer is not None:
            self.timer.cancel()

    def stop(self):
        self.expired = True
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows, header=None):
    """Writes each row when it comes; the first names the columns unless `header` does. What is there stays until all came."""
    writer = None
    with whole(path) as file:
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, header or list(row), restval="", lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
            file.flush()


@contextlib.contextmanager
def whole(path):
    """A file of text that is called `path` once it is whole and on the disk. What was measured of one that is not stays at PATH.part.
    Errors: a disk that does not take it ends the program, exit code 74."""
    partial = path + ".part"
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)  # what an interrupt left, or a link that somebody planted
        with open(partial, "x", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        if error.filename not in (None, partial, path):
            raise
        refuse(f"cannot write {path}", error.strerror, f"free some space or choose another folder with -o DIR; what is written so far is in {partial}", 74)


@contextlib.contextmanager
def scratch_folder(parent):
    """A new folder in `parent`, for as long as it is needed: nothing of the user's has its name."""
    with tempfile.TemporaryDirectory(prefix=".scratch-", dir=parent) as folder:
        yield folder


def refuse(what, why, suggestion, code=2):
    print(f"{os.path.basename(sys.argv[0])}: {what} ({why}); {suggestion}", file=sys.stderr)
    sys.exit(code)


@contextlib.contextmanager
def private_folders():
    """What is made meanwhile is for the user alone, parents too, to which os.makedirs gives no mode."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def make_folder(path):
    try:
        with private_folders():
            os.makedirs(path, exist_ok=True)
    except OSError as error:
        refuse(f"cannot create the folder {path}", error.strerror, "choose another with -o DIR", 74)


def built(program):
    """The program that was named, or, where none was, this checkout's, built now."""
    if program:
        return program
    here = os.path.dirname(os.path.abspath(__file__))
    code = subprocess.run([os.path.join(here, "..", "build")], stdout=sys.stderr).returncode
    if code != 0:
        sys.exit(code)  # it has said why
    return os.path.relpath(os.path.join(here, "..", "..", "build", "release", "hogwild"))


def ask(program, *words):
    """What `program WORDS --json` says."""
    try:
        done = subprocess.run([program, *words, "--json"], stdout=subprocess.PIPE, check=True)
    except FileNotFoundError:
        refuse(f"--program {program} is not there", "no such file", "build it, or name another", 69)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # it has said why
    return json.loads(done.stdout)


def label_and_path(data):
    """The label and path of NAME=PATH, or of a name that is its own path."""
    label, _, path = data.partition("=")
    return label, path or label


def file_name(label):
    return label.replace("/", "-").replace(":", "-") + ".csv"
