"""Entries of all pages into one text, with the range of every block, page, word, row and cell in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from findspot.model import Block, BlockKind, Page, Span, Table, TableRow, Words
from findspot_extraction.readers.pdf.classify import kind_of_paragraph
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import fractions, to_displayed
from findspot_extraction.readers.pdf.glyphs import PageWords
from findspot_extraction.readers.pdf.headings import Entry, Heading
from findspot_extraction.readers.pdf.hyphenation import Join, join_lines
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape
from findspot_extraction.readers.pdf.tables import Grid

PARAGRAPH_BREAK = "\n\n"
LINE_BREAK = "\n"
CELL_BREAK = "\t"
"""Between two cells of a row, empty ones left out: white space, as the text adds no signs to those of the page."""


@dataclass(slots=True)
class Assembly:
    """The text so far, and what lies where in it."""

    known: Callable[[str], bool]
    body: float = 0.0
    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _lengths: list[int] = field(default_factory=list)
    _indexes: list[int] = field(default_factory=list)
    _last_table: tuple[int, tuple[float, ...]] | None = None

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.parts)

    def add_page(self, page: PageContent, entries: Sequence[Entry], label: str) -> None:
        """Append a page. Pages cover the text without a gap: a break belongs to the page before it."""
        words = page.words
        if self.length and any(not isinstance(entry, Heading) or entry.piece for entry in entries):
            self._put(PARAGRAPH_BREAK)
        start = self.length
        if self.pages:
            self.pages[-1] = replace(self.pages[-1], end=start)
        self._starts, self._lengths, self._indexes = [], [], []
        places: list[Heading] = []
        for index, entry in enumerate(entries):
            if isinstance(entry, Heading) and entry.piece is None:
                # The outline's title is not printed here: its place is where the text after it begins.
                places.append(entry)
                continue
            if self.length > start:
                self._put(PARAGRAPH_BREAK)
            self._add_places(places, words.number)
            places = []
            self._add_entry(entry, words.number, index == 0)
        self._add_places(places, words.number)
        self.pages.append(
            Page(
                words.number,
                start,
                self.length,
                label=label,
                width=words.width,
                height=words.height,
                reader=page.reader,
                confidence=page.confidence,
            )
        )
        if words.placed is not None:
            self._leave_out_unplaced(words.placed)
        if self._starts and not words.degenerate:
            boxes = word_boxes(words, self._indexes)
            self.words.append(Words(words.number, tuple(self._starts), tuple(self._lengths), boxes))

    def _leave_out_unplaced(self, placed: bytearray) -> None:
        known = [bool(placed[index]) for index in self._indexes]
        for values in (self._starts, self._lengths, self._indexes):
            values[:] = compress(values, known)

    def _add_places(self, headings: Sequence[Heading], page: int) -> None:
        for heading in headings:
            self.blocks.append(
                Block(BlockKind.HEADING, self.length, self.length, heading.level, heading.title, page=page)
            )

    def _add_entry(self, entry: Entry, page: int, first: bool) -> None:
        start = self.length
        if isinstance(entry, Grid):
            self._add_grid(entry, page, first)
            return
        piece = entry.piece if isinstance(entry, Heading) else entry
        assert piece is not None
        self._add_piece(piece)
        if isinstance(entry, Heading):
            block = Block(BlockKind.HEADING, start, self.length, entry.level, entry.title, page=page)
        elif piece.shape is Shape.LIST_ITEM:
            block = Block(BlockKind.LIST_ITEM, start, self.length, piece.level, page=page)
        elif piece.shape is Shape.CODE:
            block = Block(BlockKind.CODE, start, self.length, page=page)
        else:
            kind = kind_of_paragraph(piece, self.body)
            block = Block(kind, start, self.length, page=page)
        self.blocks.append(block)

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _put_fragments(self, fragments: Sequence[Fragment]) -> None:
        starts, at = self._starts, self.length
        for number, fragment in enumerate(fragments):
            if number and not _is_drop_cap(fragments[number - 1], fragment):
                self.parts.append(" ")
                at += 1
            words = fragment.page.texts[fragment.first : fragment.last]
            lengths = list(map(len, words))
            for length in lengths:
                starts.append(at)
                at += length + 1
            at -= 1
            self._lengths += lengths
            self._indexes += range(fragment.first, fragment.last)
            self.parts.append(" ".join(words))
        self.length = at

    def _add_piece(self, piece: Piece) -> None:
        code = piece.shape is Shape.CODE
        left = min(line.x0 for line in piece.lines)
        for number, line in enumerate(piece.lines):
            if code:
                self._put((LINE_BREAK if number else "") + " " * _indent(line.x0 - left, line.font.size))
            elif number:
                head = line.fragments[0]
                self._join(head.page.texts[head.first])
            self._put_fragments(line.fragments)

    def _join(self, first: str) -> None:
        last = self.parts[-1][-self._lengths[-1] :]
        join = join_lines(last, first, self.known)
        if join is Join.DROP_HYPHEN:
            self.parts[-1] = self.parts[-1][:-1]
            self._lengths[-1] -= 1
            self.length -= 1
        elif join is Join.SPACE:
            self._put(" ")

    def _add_grid(self, grid: Grid, page: int, first: bool) -> None:
        start = self.length
        rows: list[TableRow] = []
        for number, cells in enumerate(grid.rows):
            if number:
                self._put(LINE_BREAK)
            row_start = self.length
            spans: list[Span] = []
            for cell in cells:
                if cell and self.length > row_start:
                    self._put(CELL_BREAK)
                cell_start = self.length
                self._put_fragments(cell)
                spans.append(Span(cell_start, self.length))
            rows.append(TableRow(row_start, self.length, tuple(spans)))
        continues = first and self._continues(grid, page)
        columns = _column_names(grid)
        if continues and not columns and self.blocks[-1].table:
            columns = self.blocks[-1].table.columns
        table = Table(
            columns=columns,
            rows=tuple(rows),
            header_rows=grid.header_rows,
            caption=self._caption(page),
            continues=continues,
        )
        self.blocks.append(Block(BlockKind.TABLE, start, self.length, page=page, table=table))
        self._last_table = (page, grid.edges)

    def _caption(self, page: int) -> str:
        last = self.blocks[-1] if self.blocks else None
        if last is None or last.kind is not BlockKind.CAPTION or last.page != page:
            return ""
        return _tail(self.parts, self.length - last.start)[: last.end - last.start]

    def _continues(self, grid: Grid, page: int) -> bool:
        """True when the page before ended with a table of the same columns."""
        if self._last_table is None or not self.blocks or self.blocks[-1].kind is not BlockKind.TABLE:
            return False
        before, edges = self._last_table
        same = len(edges) == len(grid.edges)
        return (
            before == page - 1
            and same
            and all(abs(a - b) < 12 for a, b in zip(edges, grid.edges, strict=True))
        )


def _is_drop_cap(initial: Fragment, rest: Fragment) -> bool:
    """True for the big first letter of a word: "O" before "nce upon a time", but not the word "A"."""
    if initial.letters != 1 or initial.height < 1.5 * rest.height:
        return False
    letter, word = initial.page.texts[initial.first], rest.page.texts[rest.first]
    return letter.isupper() and letter not in "AI" and word[0].islower()


def _column_names(grid: Grid) -> tuple[str, ...]:
    names: list[list[str]] = [[] for _ in grid.edges]
    for row in grid.rows[: grid.header_rows]:
        for column, cell in enumerate(row):
            names[column].extend(fragment.text for fragment in cell)
    return tuple(" ".join(name) for name in names) if grid.header_rows else ()


def _indent(points: float, size: float) -> int:
    """Spaces that a line of code is set in by: a glyph of fixed pitch is six tenths of its size wide."""
    return min(80, max(0, round(points / max(0.6 * size, 0.1))))


def _tail(parts: Sequence[str], length: int) -> str:
    """The last `length` characters."""
    taken: list[str] = []
    for part in reversed(parts):
        taken.append(part)
        length -= len(part)
        if length <= 0:
            break
    return "".join(reversed(taken))


def word_boxes(words: PageWords, indexes: Sequence[int]) -> tuple[float, ...]:
    """x, y, width, height of each of the words, as fractions of the displayed page."""
    width, height, turns = words.width, words.height, words.turns
    x0s, y0s, x1s, y1s = words.x0.tolist(), words.y0.tolist(), words.x1.tolist(), words.y1.tolist()
    if not any(turns) and min(x0s) >= 0 and min(y0s) >= 0 and max(x1s) <= width and max(y1s) <= height:
        found = [0.0] * (4 * len(indexes))
        found[0::4] = [x0s[index] / width for index in indexes]
        found[1::4] = [y0s[index] / height for index in indexes]
        found[2::4] = [(x1s[index] - x0s[index]) / width for index in indexes]
        found[3::4] = [(y1s[index] - y0s[index]) / height for index in indexes]
        return tuple(found)
    found = []
    for index in indexes:
        x0, y0, x1, y1 = x0s[index], y0s[index], x1s[index], y1s[index]
        if turns[index] or x0 < 0 or y0 < 0 or x1 > width or y1 > height:
            found += fractions(to_displayed((x0, y0, x1, y1), width, height, turns[index]), width, height)
        else:
            found += (x0 / width, y0 / height, (x1 - x0) / width, (y1 - y0) / height)
    return tuple(found)
