"""The page itself: one file that needs no other, no network and, but for sorting, no script.

Style and script are ours and inline; a policy of the page lets a browser run nothing else, and load nothing but its own pictures.
"""

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path

from plot.estimates.draws import DRAWS
from report.embedding import data_url
from report.markup import Markup, lines, tag

HERE = Path(__file__).resolve().parent
LIMITS = (
    "A time to target is interpolated between two observations, a tenth of an epoch apart unless the plan says otherwise.",
    "Losses are of snapshots that were copied while workers ran, evaluated after the run; the copies are on the clock.",
    "A run that diverged, failed or was stopped never reaches a target: it counts as infinite in medians and intervals, not as a gap.",
    f"Intervals are of {DRAWS:,} bootstrap draws of the seeds, at levels that are widened where these are few; those of speed-ups draw pairs, and are "
    "the wider of two (DECISIONS.md). A median of three seeds lies in its interval in three measurements of four only.",
    "Where a best variant is chosen and reported on the same seeds, as in the figures that say so, it is flattered; fresh seeds are "
    "the remedy.",
    "Times hold for the machines named here and for one step size, batch and data set each; a method that was not tuned is not slow.",
)


@dataclass
class Section:
    title: str
    content: object  # Markup
    anchor: str


def picture(drawn, links):
    """A figure with the picture inside, SVG unless that is huge; `links`: folder of its files, seen from the page."""
    files = [(tag("a", form.upper(), href=f"{links}/{file.name}"), " ") for form, file in drawn.paths.items()]
    return tag("figure", tag("img", src=data_url(drawn.paths), alt=drawn.kind.title),
               tag("figcaption", f"{drawn.kind.title}. ", files))


def not_drawn(figures):
    left = [drawn for drawn in figures if not drawn.paths]
    return tag("ul", lines(*(tag("li", f"{drawn.kind.title}: not drawn ({drawn.reason}).") for drawn in left)),
               class_="quiet") if left else ""


def tiles(facts):
    return tag("div", [tag("div", tag("b", number), name) for number, name in facts], class_="tiles")


def bullets(sentences, class_):
    return tag("ul", lines(*(tag("li", sentence) for sentence in sentences)), class_=class_)


def page(title, subtitle, facts, sections):
    style = Markup((HERE / "style.css").read_text(encoding="utf-8"))
    script = Markup((HERE / "sort.js").read_text(encoding="utf-8"))
    digest = lambda text: "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    policy = f"default-src 'none'; img-src data:; style-src {digest(style)}; script-src {digest(script)}"
    head = tag("head", lines(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title), tag("style", style)))
    links = tag("nav", [tag("a", section.title, href=f"#{section.anchor}") for section in sections])
    body = tag("body", tag("main", lines(
        tag("h1", title), tag("p", subtitle, class_="quiet"), tiles(facts), links,
        *(lines(tag("h2", section.title, id=section.anchor), section.content) for section in sections))), tag("script", script))
    return Markup("<!doctype html>\n") + tag("html", lines(head, body), lang="en") + "\n"
