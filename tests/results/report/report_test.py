"""Laws of the report: its numbers are those of summary.csv, names are only text, it needs no other file and no network."""

import base64
import csv
import hashlib
import io
import json
import math
import re
import statistics
import subprocess
import sys
import unittest
from contextlib import redirect_stdout
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock
from urllib.parse import unquote
from xml.etree import ElementTree

import fake_runs
from plot.estimates import configurations
from plot.files.reading import read_results
from plot.style.styling import SIZES
from report import combined, environment, figures, markup, tables
from report import report as program
from scratch import Scratch

SERIAL, RACY, ATOMIC = ("serial", "", ""), ("hogwild", "racy", "none"), ("hogwild", "atomic", "none")
HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' autofocus onfocus='x",
           "&lt;b&gt;", "</pre></td></table><iframe>", "-->", "]]>", "a\nb\r\nc\x00\x1b[31m", "\u202eevil", "{{7*7}}", "$x_1^2$")
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Elements in order, as (name, names of attributes); the text of cells; what is not closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.texts, self.cells, self.links = [], [], {}, [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, tuple(name for name, _ in attributes)))
        self.links += [value for name, value in attributes if name in ("src", "href", "data", "action", "srcset")]
        if tag == "td":
            self.cells.append(dict(attributes))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        place = self.open[-1] if self.open else ""
        self.texts[place] = self.texts.get(place, "") + data


def stub(runs, size, folder, suffix, title, subtitle, footnotes):
    """Instead of figures: one file that all share."""
    paths = {form: Path(folder) / f"loss.{form}" for form in ("png", "svg", "pdf")}
    for path in paths.values():
        path.write_text("<svg/>")
    return [figures.Drawn(figures.KINDS[0], paths), figures.Drawn(figures.KINDS[1], {}, title)]


