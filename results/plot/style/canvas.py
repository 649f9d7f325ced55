"""A figure's sheet: title above, panels in the middle, legend outside of them, provenance below.

Everything is placed in inches from measured text, so that nothing covers data and nothing is cut off however long a
name is. The legend stands to the right of the panels, or below them where the sheet is narrow.
"""

from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plot.files import writing
from plot.style.styling import INK, QUIET

LINE = 1.42  # of the type size, from one line to the next
POINT = 1 / 72.0
MOST_LINES = 6  # of a name beside an axis
LEGEND_LINES = 3  # of a name in the legend


@dataclass
class Entry:
    """A line of the legend: how it looks (Line2D properties) and what it is called."""
    look: dict
    label: str


@dataclass
class Block:
    heading: str
    entries: list = field(default_factory=list)


class Sheet:
    def __init__(self, size, title, subtitle, footnotes, blocks):
        self.size = size
        self.blocks = [block for block in blocks if block.entries]
        self.figure = Figure(figsize=(size.width, size.panel_height))
        self._agg = FigureCanvasAgg(self.figure)
        self._margin = size.type * POINT * 1.1
        self._title = self.fit(title, size.width - 2 * self._margin, size.type * 1.3, 2, weight="bold")
        self._subtitle = self.fit(subtitle, size.width - 2 * self._margin, size.type, 2)
        self._footnotes = [line for note in footnotes
                           for line in self.fit(note, size.width - 2 * self._margin, self._small, 3)]

    @property
    def _small(self):
        return self.size.type * 0.82

    def width_of(self, text, type_size, **style):
        """Inches that the text takes."""
        artist = self.figure.text(0, 0, text, fontsize=type_size, **style)
        width = artist.get_window_extent(self._agg.get_renderer()).width / self.figure.dpi
        artist.remove()
        return width

    def fit(self, text, width, type_size, lines, **style):
        """The text broken at spaces, and inside a word where it must be, into at most `lines` lines."""
        rows, rest = [], text
        while rest:
            if self.width_of(rest, type_size, **style) <= width:
                return rows + [rest]
            low, high = 1, len(rest)  # most letters that fit
            while low < high:
                middle = (low + high + 1) // 2
                if self.width_of(rest[:middle], type_size, **style) <= width:
                    low = middle
                else:
                    high = middle - 1
            if len(rows) + 1 == lines:
                while low > 1 and self.width_of(rest[:low].rstrip() + "…", type_size, **style) > width:
                    low -= 1
                return rows + [rest[:low].rstrip() + "…"]
            space = rest.rfind(" ", 0, low + 1)
            cut = space if space > low // 2 else low
            rows.append(rest[:cut].rstrip())
            rest = rest[cut:].lstrip()
        return rows

    def row_label(self, text, ending, width, lines=1):
        """A name beside an axis on at most so many lines; what is too long is cut before its ending (", 4 threads")."""
        type_size = self.size.type * 0.92
        rows = self.fit(text, width, type_size, lines) or [""]
        if self.width_of(rows[-1] + ending, type_size) <= width:
            rows[-1] += ending
        elif len(rows) < lines:
            rows[-1] += ending[:1]
            rows.append(ending[1:].lstrip())
        else:
            rows[-1] = self.fit(rows[-1], width - self.width_of(ending, type_size), type_size, 1)[0] + ending
        return "\n".join(rows)

    def row_labels(self, names, width):
        """(a label for each (text, ending), the inches from one row to the next, those that the widest takes)."""
        labels = [self.row_label(*name, width, MOST_LINES) for name in names]
        lines = 1 + max(label.count("\n") for label in labels)
        pitch = (1.75 + 1.2 * (lines - 1)) * self.size.type * POINT
        return labels, pitch, max(self.width_of(text, self.size.type * 0.92) for text in labels)

    def lay_out(self, columns, left, bottom, right=0.0, gap=None, rows=1, top=0.0, flat=1.0):
        """Rectangles for rows x columns panels; `left`, `bottom`, `right`, `top`: inches for labels beside each panel;
        `flat`: share of the usual panel height.

        Sets the sheet's final height and draws all that is not a panel. Returns axes rectangles in figure shares, row
        by row.
        """
        size, line = self.size, self.size.type * POINT * LINE
        small_line = self._small * POINT * LINE
        head = self._margin + len(self._title) * line * 1.3 + len(self._subtitle) * line + line * 0.7
        foot = self._margin + len(self._footnotes) * small_line + (line * 0.6 if self._footnotes else 0)
        legend_width, legend_height, place_legend = self._plan_legend(line)
        below = not size.legend_right and legend_height > 0
        gap = left if gap is None else gap

        body = rows * (size.panel_height * flat + bottom + top)
        if size.height:
            body = max(body, size.height - head - foot - (legend_height + line * 0.4 if below else 0))
        if size.legend_right:
            body = max(body, legend_height + line * 0.5)
        height = head + body + foot + (legend_height + line * 0.4 if below else 0)
        self.figure.set_size_inches(size.width, height)
        self._sheet = self.figure.add_axes([0, 0, 1, 1], xlim=(0, size.width), ylim=(0, height), zorder=10)
        self._sheet.axis("off")
        self._sheet.patch.set_visible(False)

        self._write_lines(self._title, height - self._margin, line * 1.3, size.type * 1.3, INK, weight="bold")
        self._write_lines(self._subtitle, height - self._margin - len(self._title) * line * 1.3, line, size.type, QUIET)
        self._write_lines(self._footnotes, self._margin + len(self._footnotes) * small_line, small_line, self._small, QUIET)

        panels_right = size.width - self._margin - right
        if size.legend_right and legend_height:
            panels_right -= legend_width + line * 1.1
            place_legend(panels_right + right + line * 1.1, height - head)
        elif below:
            place_legend(self._margin, foot + legend_height)
        panel_width = (panels_right - self._margin - left - (columns - 1) * gap) / columns
        panel_height = body / rows - bottom - top
        self.panel_width = panel_width
        return [((self._margin + left + column * (panel_width + gap)) / size.width,
                 (height - head - row * (body / rows) - top - panel_height) / height,
                 panel_width / size.width, panel_height / height)
                for row in range(rows) for column in range(columns)]

    def write(self, x, y, text, type_size, colour=INK, **style):
        return self._sheet.text(x, y, text, fontsize=type_size, color=colour, va="center_baseline", **style)

    def _write_lines(self, lines, top, step, type_size, colour, **style):
        for index, text in enumerate(lines):
            self.write(self._margin, top - (index + 0.5) * step, text, type_size, colour, **style)

    def _plan_legend(self, line):
        """(width, height, how to draw it with its upper left corner at x, top)."""
        if not self.blocks:
            return 0.0, 0.0, None
        return self._plan_column(line) if self.size.legend_right else self._plan_rows(line)

    def _swatch(self, look, x, y, length):
        self._sheet.add_line(Line2D([x, x + length / 2, x + length], [y, y, y], **{**look, "markevery": [1]}))

    def _plan_column(self, line):
        swatch, type_size = line * 2.0, self.size.type
        widest = self.size.width * 0.3
        planned = [(block, [(entry, self.fit(entry.label, widest, type_size, LEGEND_LINES)) for entry in block.entries])
                   for block in self.blocks]
        width = max([swatch + line * 0.5 + self.width_of(text, type_size)
                     for _, entries in planned for _, texts in entries for text in texts]
                    + [self.width_of(block.heading, type_size, weight="bold") for block in self.blocks])
        height = sum(line * (1.15 + sum(len(texts) for _, texts in entries)) for _, entries in planned)
        height += line * 0.7 * (len(planned) - 1)

        def place(x, top):
            for block, entries in planned:
                self.write(x, top - line / 2, block.heading, type_size, QUIET, weight="bold")
                top -= line * 1.15
                for entry, texts in entries:
                    self._swatch(entry.look, x, top - line / 2, swatch)
                    for text in texts:
                        self.write(x + swatch + line * 0.5, top - line / 2, text, type_size)
                        top -= line
                top -= line * 0.7

        return width, height, place

    def _plan_rows(self, line):
        swatch, type_size, full = line * 1.7, self.size.type, self.size.width - 2 * self._margin
        indent = max(self.width_of(block.heading, type_size, weight="bold") for block in self.blocks) + line * 0.8
        spots, row = [], 0  # (first row, x, entry, lines of text)
        heads = []
        for block in self.blocks:
            heads.append((row, block.heading))
            x = indent
            for entry in block.entries:
                texts = self.fit(entry.label, full - indent - swatch - line * 0.4, type_size, LEGEND_LINES) or [""]
                width = swatch + line * 0.4 + max(self.width_of(text, type_size) for text in texts)
                if x > indent and x + width > full:
                    row, x = row + 1, indent
                spots.append((row, x, entry, texts))
                row += len(texts) - 1
                x += width + line * 0.9
            row += 1

        def place(left, top):
            for at, heading in heads:
                self.write(left, top - (at + 0.5) * line, heading, type_size, QUIET, weight="bold")
            for at, x, entry, texts in spots:
                self._swatch(entry.look, left + x, top - (at + 0.5) * line, swatch)
                for index, text in enumerate(texts):
                    self.write(left + x + swatch + line * 0.4, top - (at + index + 0.5) * line, text, type_size)

        return full, row * line, place


def save(figure, size, stem, title, pdf=False):
    """Writes stem.png and stem.svg, and stem.pdf if asked, each whole or not at all; the same figure gives the same bytes. Returns
    the paths."""
    stem, ascii_title = Path(stem), title.encode("ascii", "replace").decode()
    written = []
    forms = [(".png", FigureCanvasAgg(figure), dict(dpi=size.dpi, metadata={"Title": ascii_title})),
             (".svg", FigureCanvasSVG(figure), dict(metadata={"Date": None, "Title": title}))]
    if pdf:
        forms.append((".pdf", FigureCanvasPdf(figure), dict(metadata={"CreationDate": None, "Title": ascii_title})))
    for suffix, canvas, options in forms:
        target = stem.with_name(stem.name + suffix)
        with writing.whole(target) as partial:
            canvas.print_figure(partial, format=suffix[1:], facecolor="white", **options)
        written.append(target)
    return written
