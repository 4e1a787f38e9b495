"""Answers of a worker as bytes: pickle, with tables packed as flat arrays, which is several times faster."""

from __future__ import annotations

import io
import pickle
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

from findspot.model import Block, Span, Table, TableRow


def dumps(answer: object) -> bytes:
    """Bytes for `loads`, in a process of the same version."""
    buffer = io.BytesIO()
    _Packer(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(answer)
    return buffer.getvalue()


def loads(data: bytes) -> Any:
    """What `dumps` was given. Only for bytes of our own worker: unpickling runs what it is told to."""
    return pickle.loads(data)


class _Packer(pickle.Pickler):
    def reducer_override(self, obj: object) -> Any:
        """Blocks by their constructor, tables as columns of numbers; everything else as pickle does it."""
        if type(obj) is Block:
            return Block, (
                *(obj.kind, obj.start, obj.end, obj.level, obj.title),
                *(obj.language, obj.symbol_path, obj.page, obj.table),
            )
        if type(obj) is Table:
            stated = (obj.columns, obj.header_rows, obj.caption, obj.continues, obj.first_row)
            return _table, (*stated, *_columns(obj.rows))
        return NotImplemented


def _columns(rows: tuple[TableRow, ...]) -> tuple[array[int], array[int]]:
    """Start, end and number of cells of every row; then start and end of every cell."""
    bounds, cells = array("I"), array("I")
    for row in rows:
        bounds.extend((row.start, row.end, len(row.cells)))
        for cell in row.cells:
            cells.append(cell.start)
            cells.append(cell.end)
    return bounds, cells


def _table(
    columns: tuple[str, ...],
    header_rows: int,
    caption: str,
    continues: bool,
    first_row: int,
    bounds: array[int],
    cells: array[int],
) -> Table:
    return Table(columns, tuple(_rows(bounds, cells)), header_rows, caption, continues, first_row)


def _rows(bounds: array[int], cells: array[int]) -> Iterator[TableRow]:
    spans = map(Span, cells[0::2], cells[1::2])
    for start, end, count in zip(bounds[0::3], bounds[1::3], bounds[2::3], strict=True):
        yield TableRow(start, end, tuple(islice(spans, count)))
