"""Laws of the figure of the loss with the most threads. It shows of each method what the figure of the loss hides, in the same limits."""

import unittest

from folder_to_draw import ATOMIC, PAGE, RACY, SERIAL, Drawing
from plot.estimates import curves
from plot.figures import bands, most_threads
from plot.files import naming
from plot.files.errors import NotDrawn

LOCKED = ("hogwild", "", "locked")


def strong(content):
    return {curve.key for curve in content.curves if curve.strong}


class MostThreads(Drawing):
    def add(self, *of, **options):
        super().add(*of, epochs=6, **options)  # enough for each to reach the target

    def many(self, racy_scale=lambda threads: threads ** 2, seeds=(1,)):
        """Too many lines for one figure; racy is the slower the more threads it has."""
        for seed in seeds:
            self.add(SERIAL, 1, seed)
            for threads in (1, 2, 4, 8, 16):
                self.add(RACY, threads, seed, seconds_scale=racy_scale(threads))
            for threads in (1, 2, 4, 8):
                self.add(ATOMIC, threads, seed)
                self.add(LOCKED, threads, seed)

    def reason(self, runs):
        with self.assertRaises(NotDrawn) as caught:
            most_threads.draw(runs, PAGE, "t", "s", [])
        return str(caught.exception)

    def threads(self, runs, gather):
        return {(key.method, key.device): key.threads for key in strong(gather(runs))}

    def test_each_method_has_its_own_largest_number_of_threads_beside_serial_and_what_counts_none(self):
        self.many()
        for streams in (1, 2):
            self.gpu(streams=streams)
        runs = self.runs()
        best, most = self.threads(runs, curves.gather), self.threads(runs, most_threads.gather)
        self.assertEqual(best["hogwild · racy", "cpu"], 1)
        self.assertEqual(most, {**best, ("hogwild · racy", "cpu"): 16})
        on_gpu = lambda gather: {key for key in strong(gather(runs)) if key.device == "gpu"}
        self.assertEqual(on_gpu(most_threads.gather), on_gpu(curves.gather))

    def test_of_several_variants_with_the_most_threads_the_best_is_shown(self):
        self.many()
        self.add(RACY, 16, step_size=0.5, seconds_scale=1000)
        self.add(RACY, 16, step_size=0.2, seconds_scale=100)
        shown, = [key for key in strong(most_threads.gather(self.runs())) if key.method == "hogwild · racy"]
        self.assertEqual((shown.variant, shown.threads), ("step size 0.2", 16))

    def test_limits_and_looks_are_those_of_the_loss_figure(self):
        self.many(seeds=(1, 2))
        runs = self.runs()
        loss, most = curves.gather(runs), most_threads.gather(runs)
        self.assertEqual((loss.low, loss.high, loss.target, loss.optimum), (most.low, most.high, most.target, most.optimum))
        loss, most = self.drawn(bands, runs), self.drawn(most_threads, runs)
        self.assertEqual(loss.axes[2].get_ylim(), most.axes[2].get_ylim())
        looks = lambda figure: [(line.get_color(), line.get_marker()) for line in figure.axes[2].lines if len(line.get_xdata()) > 2]
        markers = {colour: marker for colour, marker in looks(most)}
        self.assertEqual(list(markers), [colour for colour, _ in looks(loss)])
        changed = [colour for colour, marker in looks(loss) if markers[colour] != marker]
        self.assertEqual(len(changed), 1)

    def test_it_says_what_was_chosen(self):
        self.many()
        runs = self.runs()
        said = lambda module: " ".join(text.get_text() for text in self.drawn(module, runs).findobj(lambda one: hasattr(one, "get_text")))
        for words in ("method, most threads", "Of each method with its most threads the first variant", "hogwild · racy, 16 threads"):
            self.assertIn(words, said(most_threads))
            self.assertNotIn(words, said(bands))
        self.assertNotIn("best variant", said(most_threads))

    def test_what_the_loss_figure_shows_is_not_drawn_twice(self):
        self.many(lambda threads: 1)
        self.assertIn("has every method with its most threads", self.reason(self.runs()))  # each is first at its target with them
        few = [run for run in self.runs() if run.axes["update"] == "racy"]
        self.assertTrue(all(curve.strong for curve in curves.gather(few).curves))
        self.assertIn("has every method with its most threads", self.reason(few))

    def test_one_number_of_threads_is_a_reason(self):
        self.add(SERIAL, 1)
        for step in range(1, 15):
            self.add(RACY, 4, step_size=step / 100)
        self.gpu()
        self.gpu(streams=4)
        self.assertEqual(self.reason(self.runs()), "no method ran with two numbers of threads")

    def test_runs_without_a_curve_are_a_reason(self):
        self.many()
        runs = self.runs()
        for run in runs:
            run.trace = None
        self.assertIn("no run has a trace", self.reason(runs))

    def test_threads_are_counted_on_each_device(self):
        self.many()
        self.gpu(device="both", threads=4)
        runs = self.runs()
        self.assertEqual(len(set(naming.keys(runs).values())), 15)
        self.assertEqual(self.threads(runs, most_threads.gather)["hogwild · atomic", "both"], 4)


if __name__ == "__main__":
    unittest.main()
