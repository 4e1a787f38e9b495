"""Tables of HTML pages: which are data and which are layout, their rows, spans, header and caption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from .html_nodes import attribute, children, inline_words, is_hidden

_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_MAX_SPANNED = 200_000
"""Columns that cells over several columns may add to one table; wider cells then count as one column."""
_MAX_COLUMN_SPAN = 200
_MAX_REPEATED = 200_000
"""Characters that cells over several rows may add to one table; what would be over stays empty."""
_DEEPEST = 16
"""Tables inside of tables; further ones are layout."""
_LAYOUT_CELL = 1_500
"""Characters: a cell longer than this, with blocks inside, is a part of the page."""


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table as rows of words; `widths` says how many columns each cell takes."""

    rows: list[list[str]]
    widths: list[list[int]]
    header_rows: int
    columns: tuple[str, ...]
    caption: str


@dataclass(slots=True)
class _Hanging:
    """A cell that reaches down into later rows."""

    words: str
    width: int
    rows_left: int


def is_layout(table: LexborNode) -> bool:
    """True when the table only places parts of a page: its cells are then read as the page itself."""
    if (attribute(table, "role") or "") in ("presentation", "none"):
        return True
    if _is_deep(table):
        # Nobody writes data so; and what follows looks at all that is inside, once for each level.
        return True
    if table.css_first("th") is not None or table.css_first("caption") is not None:
        return False
    if table.css_first("pre") is not None:
        return True
    if table.css_first("table, ul, ol, h1, h2, h3, p, div") is None:
        return False
    cells = [cell for row, _ in _rows(table) for cell in _cells(row)]
    return len(cells) == 1 or any(len(cell.text(deep=True)) > _LAYOUT_CELL for cell in cells)


def _is_deep(table: LexborNode) -> bool:
    """Whether it stands inside of more tables than pages are laid out with."""
    around, tables = table.parent, 0
    for _ in range(_DEEPEST * 6):
        if around is None:
            break
        tables += around.tag == "table"
        around = around.parent
    return tables >= _DEEPEST


def read_table(table: LexborNode) -> HtmlTable | None:
    """The words of a data table; None when it has none. A cell over several rows is repeated in each."""
    rows: list[list[str]] = []
    widths: list[list[int]] = []
    header_rows = 0
    hanging: dict[int, _Hanging] = {}
    spanned = repeated = 0
    for row, in_head in _rows(table):
        cells = list(_cells(row))
        repeated += sum(len(cell.words) for cell in hanging.values())
        words, spans = _fill(cells, hanging, repeat=repeated <= _MAX_REPEATED)
        spanned += sum(spans) - len(spans)
        if spanned > _MAX_SPANNED:
            spans = [1] * len(words)
        if not any(words):
            continue
        all_heads = bool(cells) and all(cell.tag == "th" for cell in cells)
        if (in_head or all_heads) and header_rows == len(rows):
            header_rows += 1
        rows.append(words)
        widths.append(spans)
    if not rows:
        return None
    header_rows = header_rows if header_rows < len(rows) else min(1, len(rows) - 1)
    caption = table.css_first("caption")
    columns = _columns(rows[:header_rows], widths[:header_rows])
    return HtmlTable(rows, widths, header_rows, columns, inline_words(caption) if caption else "")


def _rows(table: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """The rows of this table, not those of tables inside it, and whether each is in the head."""
    for child in children(table):
        if child.tag == "tr":
            yield child, False
        elif child.tag in _GROUPS:
            for row in children(child):
                if row.tag == "tr" and not is_hidden(row):
                    yield row, child.tag == "thead"


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    return (cell for cell in children(row) if cell.tag in ("td", "th") and not is_hidden(cell))


def _fill(
    cells: list[LexborNode], hanging: dict[int, _Hanging], *, repeat: bool
) -> tuple[list[str], list[int]]:
    words: list[str] = []
    spans: list[int] = []
    column = 0
    queue = iter(cells)
    cell = next(queue, None)
    while cell is not None or column in hanging:
        above = hanging.get(column)
        if above is not None:
            words.append(above.words if repeat else "")
            spans.append(above.width)
            above.rows_left -= 1
            if above.rows_left <= 0:
                del hanging[column]
            column += above.width
            continue
        assert cell is not None
        text, width, height = inline_words(cell), _span(cell, "colspan"), _span(cell, "rowspan")
        words.append(text)
        spans.append(width)
        if height > 1:
            hanging[column] = _Hanging(text, width, height - 1)
        column += width
        cell = next(queue, None)
    return words, spans


def _span(cell: LexborNode, name: str) -> int:
    stated = (attribute(cell, name) or "1").strip()
    number = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 6 else 1
    if name == "rowspan":
        return number or 65_534
    return max(1, min(number, _MAX_COLUMN_SPAN))


def _columns(rows: list[list[str]], widths: list[list[int]]) -> tuple[str, ...]:
    """Names from top to bottom: `Sales` over `2023` and `2024` gives `Sales 2023`, `Sales 2024`."""
    names: list[list[str]] = []
    for words, spans in zip(rows, widths, strict=True):
        spread = [word for word, width in zip(words, spans, strict=True) for _ in range(width)]
        names.extend([] for _ in range(len(spread) - len(names)))
        for column, word in enumerate(spread):
            if word and word not in names[column]:
                names[column].append(word)
    return tuple(" ".join(parts) for parts in names)
