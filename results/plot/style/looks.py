"""How each method looks, in every figure: its colour, and a form of its lines and marks.

The colours were chosen by a search for the largest distance between the nearest two, and from black and from white. It was taken as seen
with full colour vision, with protanopia and with deuteranopia. There are fewer than methods, so methods share one. They then differ in
their form, of which dashes tell lines apart and faces tell marks apart. Workers of methods in the form WAITS wait for each other; its rim
wants a colour that is not dark.
"""

from typing import NamedTuple

from plot.files.naming import hot_part, without_hot

BLACK, OTHER, INK = "#000000", "#8C8C8C", "#1a1a1a"
HUES = {  # neighbours are shades of one hue
    "orange": "#E65900",
    "blue": "#2666A6",
    "ultramarine": "#2600B3",
    "forest": "#004D00",
    "green": "#4DCC73",
    "purple": "#660D66",
    "violet": "#A666FF",
    "yellow": "#EEDD00",
    "sky": "#00BFFF",
    "crimson": "#BF0066",
    "pink": "#F868B8",
}


class Form(NamedTuple):
    dash: object  # of lines
    rim: str = "white"  # around a mark
    coloured: str = "full"  # or the half of a mark that has the colour; the other is in ink


PLAIN, WAITS, SECOND = Form("solid"), Form((0, (4, 1.4)), rim=INK), Form((0, (9, 2)), coloured="bottom")
HOT = {  # what becomes of increments of hot coordinates
    "replicated": Form((0, (1.2, 1.2)), coloured="top"),
    "delayed": Form((0, (5, 1.4, 1.2, 1.4)), coloured="right"),
    "thinned": Form((0, (4, 1.2, 1.2, 1.2, 1.2, 1.2)), coloured="left"),
}
DASHES = tuple(form.dash for form in (PLAIN, WAITS, *HOT.values(), SECOND))


class Look(NamedTuple):
    colour: str
    form: Form


LOOKS = {  # in the order of legends
    "serial": Look(BLACK, PLAIN),
    "hogwild · racy": Look(HUES["orange"], PLAIN),
    "hogwild · atomic": Look(HUES["blue"], PLAIN),
    "hogwild · cas-bounded": Look(HUES["ultramarine"], SECOND),
    "hogwild · locked": Look(HUES["forest"], PLAIN),
    "hogwild · locked-read": Look(HUES["green"], PLAIN),
    "hogwild · global-lock": Look(HUES["purple"], PLAIN),
    "hogwild · publish": Look(HUES["crimson"], PLAIN),
    "hogwild · noop": Look(OTHER, PLAIN),
    "hogwild++": Look(HUES["ultramarine"], PLAIN),
    "replicated": Look(HUES["violet"], PLAIN),
    "columns · racy": Look(HUES["sky"], PLAIN),
    "columns · atomic": Look(HUES["sky"], SECOND),
    "columns · cas-bounded": Look(HUES["yellow"], SECOND),
    "columns · noop": Look(OTHER, SECOND),
    "saga": Look(HUES["yellow"], PLAIN),
    "svrg": Look(HUES["pink"], WAITS),
    "round-robin": Look(HUES["violet"], WAITS),
    "conflict-free": Look(HUES["yellow"], WAITS),
    "cyclades": Look(HUES["blue"], WAITS),
    "minibatch": Look(HUES["sky"], WAITS),
    "backup-workers": Look(HUES["green"], WAITS),
    "local-sgd": Look(HUES["crimson"], WAITS),
    "async-local-sgd": Look(HUES["pink"], PLAIN),
}


def look_of(method):
    """Methods that are not known share one, and its dashes."""
    colour, form = LOOKS.get(without_hot(method), Look(OTHER, PLAIN))
    return Look(colour, HOT.get(hot_part(method), form))


def dealt(lines):
    """{line: dash}, of (line, what shares dashes with it, its method's own). The first line of a method has that, the others those
    that are left. The solid one comes last where it is not their method's."""
    found, used = {}, {}
    for line, pool, own in lines:
        if line not in found and own not in used.setdefault(pool, []):
            found[line] = own
            used[pool].append(own)
    for line, pool, own in lines:
        if line not in found:
            found[line] = min(DASHES, key=lambda dash: (used[pool].count(dash), dash == PLAIN.dash != own))
            used[pool].append(found[line])
    return found


def method_named(scheme):
    """`hogwild · atomic+replicated` of `hogwild-atomic+replicated`, the scheme of a speedup.csv; what is not known as it is."""
    known = {method.replace(" · ", "-"): method for method in LOOKS}
    base = without_hot(scheme)
    return known.get(base, base) + scheme[len(base):]
