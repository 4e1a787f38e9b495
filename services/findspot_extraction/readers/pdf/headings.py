"""Headings of the pages: from the outline, else from the tags of the file, else from type sizes, else none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from findspot_extraction.readers.pdf.geometry import PageFrame, to_displayed
from findspot_extraction.readers.pdf.layout import Item
from findspot_extraction.readers.pdf.outline import Bookmark
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape
from findspot_extraction.readers.pdf.rows import Line, line_of
from findspot_extraction.readers.pdf.typography import Typography, levels_by_size, looks_like_heading

_LETTERS = re.compile(r"[\W_]+")
_NUMBERING = re.compile(r"(?:chapter|section|part|appendix|annex|kapitel|chapitre)?[\divxlcdm]{0,12}[a-z]?")
_MOST_LINES = 4
_LONGEST_PRINTED = 120


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on a page. Without a piece it is a place only: the outline's title is not printed there."""

    level: int
    title: str
    piece: Piece | None = None


Entry = Item | Heading


@dataclass(frozen=True, slots=True)
class LaidOutPage:
    """A page after layout, with what is needed to find a place on it."""

    number: int
    frame: PageFrame
    items: list[Item]
    tagged: Mapping[int, int]
    """Heading level of fragments by their first word, as the file tags them."""


def with_headings(
    pages: Sequence[LaidOutPage], bookmarks: Sequence[Bookmark], typography: Typography
) -> list[list[Entry]]:
    """The items of each page, headings among them marked as such."""
    leading_to: dict[int, list[Bookmark]] = {}
    for bookmark in bookmarks:
        if bookmark.title:
            leading_to.setdefault(bookmark.page, []).append(bookmark)
    if any(page.number in leading_to for page in pages):
        return [_by_outline(page, leading_to.get(page.number, ()), typography) for page in pages]
    if any(page.tagged for page in pages):
        return [[entry for item in page.items for entry in _by_tags(page, item)] for page in pages]
    return _by_size(pages, typography)


def _by_tags(page: LaidOutPage, item: Item) -> list[Entry]:
    """An item cut where lines that are tagged as a heading begin and end."""
    if not isinstance(item, Piece) or not page.tagged:
        return [item]
    entries: list[Entry] = []
    for level, run in groupby(item.lines, key=lambda line: page.tagged.get(line.fragments[0].first, 0)):
        lines = list(run)
        if level:
            piece = Piece(Shape.PARAGRAPH, lines)
            entries.append(Heading(level, piece.text, piece))
        else:
            entries.append(Piece(item.shape, lines, item.level))
    return entries


