"""Running heads, running feet and page numbers: rows at the edge of many pages, in one place, of one text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from findspot.model import MarginaliaKind
from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import upright_size
from findspot_extraction.readers.pdf.pages import PageContent
from findspot_extraction.readers.pdf.rows import rows_of

FEWEST_PAGES = 4
"""In a shorter document the same line at the edge of the pages is weak evidence, and costs little."""
_FEWEST_SEEN = 3
_EDGE = 0.16
"""Share of the page's height at its top and at its foot where such rows stand."""
_ROWS = 3
_SAME_PLACE = 0.02
"""Of the page's height."""
_DETACHED = 0.75
"""Of the row height: the distance to the text, at least."""
_CELLS = 4
"""A row of more parts at the top of a page is the head of a table."""
_LETTERS = 3
"""Letters that the text of a running head or foot has, at least."""
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"(?=[ivxlc])(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_NUMBER_ONLY = re.compile(
    r"[\W_]*(?:page|seite|s\.|p\.|pag\.|página|pagina)?[\W_]*#(?:\s*(?:/|of|von|de|sur)\s*#)?[\W_]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MarginalRow:
    """One row that is kept out of the text."""

    kind: MarginaliaKind
    fragments: tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    page: int
    """Index into the pages."""
    row: tuple[Fragment, ...]
    place: float
    """Middle of the row, as a share of the page's height."""
    depth: int
    """0 for the outermost row, 1 for the next one in."""
    detached: bool
    """True when it stands off the row next to it on the inside."""


def find_marginalia(pages: Sequence[PageContent]) -> list[list[MarginalRow]]:
    """For each page the rows that repeat around the pages; never all the text of a page."""
    found: list[list[MarginalRow]] = [[] for _ in pages]
    if len(pages) < FEWEST_PAGES:
        return found
    groups: dict[tuple[bool, str], list[_Candidate]] = defaultdict(list)
    rows_on = [0] * len(pages)
    for index, page in enumerate(pages):
        rows = rows_of(f for f in page.fragments if f.turn == 0)
        rows_on[index] = len(rows)
        for head in (True, False):
            for candidate in _edge_rows(index, rows, page, head):
                groups[head, signature(candidate.row)].append(candidate)
    repeated = {
        (candidate.page, head, candidate.depth): (candidate, text)
        for (head, text), group in groups.items()
        for candidate in _repeated(group, text)
    }
    turned = _turned(pages)
    for index, page_rows in enumerate(found):
        for head in (True, False):
            chain = _outer_rows(repeated, index, head)
            if len(page_rows) + len(chain) < rows_on[index]:
                page_rows.extend(MarginalRow(_kind(text, head), row.row) for row, text in chain)
        page_rows.extend(turned[index])
    return found


def _turned(pages: Sequence[PageContent]) -> list[list[MarginalRow]]:
    """Sideways lines that repeat in one place, on pages whose text is upright."""
    found: list[list[MarginalRow]] = [[] for _ in pages]
    groups: dict[tuple[int, str], list[_Candidate]] = defaultdict(list)
    for index, page in enumerate(pages):
        sideways = [fragment for fragment in page.fragments if fragment.turn]
        if 2 * len(sideways) < len(page.fragments):
            for fragment in sideways:
                _, height = upright_size(page.words.width, page.words.height, fragment.turn)
                place = (fragment.y0 + fragment.y1) / 2 / max(height, 1.0)
                candidate = _Candidate(index, (fragment,), place, 0, detached=True)
                groups[fragment.turn, signature((fragment,))].append(candidate)
    for (_, text), group in groups.items():
        for candidate in _repeated(group, text):
            found[candidate.page].append(MarginalRow(MarginaliaKind.HEADER, candidate.row))
    return found


def _outer_rows(
    repeated: dict[tuple[int, bool, int], tuple[_Candidate, str]], index: int, head: bool
) -> list[tuple[_Candidate, str]]:
    """The repeated rows of one edge of a page from the outside in, as far as they stand off the text."""
    chain: list[tuple[_Candidate, str]] = []
    while (index, head, len(chain)) in repeated:
        chain.append(repeated[index, head, len(chain)])
    while chain and not chain[-1][0].detached:
        chain.pop()
    return chain


def _edge_rows(index: int, rows: list[list[Fragment]], page: PageContent, head: bool) -> list[_Candidate]:
    _, height = upright_size(page.words.width, page.words.height, 0)
    ordered = rows if head else rows[::-1]
    candidates: list[_Candidate] = []
    for depth, row in enumerate(ordered[:_ROWS]):
        y0, y1 = min(f.y0 for f in row), max(f.y1 for f in row)
        if (
            height <= 0
            or (head and len(row) > _CELLS)
            or (y1 > _EDGE * height if head else y0 < (1 - _EDGE) * height)
        ):
            break
        inner = ordered[depth + 1] if depth + 1 < len(ordered) else None
        candidates.append(
            _Candidate(index, tuple(row), (y0 + y1) / 2 / height, depth, _is_detached(row, inner, head))
        )
    return candidates


def _is_detached(row: list[Fragment], inner: list[Fragment] | None, head: bool) -> bool:
    if inner is None:
        return True
    upper, lower = (row, inner) if head else (inner, row)
    gap = min(f.y0 for f in lower) - max(f.y1 for f in upper)
    return gap > _DETACHED * min(row[0].height, inner[0].height)


def signature(row: Sequence[Fragment]) -> str:
    """The text of a row with every number, Roman ones on their own included, as "#"."""
    text = " ".join(f.text for f in row).casefold().strip()
    return "#" if _ROMAN.fullmatch(text) else _DIGITS.sub("#", text)


def _repeated(group: list[_Candidate], text: str) -> list[_Candidate]:
    """The members of a group that stand in one place, when they are many enough."""
    place = median(candidate.place for candidate in group)
    same = [candidate for candidate in group if abs(candidate.place - place) <= _SAME_PLACE]
    if len({candidate.page for candidate in same}) < _FEWEST_SEEN:
        return []
    if text == "#" or _NUMBER_ONLY.fullmatch(text):
        return same if _counts_up(same) else []
    return same if sum(map(str.isalpha, text)) >= _LETTERS else []


def _counts_up(candidates: list[_Candidate]) -> bool:
    """True when the numbers rise with the pages, as page numbers do and the figures of a table do not."""
    firsts: list[tuple[int, int]] = []
    for candidate in candidates:
        digits = _DIGITS.search(" ".join(f.text for f in candidate.row))
        if digits:
            firsts.append((candidate.page, int(digits[0][:9])))
    if len(firsts) * 2 < len(candidates):
        return True
    shifts = [number - page for page, number in firsts]
    usual = max(set(shifts), key=shifts.count)
    return shifts.count(usual) * 2 >= len(shifts)


def _kind(text: str, head: bool) -> MarginaliaKind:
    if text == "#" or _NUMBER_ONLY.fullmatch(text):
        return MarginaliaKind.PAGE_NUMBER
    return MarginaliaKind.HEADER if head else MarginaliaKind.FOOTER
