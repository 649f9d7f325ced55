"""HTML from values: every text is escaped, once, and only here.

`tag("td", text)` gives Markup; whatever is no Markup is text, and becomes text. So a data set named `</script>` is a name.
"""

import html
import unicodedata

VOID = {"meta", "img", "br"}


class Markup(str):
    """Text that is HTML already. Made by this file alone, and by page.py of its own style and script."""


def visible(text):
    """Text without what a browser would act on or not show. Controls but line ends and tabs, marks that turn the direction
    of writing, and lone surrogates become U+FFFD."""
    return "".join("\ufffd" if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Cn", "Co") else letter
                   for letter in str(text))


def escaped(value):
    if isinstance(value, Markup):
        return value
    if isinstance(value, (list, tuple)):
        return Markup("".join(map(escaped, value)))
    return Markup(html.escape(visible(value), quote=True))


def tag(name, /, *children, **attributes):
    """<name attribute="...">children</name>. `class_` is class, `data_sort` is data-sort; None and False leave one out."""
    words = [name]
    for key, value in attributes.items():
        if value is not None and value is not False:
            key = key.rstrip("_").replace("_", "-")
            words.append(key if value is True else f'{key}="{html.escape(visible(value), quote=True)}"')
    opening = f"<{' '.join(words)}>"
    return Markup(opening if name in VOID else f"{opening}{escaped(children)}</{name}>")


def lines(*parts):
    """Blocks below each other; nothing for those that are empty."""
    return Markup("\n".join(escaped(part) for part in parts if part))
