"""The second reader of Office Open XML workbooks: for damaged ones, and for cells that lie very far apart."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from typing import Any

import openpyxl  # type: ignore[import-untyped]

from findspot_extraction.readers.reader import corrupt, too_large

from .grid import Grid, grid_of
from .values import Value

LAST_ROW = 1_048_576
MOST_CELLS = 20_000_000
"""Cells of one sheet, empty ones between others included."""


class SparseWorkbook:
    """Reads rows one by one; what lies between costs nothing. Several times slower than calamine."""

    def __init__(self, data: bytes) -> None:
        """Raises DOCUMENT_CORRUPT."""
        self._book: Any = _guarded(
            lambda: openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        )
        self._sheets = {sheet.title: sheet for sheet in self._book.worksheets}

    def sheets(self) -> list[tuple[str, bool]]:
        """The name of every sheet, and whether it is hidden."""
        return [(name, sheet.sheet_state != "visible") for name, sheet in self._sheets.items()]

    def grid(self, name: str) -> Grid:
        """The cells of one sheet. Raises DOCUMENT_CORRUPT and DOCUMENT_TOO_LARGE."""
        sheet = self._sheets.get(name)
        if sheet is None:
            raise corrupt(f"The workbook holds no sheet {name!r}.")
        rows: dict[int, dict[int, Value]] = _guarded(lambda: dict(_rows(sheet)))
        columns = sorted({column for row in rows.values() for column in row})
        if len(rows) * len(columns) > MOST_CELLS:
            raise too_large(
                f"Sheet {name!r} spreads over {len(rows):,} rows and {len(columns):,} columns; "
                f"the limit is {MOST_CELLS:,} cells. Split it.",
                limit=str(MOST_CELLS),
            )
        filled = ((number, [row.get(column, "") for column in columns]) for number, row in rows.items())
        return grid_of(filled, columns, {})


def _rows(sheet: Any) -> Iterator[tuple[int, dict[int, Value]]]:
    # What the file states about its size may be wrong, and would pad every row.
    sheet.reset_dimensions()
    for number, row in enumerate(sheet.iter_rows(values_only=True)):
        if number >= LAST_ROW:
            raise corrupt(f"A sheet has more than {LAST_ROW:,} rows.")
        found = _filled(row)
        if found:
            yield number, found


def _filled(row: Sequence[object]) -> dict[int, Value]:
    return {
        column: value if isinstance(value, str | int | float | date | time | timedelta) else str(value)
        for column, value in enumerate(row)
        if value is not None and value != ""
    }


def _guarded(read: Any) -> Any:
    with warnings.catch_warnings():
        # Missing styles and unknown extensions: nothing that a reader of cells needs.
        warnings.simplefilter("ignore")
        try:
            return read()
        except (MemoryError, type(corrupt(""))):
            raise
        except Exception as problem:
            # The library meets damage with whatever its code runs into: keys, types, values, XML.
            what = f"{type(problem).__name__}: {problem}"[:300]
            raise corrupt(f"The workbook cannot be read: {what}.") from problem
