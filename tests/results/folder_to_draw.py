"""A folder of made-up runs to draw from, for tests of figures."""

from dataclasses import replace

import fake_runs
from matplotlib.backends.backend_agg import FigureCanvasAgg
from plot.estimates import configurations
from plot.files.reading import read_results
from plot.style import styling
from scratch import Scratch

SERIAL, RACY, ATOMIC = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "atomic", "none")
PAGE = replace(styling.SIZES["page"], dpi=40)
STALE = dict(telemetry="sampled", staleness_mean=1.5, staleness_p50=1, staleness_p90=3, staleness_p99=9, staleness_p999=40, staleness_max=900)
MEASURED = {
    "bandwidth": [{"workers": count, "read_bytes_per_second": 8e9 * count} for count in (1, 16)],
    "increments": [{"update": update, "workers": count, "floats": 65536, "per_second": 1e9 * count}
                   for update in ("racy", "atomic") for count in (1, 16)],
}


class Drawing(Scratch):
    def setUp(self):
        super().setUp()
        self.rows = []

    def add(self, method=RACY, threads=2, seed=1, **options):
        self.rows.append(fake_runs.make_run(self.folder, f"{len(self.rows):03}", method, threads, seed, **options))

    def gpu(self, **options):
        self.rows.append(fake_runs.make_gpu_run(self.folder, f"{len(self.rows):03}", **options))

    def runs(self):
        fake_runs.make_summary(self.folder, self.rows)
        return read_results([self.folder]).runs

    def found(self):
        return configurations.configurations(self.runs())

    def drawn(self, module, runs):
        figure = module.draw(runs, PAGE, "title", "subtitle", ["note"])
        FigureCanvasAgg(figure).draw()
        return figure

    def counted(self, device="cpu", buckets=((0, 0, 60), (1, 1, 30), (64, 65, 8), (66, 67, 2)), **options):
        """A run whose steps of these staleness were counted."""
        self.add(**options)
        fake_runs.make_staleness(self.folder / self.rows[-1]["run"], {device: buckets})
