"""Laws of looks: whatever method stands beside whatever other one, in lines as in marks they are told apart, and alike in every figure."""

import itertools
import re
import unittest
from pathlib import Path

from folder_to_draw import MEASURED, PAGE, RACY, SERIAL, Drawing
from plot.figures import roofline, times, tradeoff, wins
from plot.files.naming import Key
from plot.style import legends, looks, styling

METHODS = [method for method in looks.LOOKS if method != "serial"]
HOT = [f"{method}+{part}" for method in METHODS if method.startswith("hogwild · ") for part in looks.HOT]
SOURCES = Path(__file__).resolve().parents[4] / "engine" / "schemes"


def schemes(kind):
    """Names of the schemes whose row, at the end of their own file, is of that kind."""
    rows = re.findall(r'\.name = "([a-z+-]+)",.*?\.kind = SchemeKind::(\w+),', "".join(map(Path.read_text, SOURCES.glob("*.cpp"))), re.DOTALL)
    return {name for name, own in rows if re.fullmatch(kind, own)}


def mark(look):
    return look["color"], look["markeredgecolor"], look["fillstyle"]


def hollow(look):
    return look["color"], bool(look.get("path_effects")), look["fillstyle"]


def line(look):
    return look["color"], str(look["linestyle"])


class Looks(unittest.TestCase):
    def test_no_two_methods_share_both_colour_and_dashes_or_both_colour_and_face(self):
        every = [looks.look_of(method) for method in METHODS + HOT]
        self.assertEqual(len({(look.colour, look.form.dash) for look in every}), len(every))
        self.assertEqual(len({(look.colour, look.form.rim, look.form.coloured) for look in every}), len(every))

    def test_every_scheme_has_a_look_and_those_whose_workers_wait_are_dashed(self):
        self.assertEqual({method.partition(" · ")[0] for method in looks.LOOKS}, schemes(r"k\w+"))
        self.assertEqual({method for method, look in looks.LOOKS.items() if look.form == looks.WAITS}, schemes("kSync"))

    def test_a_method_looks_the_same_alone_and_beside_any_other(self):
        for one, other in itertools.combinations(METHODS + HOT, 2):
            pair = [Key(one, "", 2), Key(other, "", 2)]
            both = styling.Strokes(pair, pair, PAGE)
            self.assertEqual([both.dash(key) for key in pair], [looks.look_of(key.method).form.dash for key in pair])
            self.assertNotEqual(line(both.line(pair[0])), line(both.line(pair[1])), (one, other))
            self.assertNotEqual(mark(both.dot(pair[0])), mark(both.dot(pair[1])), (one, other))

    def test_wins_has_the_looks_of_all_other_figures_whichever_schemes_are_there(self):
        points = [wins.Point("d", "hinge", method.replace(" · ", "-"), "async", 2, 1, 1, 1) for method in METHODS + HOT]
        together = wins.looks_of(points, PAGE)
        self.assertEqual(len({hollow(wins.missed_look(look, PAGE)) for look in together.values()}), len(points))
        for method, point in zip(METHODS + HOT, points):
            strokes = styling.Strokes([Key(method, "", 2)], [Key(method, "", 2)], PAGE)
            alone = wins.looks_of([point], PAGE)[point.scheme]
            self.assertEqual(alone, together[point.scheme])
            self.assertEqual((line(alone), mark(alone)), (line(strokes.dotted(Key(method, "", 2))), mark(strokes.dot(Key(method, "", 2)))))

    def test_a_scheme_that_stands_for_one_policy_or_guard_has_its_look(self):
        one = wins.Point("d", "hinge", "hogwild", "async", 2, 1, 1, 1)
        self.assertEqual(wins.method_of("hogwild", [one]), "hogwild · racy")
        for method in ("hogwild · locked", "columns · atomic"):
            behind = wins.Point("d", "hinge", method.partition(" ")[0], "async", 2, 1, 1, 1, method)
            self.assertEqual(wins.method_of(behind.scheme, [behind]), method)


class Scatters(Drawing):
    """Figures whose marks are not on lines."""

    def runs(self):
        for seed in (1, 2, 3):
            self.add(SERIAL, 1, seed)
            for axes in ({}, {"update": "racy+replicated"}, {"scheme": "round-robin"}, {"scheme": "replicated"}):
                for threads in (1, 2):
                    self.add(RACY, threads, seed, **{**({"update": "", "guard": ""} if "scheme" in axes else {}), **axes})
        found = super().runs()
        for run in found:
            run.ceilings = MEASURED
        return found

    @staticmethod
    def marks(axes, *shapes):
        return [(mark.get_markerfacecolor(), mark.get_markeredgecolor(), mark.get_fillstyle()) for mark in axes.lines if mark.get_marker() in shapes]

    def test_marks_of_a_trade_off_are_as_in_its_legend_whatever_their_threads(self):
        sheet, panel = sorted(self.drawn(tradeoff, self.runs()).axes, key=lambda axes: axes.get_zorder(), reverse=True)
        methods = {mark for mark in self.marks(sheet, "o") if mark[0] != styling.INK}
        self.assertEqual(len(methods), 4)
        self.assertEqual(set(self.marks(panel, "o")), methods)
        self.assertEqual(set(self.marks(panel, "s")), methods)

    def test_methods_have_marks_of_their_own_at_bars_and_below_ceilings(self):
        runs = self.runs()
        for module in (times, roofline):
            for axes in self.drawn(module, runs).axes:
                self.assertEqual(len({mark for mark in self.marks(axes, "o", "s") if mark[0] not in (styling.INK, styling.BLACK)}), 4, module)

    def test_threads_of_a_legend_are_as_pale_as_their_lines(self):
        keys = [Key("local-sgd", "", threads) for threads in (1, 2, 4)]
        strokes = styling.Strokes(keys, keys, PAGE)
        few, *_, most = legends.workers(strokes)[0].entries
        self.assertEqual((few.look["color"], most.look["color"]), (styling.tint(styling.INK, strokes.depth(keys[0])), styling.INK))
        self.assertEqual(few.look["markerfacecolor"], few.look["color"])


if __name__ == "__main__":
    unittest.main()
