"""One page from fragments to pieces and tables in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from findspot_extraction.readers.pdf.classify import is_footnote
from findspot_extraction.readers.pdf.columns import Row, reading_order
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import to_upright, union
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape, pieces_of
from findspot_extraction.readers.pdf.rows import line_of, rows_of
from findspot_extraction.readers.pdf.ruled import fill, lattices_of
from findspot_extraction.readers.pdf.tables import Grid, split_tables
from findspot_extraction.readers.pdf.typography import Typography

Item = Piece | Grid

_FEWEST_RULES = 6
"""Two rows and two columns take three rules each."""


def lay_out(page: PageContent, fragments: Sequence[Fragment], typography: Typography) -> list[Item]:
    """The content of one page. Text in the page's main direction comes first, turned text after it.

    `fragments` are those of the page that are no marginalia. Footnotes go to the end of the page, so that a
    sentence which continues in the next column stays whole.
    """
    weights = Counter[int]()
    for fragment in fragments:
        weights[fragment.turn] += fragment.last - fragment.first
    items: list[Item] = []
    notes: list[Item] = []
    for turn in sorted(weights, key=lambda turn: (-weights[turn], turn)):
        drawn, rest = _drawn_tables(page, [fragment for fragment in fragments if fragment.turn == turn])
        for region in reading_order(rows_of(rest)):
            body: list[Item] = []
            for item in _region(region, drawn, not typography.mono_body):
                note = isinstance(item, Piece) and is_footnote(item, typography.body)
                (notes if note else body).append(item)
            _append(items, body)
    return items + notes


def _drawn_tables(page: PageContent, fragments: list[Fragment]) -> tuple[dict[int, Grid], list[Fragment]]:
    """Tables drawn with rules, and the fragments with one in the place of each table.

    The fragment that stands for a table holds no word and has the table's extent; tables are found by its `first`.
    """
    drawn: dict[int, Grid] = {}
    if len(page.rules) < _FEWEST_RULES:
        return drawn, fragments
    width, height, turn = page.words.width, page.words.height, fragments[0].turn
    rules = [to_upright(rule, width, height, turn) for rule in page.rules] if turn else page.rules
    for lattice in lattices_of(rules):
        inside = [
            fragment for fragment in fragments if fragment.last > fragment.first and lattice.holds(fragment)
        ]
        grid = fill(lattice, inside) if inside else None
        if grid is not None:
            left_out = set(map(id, inside))
            mark = -1 - len(drawn)
            drawn[mark] = grid
            x0, y0, x1, y1 = union(fragment.rect for fragment in inside)
            stand_in = replace(
                inside[0],
                first=mark,
                last=mark,
                x0=x0,
                y0=y0,
                x1=x1,
                y1=y1,
                middle=y0 + y1,
                height=max(y1 - y0, 0.1),
                letters=0,
            )
            fragments = [fragment for fragment in fragments if id(fragment) not in left_out]
            fragments.append(stand_in)
    return drawn, fragments


def _region(rows: list[Row], drawn: dict[int, Grid], mark_code: bool) -> list[Item]:
    items: list[Item] = []
    plain: list[Row] = []
    for row in rows:
        tables = [drawn[fragment.first] for fragment in row if fragment.first in drawn]
        if tables:
            items.extend(_plain(plain, mark_code))
            beside = [fragment for fragment in row if fragment.first not in drawn]
            plain = []
            items.extend(tables)
            items.extend(_plain(rows_of(beside), mark_code))
        else:
            plain.append(row)
    items.extend(_plain(plain, mark_code))
    return items


def _plain(rows: list[Row], mark_code: bool) -> list[Item]:
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
