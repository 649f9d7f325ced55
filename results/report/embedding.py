"""Pictures inside a page: an SVG as it is drawn to a hundredth of a point, without comments, as text that a URL may hold.

Base64 takes a third more than a picture, and hides repetition from whatever compresses the page.
"""

import base64
import re
from urllib.parse import quote

LARGEST_SVG = 1_500_000  # bytes; of a larger drawing the page has the pixels
PLACES = re.compile(r'(?<=\s)(?:d|x|y|points)="[^"]*"|translate\([^)]*\)')
SAFE = " /:;=?@&+$,!*'~[]{}|^`"  # none ends an attribute or a URL; &amp; escapes what is left


def rounded(places):
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), places)


def compact(svg):
    """The same picture in fewer letters."""
    without_comments = re.sub(r"<!--.*?-->", "", svg, flags=re.S)
    return re.sub(r"\s+", " ", PLACES.sub(lambda found: rounded(found[0]), without_comments)).strip()


def data_url(paths):
    """`paths`: "svg" and "png" -> file of one drawing."""
    if paths["svg"].stat().st_size > LARGEST_SVG:
        return f"data:image/png;base64,{base64.b64encode(paths['png'].read_bytes()).decode()}"
    return f"data:image/svg+xml,{quote(compact(paths['svg'].read_text(encoding='utf-8')), safe=SAFE)}"
