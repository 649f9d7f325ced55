"""A report cleans each command once, however many runs have it and however often its page asks. What is counted are commands."""

import io
import json
import unittest
from contextlib import redirect_stdout
from unittest import mock

import fake_runs
from plot.files import documents, naming
from report import figures
from report import report as program
from scratch import Scratch

RUNS = 100


class CommandsCleaned(Scratch):
    def cleaned(self, command_of):
        """How many commands a report of runs cleans, each of which has the command `command_of(number)`."""
        rows = fake_runs.make_results(self.folder, threads=(2,), methods=(("hogwild", "racy", "none"),), seeds=range(1, RUNS + 1),
                                      data="/home/me/.cache/hogwild", diverge=None, epochs=1)
        for number, row in enumerate(rows):
            path = self.folder / row["run"] / "manifest.json"
            manifest = documents.of_json(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps({**manifest, "command": command_of(number)}), encoding="utf-8")
        naming.command_line.cache_clear()
        self.addCleanup(naming.command_line.cache_clear)
        nothing = mock.Mock(return_value=[])
        drawn = {"draw_all": nothing, "draw_across_sets": nothing, "draw_across_delays": nothing}
        with redirect_stdout(io.StringIO()), mock.patch.multiple(figures, **drawn):
            program.main([str(self.folder)])
        return naming.command_line.cache_info().misses

    def test_a_command_of_all_runs_is_cleaned_once(self):
        self.assertEqual(self.cleaned(lambda number: ["hogwild", "run", "--data", "mnist", "--seed", ",".join(map(str, range(RUNS)))]), 1)

    def test_a_command_of_each_run_is_cleaned_once(self):
        self.assertEqual(self.cleaned(lambda number: ["hogwild", "run", "--data", "mnist", "--seed", str(number)]), RUNS)


if __name__ == "__main__":
    unittest.main()
