"""Tables that are drawn: rules that cross make a grid, and every word of the grid is in one of its cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from findspot_extraction.readers.pdf.fragments import Fragment
from findspot_extraction.readers.pdf.geometry import Rect
from findspot_extraction.readers.pdf.rows import rows_of
from findspot_extraction.readers.pdf.tables import Cells, Grid, header_rows

_NEAR = 3.0
"""Points: rules that come this close meet, and rules this close side by side are one."""
_FEWEST_CELLS = 4
_LINES_A_ROW = 3
"""Lines of text between two flat rules, on average: where there are more, the rules do not divide the rows."""
_USED = 0.6
"""Share of the rows and of the columns that hold text; a drawing with a few words in it has less."""
_UNDIVIDED = 0.3
"""Share of the rows in which a cell may hold runs of text side by side."""
_BIGGEST_CELL = 0.6
"""Share of the words that one cell may hold: a frame around a page is no table."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the rows and columns of a drawn grid begin and end, in points."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def holds(self, fragment: Fragment) -> bool:
        """True when the middle of a fragment is inside."""
        x, y = (fragment.x0 + fragment.x1) / 2, fragment.middle / 2
        return self.xs[0] <= x <= self.xs[-1] and self.ys[0] <= y <= self.ys[-1]


def lattices_of(rules: Sequence[Rect]) -> list[Lattice]:
    """Grids of two rows and two columns at least, from the top of the page down."""
    flat = [rule for rule in rules if not _is_upright(rule)]
    upright = [rule for rule in rules if _is_upright(rule)]
    if len(flat) < 3 or len(upright) < 3:
        return []
    found: list[Lattice] = []
    for group in _crossing(flat, upright):
        xs = _distinct([rule[0] for rule in group if _is_upright(rule)])
        ys = _distinct([rule[1] for rule in group if not _is_upright(rule)])
        ys = _divided(
            ys, [rule for rule in group if _is_upright(rule) and xs[0] < rule[0] - _NEAR < xs[-1] - 2 * _NEAR]
        )
        if len(xs) > 2 and len(ys) > 2:
            found.append(Lattice(xs, ys))
    return sorted(found, key=lambda lattice: lattice.ys)


def _divided(ys: Sequence[float], inner: Sequence[Rect]) -> tuple[float, ...]:
    """The rows without those at the top and at the foot that no inner upright rule divides: titles and notes."""
    middles = [(above + below) / 2 for above, below in pairwise(ys)]
    crossed = [any(rule[1] - _NEAR <= at <= rule[3] + _NEAR for rule in inner) for at in middles]
    if not any(crossed):
        return ()
    first, last = crossed.index(True), len(crossed) - crossed[::-1].index(True)
    return tuple(ys[first : last + 1])


def _is_upright(rule: Rect) -> bool:
    return rule[2] - rule[0] < rule[3] - rule[1]


def _crossing(flat: Sequence[Rect], upright: Sequence[Rect]) -> list[list[Rect]]:
    """Groups of rules that hang together by meeting one another."""
    rules = [*flat, *upright]
    parent = list(range(len(rules)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, (x0, y0, x1, y1) in enumerate(flat):
        for j, (a0, b0, a1, b1) in enumerate(upright, len(flat)):
            if a0 <= x1 + _NEAR and a1 >= x0 - _NEAR and b0 <= y1 + _NEAR and b1 >= y0 - _NEAR:
                parent[root(i)] = root(j)
    groups: dict[int, list[Rect]] = {}
    for index, rule in enumerate(rules):
        groups.setdefault(root(index), []).append(rule)
    return list(groups.values())


def _distinct(places: Sequence[float]) -> tuple[float, ...]:
    found: list[float] = []
    for place in sorted(places):
        if not found or place - found[-1] > _NEAR:
            found.append(place)
    return tuple(found)


def fill(lattice: Lattice, fragments: Sequence[Fragment]) -> Grid | None:
    """The table in a grid, from the fragments inside it; None when the text does not look like one."""
    columns, rows = len(lattice.xs) - 1, len(lattice.ys) - 1
    if len(fragments) > _LINES_A_ROW * rows * columns:
        return None
    cells: list[list[list[Fragment]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    inner_xs, inner_ys = lattice.xs[1:-1], lattice.ys[1:-1]
    for fragment in fragments:
        row = cells[bisect_right(inner_ys, fragment.middle / 2)]
        for piece in _cut(fragment, inner_xs):
            row[bisect_right(inner_xs, (piece.x0 + piece.x1) / 2)].append(piece)
    used = [column for column in range(columns) if any(row[column] for row in cells)]
    kept = [[row[column] for column in used] for row in cells if any(row)]
    if not _is_table(kept) or len(used) < _USED * columns or len(kept) < _USED * rows:
        return None
    edges = tuple(lattice.xs[column] for column in used)
    table: Cells = [tuple(map(_in_order, row)) for row in kept]
    return Grid(tuple(table), edges, header_rows(table))


def _is_table(rows: list[list[list[Fragment]]]) -> bool:
    """True when the rules divide the text into rows and columns, and leave none to be found by its gaps."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    words = [sum(piece.last - piece.first for piece in cell) for row in rows for cell in row]
    if sum(map(bool, words)) < _FEWEST_CELLS or max(words) > _BIGGEST_CELL * sum(words):
        return False
    if sum(max(map(len, row)) for row in rows) > _LINES_A_ROW * len(rows):
        return False
    crowded = [[cell for cell in row if len(cell) > 1] for row in rows]
    beside = sum(any(len(line) > 1 for cell in row for line in rows_of(cell)) for row in crowded)
    return beside <= _UNDIVIDED * len(rows)


def _in_order(cell: list[Fragment]) -> tuple[Fragment, ...]:
    return tuple(fragment for row in rows_of(cell) for fragment in row) if len(cell) > 1 else tuple(cell)


def _cut(fragment: Fragment, xs: Sequence[float]) -> list[Fragment]:
    """A run of words over several cells cut where it passes a rule between two words."""
    page = fragment.page
    if bisect_right(xs, fragment.x0) == bisect_right(xs, fragment.x1):
        return [fragment]
    pieces: list[Fragment] = []
    first = fragment.first
    columns = [
        bisect_right(xs, (page.x0[word] + page.x1[word]) / 2) for word in range(fragment.first, fragment.last)
    ]
    for word in range(fragment.first + 1, fragment.last + 1):
        offset = word - fragment.first
        if word == fragment.last or columns[offset] != columns[offset - 1]:
            pieces.append(
                replace(
                    fragment,
                    first=first,
                    last=word,
                    x0=min(page.x0[first:word]),
                    x1=max(page.x1[first:word]),
                    letters=sum(map(len, page.texts[first:word])),
                )
            )
            first = word
    return pieces
