"""One page from fragments to pieces and tables in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from findspot_extraction.readers.pdf.classify import is_footnote
from findspot_extraction.readers.pdf.columns import Row, reading_order
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape, pieces_of
from findspot_extraction.readers.pdf.rows import line_of, rows_of
from findspot_extraction.readers.pdf.tables import Grid, split_tables
from findspot_extraction.readers.pdf.typography import Typography

Item = Piece | Grid


def lay_out(fragments: Sequence[Fragment], typography: Typography) -> list[Item]:
    """The content of one page. Text in the page's main direction comes first, turned text after it.

    Footnotes go to the end of the page, so that a sentence which continues in the next column stays whole.
    """
    weights = Counter[int]()
    for fragment in fragments:
        weights[fragment.turn] += fragment.last - fragment.first
    items: list[Item] = []
    notes: list[Item] = []
    for turn in sorted(weights, key=lambda turn: (-weights[turn], turn)):
        for region in reading_order(rows_of([fragment for fragment in fragments if fragment.turn == turn])):
            body: list[Item] = []
            for item in _region(region, not typography.mono_body):
                note = isinstance(item, Piece) and is_footnote(item, typography.body)
                (notes if note else body).append(item)
            _append(items, body)
    return items + notes


def _region(rows: list[Row], mark_code: bool) -> list[Item]:
    items: list[Item] = []
    for part in split_tables(rows):
        if isinstance(part, Grid):
            items.append(part)
        else:
            items.extend(pieces_of([line_of(row) for row in part], mark_code))
    return items


def _append(items: list[Item], region: list[Item]) -> None:
    """Add a region; its first paragraph joins the last one before it when that breaks off within a sentence."""
    last, first = (items[-1], region[0]) if items and region else (None, None)
    if isinstance(last, Piece) and isinstance(first, Piece) and _breaks_off(last, first):
        region = region[1:]
        last.lines.extend(first.lines)
    items.extend(region)


def _breaks_off(last: Piece, first: Piece) -> bool:
    if (
        first.shape is not Shape.PARAGRAPH
        or last.shape is Shape.CODE
        or abs(last.lines[-1].font.size - first.lines[0].font.size) > 0.3
    ):
        return False
    head = first.lines[0].fragments[0].words[0]
    return head[0].islower() and last.lines[-1].text[-1] not in ".!?:;"