class Report(Scratch):
    def setUp(self):
        super().setUp()
        self.folder = self.folder / "sweep"
        self.folder.mkdir()

    def written(self):
        with mock.patch.object(figures, "draw_all", stub), redirect_stdout(io.StringIO()):
            program.main([str(self.folder)])
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def found(self):
        return configurations.configurations(read_results([self.folder]).runs)

    def rows(self):
        with open(self.folder / "summary.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_numbers_of_a_configuration_are_medians_of_summary_csv(self):
        fake_runs.make_results(self.folder, threads=(1, 2), methods=(SERIAL, RACY, ATOMIC), seeds=(1, 2, 3))
        rows = self.rows()
        for one in self.found():
            names = {run.name for run in one.runs}
            own = [row for row in rows if row["run"] in names]
            shown = dict(zip((head for head, _ in combined.HEADS), combined.row(one, None, False)))
            rate = statistics.median(float(row["updates_per_second"]) for row in own)
            self.assertEqual(float(shown["updates/s"].sort), rate)
            for head, column in (("time to target", "seconds_to_target"), ("updates to target", "updates_to_target")):
                wanted = statistics.median(float(row[column] or "inf") for row in own)
                self.assertEqual(float(shown[head].sort), wanted)
            self.assertEqual(shown["reached"].text, f"{sum(bool(row['seconds_to_target']) for row in own)}/{len(own)}")

    def test_all_configurations_stand_in_the_page_where_the_best_come_first(self):
        rows = [fake_runs.make_run(self.folder, f"{step}-{threads}", RACY, threads, step_size=step / 10, epochs=1)
                for step in range(1, 10) for threads in (1, 2, 4)]
        fake_runs.make_summary(self.folder, rows)
        self.assertGreater(len(rows), combined.MOST)
        best, everything = re.findall(r"<tbody>(.*?)</tbody>", combined.combined(self.found(), ""), re.S)
        self.assertEqual((best.count("<tr>"), everything.count("<tr>")), (3, len(rows)))

    def test_every_run_stands_in_the_page_with_the_numbers_of_summary_csv(self):
        fake_runs.make_results(self.folder, threads=(1, 2), methods=(SERIAL, RACY))
        exact = [cell.get("data-sort") for cell in Page(self.written()).cells]
        text = self.written()
        for row in self.rows():
            self.assertIn(f"<td>{row['run']}</td>", text)
            for column in ("seconds", "updates_per_second", "train_loss", "test_error"):
                self.assertIn(repr(float(row[column])), exact, column)

    def test_a_run_that_missed_its_target_is_sorted_behind_all_times(self):
        self.assertEqual(tables.amount(math.inf, str).sort, "Infinity")
        self.assertEqual(tables.amount(math.nan, str).sort, "")
        self.assertEqual(float(tables.amount(0.1 + 0.2, str).sort), 0.1 + 0.2)

    def test_speed_up_is_against_the_best_serial_variant(self):
        rows = [fake_runs.make_run(self.folder, f"{step}", SERIAL, 1, seconds_scale=step, step_size=step) for step in (1.0, 2.0)]
        rows.append(fake_runs.make_run(self.folder, "racy", RACY, 1))
        fake_runs.make_summary(self.folder, rows)
        found = self.found()
        serial = configurations.best_serial(found)
        self.assertEqual(serial.runs[0].name, "1.0")
        racy = next(one for one in found if not one.key.serial)
        shown = dict(zip((head for head, _ in combined.HEADS), combined.row(racy, serial, False)))
        self.assertEqual(float(shown["speed-up"].sort), rows[0]["seconds_to_target"] / rows[2]["seconds_to_target"])

    def test_sections_of_sets_that_differ_in_what_is_minimised_alone_say_in_what(self):
        terms = (dict(l2=1e-4), dict(l2=1.28e-06), dict(l2=1.280001e-06), dict(l2=1e-4, l1=1e-5), dict(problem="logistic"))
        rows = [fake_runs.make_run(self.folder, f"{number}-{method[0]}", method, 1, **term)
                for number, term in enumerate(terms) for method in (SERIAL, RACY)]
        fake_runs.make_summary(self.folder, rows)
        titles = [title.removesuffix("</h2>") for title in re.findall(r'<h2 id="group-\d+">(.*)', self.written())]
        self.assertEqual(titles, ["Hinge loss on synthetic:rcv1/20, L2 0.0001", "Hinge loss on synthetic:rcv1/20, L2 1.28e-06",
                                  "Hinge loss on synthetic:rcv1/20, L2 1.280001e-06", "Hinge loss on synthetic:rcv1/20, L2 0.0001, L1 1e-05",
                                  "Logistic loss on synthetic:rcv1/20"])

    def test_expected_time_counts_what_failed_runs_took(self):
        rows = [fake_runs.make_run(self.folder, f"{seed}", RACY, 2, seed, status=status)
                for seed, status in ((1, "done"), (2, "diverged"))]
        fake_runs.make_summary(self.folder, rows)
        self.assertAlmostEqual(combined.expected(self.found()[0]), rows[0]["seconds_to_target"] + rows[1]["seconds"], places=15)

    def hostile_folder(self, names, sweep):
        """A folder whose every text is one of `names`, or built on one; `sweep`: names -> text of sweep.toml."""
        name = iter(lambda: names[next(turn) % len(names)], None)
        turn = iter(range(10**6))
        rows = []
        for seed in range(1, 13):
            method = (SERIAL, RACY)[seed % 2]
            folder = f"{seed:02}-" + re.sub(r"[/\0]", "_", next(name))
            status = "done" if seed < 10 else "failed"
            row = fake_runs.make_run(self.folder, folder, method, 2, seed, data=names[0], status="done")
            row.update(status=status, reason="" if status == "done" else next(name))
            rows.append(row)
            path = self.folder / folder / "manifest.json"
            manifest = json.loads(path.read_text())
            manifest["command"] = ["hogwild", names[seed - 1]]
            manifest["machine"].update(cpu=names[1], kernel=names[2])
            manifest["build"].update(flags=names[3], commit=names[4])
            path.write_text(json.dumps(manifest))
        fake_runs.make_summary(self.folder, rows)
        for file in ("verdicts.csv", "choices.csv"):
            fake_runs.write_table(self.folder / file, ["one", "two"], [{"one": next(name), "two": 1.5} for _ in names])
        (self.folder / "sweep.toml").write_text(sweep(names))

    def pages(self, sweep):
        """The pages of a folder of hostile names, and of one of harmless names."""
        for names in (HOSTILE, [f"name-{place}" for place in range(len(HOSTILE))]):
            for path in sorted(self.folder.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            self.hostile_folder(names, sweep)
            yield Page(self.written())

    def test_a_hostile_name_makes_no_element_and_no_attribute(self):
        text = lambda names: "\n".join(each.replace("\n", " ").replace("\r", "") for each in names) + "\n"
        self.check_that_names_are_text(*self.pages(text))

    def test_a_data_set_named_script_goes_through_the_whole_program_with_its_figures(self):
        name = "</script><script>alert(1)</script>"
        rows = [fake_runs.make_run(self.folder, f"{place}", method, 2, place, data=name, epochs=1) for place, method in enumerate((SERIAL, RACY))]
        fake_runs.make_summary(self.folder, rows)
        with redirect_stdout(io.StringIO()):
            program.main([str(self.folder)])
        page = Page((self.folder / "report.html").read_text(encoding="utf-8"))
        self.assertEqual([tag for tag, _ in page.elements].count("script"), 1)
        self.assertIn(name, page.texts["td"])
        pictures = [unquote(link.partition(",")[2]) for link in page.links if link.startswith("data:image/svg+xml")]
        self.assertTrue(pictures)
        for text in pictures:
            self.assertNotIn("<script", text)
            ElementTree.fromstring(text)

    @unittest.skipIf(sys.version_info < (3, 11), "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_a_hostile_sweep_file_makes_no_element_and_no_attribute(self):
        def numbers(names):
            """A TOML file: a publication's numbers for each name, of runs that are here, and of runs that are not."""
            quoted = [json.dumps(name) for name in names]
            text = f"[report]\ntitle = {quoted[0]}\nnote = {quoted[1]}\n"
            for name in quoted:
                words = "".join(f"{key} = {name}\n" for key in ("source", "hardware", "data", "what", "unit", "note"))
                for where in (f"data = {quoted[0]}", f"data = {quoted[0]}, {name} = {name}", f"scheme = {name}"):
                    text += f"[[paper]]\n{words}column = 'seconds'\nvalue = 1.5\nwhere = {{ {where} }}\n"
                text += f"[[paper]]\n{words}column = {name}\nvalue = 1.5\nwhere = {{ scheme = 'serial' }}\nover = {{ data = {name} }}\n"
            return text

        hostile, harmless = self.pages(numbers)
        self.assertIn("numbers beside ours", hostile.texts["h2"])
        self.check_that_names_are_text(hostile, harmless)

    def check_that_names_are_text(self, hostile, harmless):
        self.assertEqual(hostile.elements, harmless.elements)
        self.assertEqual(hostile.open, [])
        self.assertEqual(hostile.texts["script"], harmless.texts["script"])
        self.assertEqual(hostile.texts["style"], harmless.texts["style"])
        for name in ("</script><script>alert(1)</script>", "\" onmouseover=\"alert(1)", "&lt;b&gt;"):
            self.assertIn(name, hostile.texts["td"])  # shown as it is called
        self.assertNotIn("\u202e", "".join(hostile.texts.values()))
        self.assertNotIn("\x1b", "".join(hostile.texts.values()))

    def test_the_page_loads_nothing_and_runs_only_its_own_script(self):
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL, RACY), data="http://example.org/a.svm")
        text = self.written()
        page = Page(text)
        for link in page.links:
            self.assertRegex(link, r"^(data:image/(svg\+xml|png;base64),|#|figures/)")
        self.assertNotIn("link", [tag for tag, _ in page.elements])
        self.assertNotRegex(text, r"@import|url\(")
        self.assertEqual([names for tag, names in page.elements if tag == "script"], [()])
        for place in ("style", "script"):
            digest = base64.b64encode(hashlib.sha256(page.texts[place].encode()).digest()).decode()
            self.assertIn(f"{place}-src &#x27;sha256-{digest}&#x27;", text)

    def test_a_row_has_a_cell_for_each_heading(self):
        fake_runs.make_results(self.folder, threads=(1, 2))
        for part in re.findall(r"<table>?.*?</table>", self.written().replace(' class="sortable"', ""), re.S):
            heads = part.count("<th ") if "<thead>" in part else None
            rows = re.findall(r"<tr>(.*?)</tr>", part.partition("<tbody>")[2], re.S)
            if heads:
                self.assertEqual({row.count("<td") for row in rows}, {heads})

    def test_files_beside_summary_csv_are_shown_whatever_their_columns(self):
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL,))
        self.assertNotIn("Verdicts", self.written())
        (self.folder / "verdicts.csv").write_text("a,verdict\nhogwild,SLOWER\n")
        (self.folder / "choices.csv").write_text("method,step_size\nhogwild,0.5\n")
        (self.folder / "sweep.toml").write_text("[run]\ndata = \"x < y\"\n")
        text = self.written()
        for part in ("Verdicts", "<td>SLOWER</td>", "Tuning", '<td data-sort="0.5" class="number">0.5</td>', "data = &quot;x &lt; y&quot;"):
            self.assertIn(part, text)

    def test_what_every_row_of_a_file_says_is_said_once_above_it(self):
        path = self.folder / "choices.csv"
        path.write_text("scheme,hot,threads,seconds_to_target,step_size\n<b>,,1,0.0144767,0.5\n<b>,,2,,0.5\n")
        text = environment.csv_file(path, {})
        self.assertIn('<td data-sort="0.0144767" class="number">14.5 ms</td>', text)
        self.assertIn("In every row: scheme &lt;b&gt;, step size 0.5.", text)
        self.assertEqual((text.count("<th "), text.count("<td")), (2, 4))

    @unittest.skipIf(sys.version_info < (3, 11), "skipped: this Python reads no TOML; to run it: take Python 3.11 or newer")
    def test_title_and_note_of_the_sweep_head_the_page_as_text(self):
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL,))
        (self.folder / "sweep.toml").write_text('[report]\ntitle = "Is <b> faster?"\nnote = "</script>"\n')
        text = self.written()
        self.assertIn("<h1>Is &lt;b&gt; faster?</h1>", text)
        self.assertIn("<p>&lt;/script&gt;</p>", text)
        (self.folder / "sweep.toml").write_text("torn = [")
        self.assertIn("<h1>Hogwild report: sweep</h1>", self.written())

    def test_what_tuning_chose_at_an_edge_is_a_caution(self):
        fake_runs.make_results(self.folder, threads=(1,), methods=(SERIAL,))
        head = "scheme,update,guard,threads,tried,at_edge\n"
        (self.folder / "choices.csv").write_text(head + "serial,,,,step-scale=1,0\nhogwild,racy,none,2,step-scale=0.1,1\n")
        self.assertIn("Of 1 of 2 tuned combinations the best lies at the edge of what was tried: hogwild racy none, 2 threads "
                      "(step-scale=0.1).", self.written())

    def test_text_is_escaped_once(self):
        self.assertEqual(markup.tag("p", "a<b&c", title="\"'"), '<p title="&quot;&#x27;">a&lt;b&amp;c</p>')
        self.assertEqual(markup.tag("p", markup.tag("b", "<")), "<p><b>&lt;</b></p>")

    def test_an_empty_folder_is_exit_69_with_advice(self):
        done = subprocess.run([sys.executable, str(fake_runs.RESULTS / "report" / "report.py"), str(self.folder)],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertRegex(done.stderr, r"^.+ \(.+\); .+\n$")
        self.assertFalse((self.folder / "report.html").exists())

    def test_sizes_are_those_of_the_figures(self):
        for size in SIZES:
            self.assertEqual(program.parse(["x", "--size", size]).size, size)


if __name__ == "__main__":
    unittest.main()
