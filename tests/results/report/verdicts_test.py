"""Laws of the Verdicts section: it says what `hogwild compare` prints, and every number keeps its digits."""

import html
import math
import os
import re
import subprocess
import unittest

import fake_runs
from plot.files import schema
from report import verdicts
from scratch import Scratch

COLUMNS = schema.columns("verdict_row")
ROW = dict(metric="time-to-target", a="runs", b="runs", problem="hinge", data="imdb", scheme="hogwild", update="racy", device="cpu", memory="host",
           placement="stored", threads=2, delay=0, order="stored", pin="none", lanes="auto", telemetry="off", step="constant",
           step_size=0.123456789, l2=1e-4, epochs=3, against="serial, step 0.5", runs_a="1 2", runs_b="3 4", seeds=5, reached_a=5, reached_b=5,
           median_a=0.5, median_b=0.2512345678, expected_a=0.6, expected_b=0.3, ratio=0.5, ratio_low=0.4, ratio_high=0.8, verdict="FASTER",
           seconds_per_update_ratio=0.25, updates_ratio=2)


class Verdicts(Scratch):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "verdicts.csv"

    def section(self, *changes, columns=COLUMNS):
        fake_runs.write_table(self.path, columns, [{**dict.fromkeys(columns, ""), **ROW, **change} for change in changes])
        return verdicts.verdicts(self.path, schema.load())

    def cells(self, *changes):
        """The rows of the table: {heading: (text, exact value)}."""
        text = self.section(*changes)
        heads = [html.unescape(head) for head in re.findall(r"<button[^>]*>(.*?)</button>", text)]
        rows = re.findall(r"<tr>(.*?)</tr>", text.partition("<tbody>")[2], re.S)
        plain = lambda cell: html.unescape(re.sub("<[^>]*>", "", cell.replace("<small>", " ")))
        found = [[(plain(cell), exact) for exact, cell in re.findall(r'<td(?: data-sort="(.*?)")?[^>]*>(.*?)</td>', row)] for row in rows]
        self.assertEqual({len(row) for row in found}, {len(heads)})
        return [dict(zip(heads, row)) for row in found]

    def test_a_speed_up_is_the_reciprocal_of_a_ratio_of_costs_and_its_interval_turns_round(self):
        row, = self.cells({})
        self.assertEqual(row["speed-up"], ("2 [1.25, 2.5]", "2.0"))
        self.assertEqual((row["= updates/s"][0], row["× 1/updates"][0]), ("4", "0.5"))
        self.assertEqual((row["method"][0], row["verdict"][0]), ("hogwild · racy", "FASTER"))

    def test_of_a_rate_the_speed_up_is_its_ratio(self):
        row, = self.cells({"metric": "updates-per-second", "expected_b": 2e6})
        self.assertEqual(row["speed-up"], ("0.5 [0.4, 0.8]", "0.5"))
        self.assertEqual(row["expected B"], ("2 M median 0.251", "2000000.0"))

    def test_who_never_gets_there_has_a_speed_up_of_0_and_nobody_has_none(self):
        none = dict.fromkeys(("median_b", "expected_b", "ratio", "ratio_high", "seconds_per_update_ratio", "updates_ratio"), "") | {"reached_b": 0}
        row, other = self.cells(none | {"ratio_low": 80}, none | {"expected_a": "", "median_a": "", "ratio_low": 0, "verdict": "UNDECIDED"})
        self.assertEqual(row["speed-up"], ("0 [0, 0.0125]", "0.0"))
        self.assertEqual(row["expected B"], ("missed median missed, 0/5", "Infinity"))
        self.assertEqual(other["speed-up"][0], "–")
        only_b, = self.cells({"expected_a": "", "ratio": 0, "ratio_low": 0, "ratio_high": 0.5})
        self.assertEqual(only_b["speed-up"], ("∞ [2, ∞]", "Infinity"))

    def test_numbers_have_four_digits_at_most_and_keep_the_others_to_be_sorted_by(self):
        row, = self.cells({"ratio": 1 / 1.0123456, "lost_share_b": 0.123456})
        self.assertEqual(row["step size"], ("0.1235", "0.123456789"))
        self.assertEqual(row["expected B"], ("300 ms median 251 ms", "0.3"))
        self.assertEqual(row["speed-up"][0].split()[0], "1.012")
        self.assertAlmostEqual(float(row["speed-up"][1]), 1.0123456, places=12)
        self.assertEqual(row["lost share B"], ("12.3 %", "0.123456"))

    def test_shares_of_ceilings_and_staleness_stand_side_by_side_where_there_are_some(self):
        row, = self.cells(dict(staleness_p50_b=1, staleness_p99_b=20, staleness_max_b=3000, ceiling_share_a=0.5, ceiling_share_b=0.25))
        self.assertEqual((row["staleness B"][0], row["ceiling share A"], row["ceiling share B"]), ("1 / 20 / 3,000", ("50 %", "0.5"), ("25 %", "0.25")))
        said = "Ceiling share: nonzeros per second over the lower of"
        self.assertIn(said, self.section(dict(ceiling_share_b=0.25)))
        self.assertNotIn(said, self.section(dict(staleness_p50_b=1)))
        self.assertNotIn("staleness A", row)
        self.assertNotIn("lost share A", row)

    def test_what_all_rows_of_a_method_have_stands_below_its_name_and_what_a_has_in_every_row_above_the_table(self):
        mini = {"scheme": "minibatch", "update": "", "batch": 256, "ceiling_share_a": 0.5}
        racy = {"epochs": 20, "ceiling_share_a": 0.5, "lost_share_a": 0.25}
        rows = (mini, mini | {"threads": 4, "lost_share_a": 0.125}, racy, racy | {"threads": 4})
        found = self.cells(*rows)
        self.assertEqual([row["method"][0] for row in found], ["minibatch batch 256, epochs 3"] * 2 + ["hogwild · racy epochs 20"] * 2)
        self.assertFalse({"batch", "epochs", "ceiling share A"} & set(found[0]))
        self.assertEqual([row["lost share A"][0] for row in found], ["–", "12.5 %", "25 %", "25 %"])
        self.assertIn("ceiling share A 50 %.", self.section(*rows))
        self.assertEqual([row["epochs"][0] for row in self.cells(racy, racy | {"epochs": 40})], ["20", "40"])

    def test_the_section_says_what_a_and_b_are_and_names_a_folder_only_where_there_are_two(self):
        text = self.section({}, {"threads": 4})
        for words in ("A is serial, step 0.5 (median 500 ms, expected 600 ms); B is the configuration of each row. Compared: time to target.",
                      "above 1 B needs less", "The verdict follows from the interval"):
            self.assertIn(words, html.unescape(text))
        for noise in (">a<", "runs_a", "median A", "build/"):
            self.assertNotIn(noise, text)
        text = html.unescape(self.section({"a": "before", "b": "after", "against": "x"}, {"a": "before", "b": "after", "against": "y"}))
        self.assertIn("A is the same configuration of before; B is the configuration of each row, of after.", text)
        self.assertEqual([row["against"][0] for row in self.cells({"against": "x"}, {"against": "y"})], ["x", "y"])

    def test_costs_and_rates_in_one_file_are_tables_of_their_own_each_explained(self):
        times, _, rates = html.unescape(self.section({}, {"metric": "updates-per-second"}, {})).partition("Compared: updates per second.")
        for part, words, other, rows in ((times, "A's expected time over B's", "B's rate over A's", 3), (rates, "B's rate over A's", "over B's", 2)):
            self.assertIn(words, part)
            self.assertNotIn(other, part)
            self.assertEqual(part.count("<table"), 1)
            self.assertEqual(part.count("<tr>"), rows)
        self.assertEqual((times + rates).count("The verdict follows from the interval"), 1)

    def test_a_file_of_an_older_program_is_read_and_one_of_other_columns_is_shown_as_it_is(self):
        self.assertIn("FASTER", self.section({}, columns=[name for name in COLUMNS if "share" not in name]))
        self.path.write_text("a,verdict\nhogwild,SLOWER\n")
        self.assertIn("<td>SLOWER</td>", verdicts.verdicts(self.path, {}))
        self.path.unlink()
        self.assertIsNone(verdicts.verdicts(self.path, {}))

    def test_damage_is_said_and_names_are_text(self):
        self.assertIn("is not a number", self.section({"ratio": "fast"}))
        text = self.section(*({column: "</script>" for column in ("data", "against", "a", "verdict", "reason", "metric")} | {"threads": count}
                              for count in (1, 2)))
        self.assertNotIn("</script>", text)
        self.assertIn("&lt;/script&gt;", text)

    @unittest.skipUnless("HOGWILD_PROGRAM" in os.environ, "skipped: HOGWILD_PROGRAM names no program; to run it: ./tests/run, or name the built hogwild there")
    def test_the_speed_ups_and_verdicts_are_those_that_the_program_prints(self):
        runs = fake_runs.RESULTS / "reference" / "quickstart"
        done = subprocess.run([os.environ["HOGWILD_PROGRAM"], "compare", str(runs), "-o", str(self.path.parent)], check=True, capture_output=True,
                              text=True)
        factor = r"([0-9.e+-]+|inf) +\[([0-9.e+-]+) \.\. ([0-9.e+-]+|inf)\].*?(FASTER|SLOWER|SAME|UNDECIDED)"
        printed = re.findall(factor, done.stdout)
        text = verdicts.verdicts(self.path, {})
        shown = re.findall(r"<td [^>]*>([^<]*)<small>\[([^,]*), ([^\]]*)\]</small>", text)
        found = [(*factors, word) for factors, word in zip(shown, re.findall(r">(FASTER|SLOWER|SAME|UNDECIDED)<", text))]
        self.assertTrue(printed)
        self.assertEqual(len(found), len(printed))
        for ours, theirs in zip(found, printed):
            self.assertEqual(ours[3], theirs[3])
            for one, other in zip(ours[:3], theirs[:3]):
                self.assertTrue(math.isclose(float(one), float(other), rel_tol=1e-12), (ours, theirs))


if __name__ == "__main__":
    unittest.main()