def _by_size(pages: Sequence[LaidOutPage], typography: Typography) -> list[list[Entry]]:
    found = {
        id(item)
        for page in pages
        for item in page.items
        if isinstance(item, Piece) and looks_like_heading(item, typography)
    }
    levels = levels_by_size(
        item.lines[0].font.size
        for page in pages
        for item in page.items
        if isinstance(item, Piece) and id(item) in found
    )
    return [
        [
            Heading(levels[item.lines[0].font.size], item.text, item)
            if isinstance(item, Piece) and id(item) in found
            else item
            for item in page.items
        ]
        for page in pages
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines `first` to `last` (exclusive) of an item; none of them when the title is not printed there."""

    item: int
    first: int
    last: int


def _by_outline(page: LaidOutPage, bookmarks: Sequence[Bookmark], typography: Typography) -> list[Entry]:
    if not bookmarks:
        return list(page.items)
    placed: list[tuple[_Place, Bookmark]] = []
    taken: set[tuple[int, int]] = set()
    for bookmark in bookmarks:
        place = _printed(page, bookmark, taken) or _at_target(page, bookmark, taken, typography)
        taken.update((place.item, line) for line in range(place.first, place.last))
        placed.append((place, bookmark))
    placed.sort(key=lambda found: (found[0].item, found[0].first, found[0].last))
    entries: list[Entry] = []
    for index, item in enumerate(page.items):
        here = [(place, bookmark) for place, bookmark in placed if place.item == index]
        entries.extend(_cut(item, here))
    entries.extend(Heading(b.level, b.title) for place, b in placed if place.item >= len(page.items))
    return entries


def _cut(item: Item, here: Sequence[tuple[_Place, Bookmark]]) -> list[Entry]:
    """An item with the headings in it cut out."""
    if not isinstance(item, Piece):
        return [*(Heading(bookmark.level, bookmark.title) for _, bookmark in here), item]
    entries: list[Entry] = []
    at = 0
    for place, bookmark in here:
        if place.first > at:
            entries.append(Piece(item.shape, item.lines[at : place.first], item.level))
            at = place.first
        if place.last > place.first:
            piece = Piece(Shape.PARAGRAPH, item.lines[place.first : place.last])
            entries.append(Heading(bookmark.level, bookmark.title, piece))
            at = place.last
        else:
            entries.append(Heading(bookmark.level, bookmark.title))
    if at < len(item.lines):
        entries.append(Piece(item.shape, item.lines[at:], item.level) if at else item)
    return entries


def _key(text: str) -> str:
    return _LETTERS.sub("", text).casefold()


def _printed(page: LaidOutPage, bookmark: Bookmark, taken: set[tuple[int, int]]) -> _Place | None:
    """Where the title is printed on its page; of several places the one nearest to the outline's target."""
    title = _key(bookmark.title)
    if not title:
        return None
    found: list[tuple[float, int, _Place]] = []
    target = _target(page, bookmark)
    for index, item in enumerate(page.items):
        if not isinstance(item, Piece):
            continue
        keys = [_key(line.text) for line in item.lines]
        for first in range(len(keys)):
            last = _title_end(keys, first, title)
            if last and not any((index, line) in taken for line in range(first, last)):
                distance = abs(_top(page, item.lines[first]) - target) if target is not None else 0.0
                found.append((distance, len(found), _Place(index, first, last)))
    return min(found)[2] if found else None


def _title_end(keys: Sequence[str], first: int, title: str) -> int:
    """End of the lines from `first` that are the title, numbers in front set aside; 0 if they are not."""
    joined = ""
    for last in range(first + 1, min(len(keys), first + _MOST_LINES) + 1):
        joined += keys[last - 1]
        longer, shorter = (joined, title) if len(joined) >= len(title) else (title, joined)
        if shorter and longer.endswith(shorter) and _NUMBERING.fullmatch(longer[: -len(shorter)] or ""):
            return last
        if len(joined) > len(title) + 24:
            break
    return 0


def _target(page: LaidOutPage, bookmark: Bookmark) -> float | None:
    """Distance of the outline's target from the top of the displayed page, in points."""
    if bookmark.y is None and bookmark.x is None:
        return None
    x = page.frame.left if bookmark.x is None else bookmark.x
    y = page.frame.top if bookmark.y is None else bookmark.y
    return page.frame.displayed(x, y, x, y)[1]


def _top(page: LaidOutPage, line: Line) -> float:
    return to_displayed(line.rect, page.frame.width, page.frame.height, line.fragments[0].turn)[1]


def _at_target(
    page: LaidOutPage, bookmark: Bookmark, taken: set[tuple[int, int]], typography: Typography
) -> _Place:
    """The line that the outline points at; a heading in other words when it looks like one."""
    target = _target(page, bookmark)
    if target is None:
        return _Place(0, 0, 0)
    best: tuple[float, _Place] | None = None
    for index, item in enumerate(page.items):
        lines = item.lines if isinstance(item, Piece) else [_first_line(item)]
        for first, line in enumerate(lines):
            below = _top(page, line) + 0.6 * line.height - target
            if below >= 0 and (best is None or below < best[0]):
                best = (below, _Place(index, first, first))
    if best is None:
        return _Place(len(page.items), 0, 0)
    place = best[1]
    item = page.items[place.item]
    free = (place.item, 0) not in taken
    if free and isinstance(item, Piece) and place.first == 0 and _looks_printed(item, typography):
        return _Place(place.item, 0, len(item.lines))
    return place


def _first_line(item: Item) -> Line:
    if isinstance(item, Piece):
        return item.lines[0]
    fragments = tuple(fragment for cell in item.rows[0] for fragment in cell)
    return line_of(fragments)


def _looks_printed(piece: Piece, typography: Typography) -> bool:
    font = piece.lines[0].font
    return (
        piece.shape is Shape.PARAGRAPH
        and len(piece.lines) <= 2
        and len(piece.text) <= _LONGEST_PRINTED
        and (font.size > 1.05 * typography.body or font.bold)
    )
