"""One page from fragments to pieces and tables in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from findspot_extraction.readers.pdf.columns import reading_order
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.paragraphs import Piece, pieces_of
from findspot_extraction.readers.pdf.rows import line_of, rows_of
from findspot_extraction.readers.pdf.tables import Grid, split_tables

Item = Piece | Grid


def lay_out(fragments: Sequence[Fragment], mark_code: bool) -> list[Item]:
    """The content of one page. Text in the page's main direction comes first, turned text after it."""
    weights = Counter[int]()
    for fragment in fragments:
        weights[fragment.turn] += fragment.last - fragment.first
    items: list[Item] = []
    for turn in sorted(weights, key=lambda turn: (-weights[turn], turn)):
        for region in reading_order(rows_of([fragment for fragment in fragments if fragment.turn == turn])):
            items.extend(_region(region, mark_code))
    return items


def _region(rows: list[list[Fragment]], mark_code: bool) -> list[Item]:
    items: list[Item] = []
    for part in split_tables(rows):
        if isinstance(part, Grid):
            items.append(part)
        else:
            items.extend(pieces_of([line_of(row) for row in part], mark_code))
    return items
