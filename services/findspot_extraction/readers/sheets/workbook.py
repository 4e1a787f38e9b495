"""The sheets of a workbook of any kind, one after the other, each by the reader that it needs."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import python_calamine as calamine

from findspot.errors import InvalidArgument
from findspot_extraction.readers.reader import Source, corrupt, encrypted

from .grid import Grid, Merge, clear_covered, grid_of
from .parts import Extent, WorkbookParts
from .sparse import MOST_CELLS, SparseWorkbook

_EMPTY = Grid((), (), [])
_NO_EXTENT = Extent(0, 0, has_errors=False)
_BOF = struct.pack("<HH", 0x0809, 16)
_FILEPASS = 0x002F


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its cells, where they are merged, and why it could not be read, if so."""

    name: str
    hidden: bool
    grid: Grid = _EMPTY
    merges: tuple[Merge, ...] = ()
    extent: Extent = _NO_EXTENT
    problem: str = ""


class Workbook:
    """A file that calamine opens or, where it is damaged or very sparse, openpyxl."""

    def __init__(self, source: Source, parts: WorkbookParts | None) -> None:
        """Raises DOCUMENT_CORRUPT and DOCUMENT_ENCRYPTED."""
        self._data = source.data
        self._parts = parts
        self._book: Any = None
        try:
            self._book = _calm(lambda: calamine.load_workbook(io.BytesIO(source.data)))
        except InvalidArgument as problem:
            if _is_encrypted_xls(source.data):
                raise encrypted("The workbook is encrypted: save it without a password.") from problem
            if parts is None or not parts.sheets:
                raise
            # Damaged, but not beyond what another program may open.
            self._sparse.sheets()

    @cached_property
    def _sparse(self) -> SparseWorkbook:
        return SparseWorkbook(self._data)

    def sheets(self) -> Iterator[Sheet]:
        """Every sheet in the order of the workbook. One that cannot be read says so and is empty."""
        if self._book is None:
            for name, hidden in self._sparse.sheets():
                yield self._read(name, hidden, _NO_EXTENT, dense=False)
            return
        for entry in self._book.sheets_metadata:
            hidden = entry.visible != calamine.SheetVisibleEnum.Visible
            if entry.typ in (calamine.SheetTypeEnum.ChartSheet, calamine.SheetTypeEnum.Vba):
                yield Sheet(entry.name, hidden, problem="it is a chart or a module, not cells")
                continue
            extent = _NO_EXTENT
            if self._parts is not None:
                extent = self._parts.extent(entry.name)
            yield self._read(entry.name, hidden, extent, dense=extent.rows * extent.columns <= MOST_CELLS)

    def _read(self, name: str, hidden: bool, extent: Extent, *, dense: bool) -> Sheet:
        try:
            if not dense:
                return Sheet(name, hidden, self._sparse.grid(name), extent=extent)
            return self._dense(name, hidden, extent)
        except InvalidArgument as problem:
            return Sheet(name, hidden, extent=extent, problem=problem.message)

    def _dense(self, name: str, hidden: bool, extent: Extent) -> Sheet:
        sheet: Any = _calm(lambda: self._book.get_sheet_by_name(name))
        if sheet.start is None:
            return Sheet(name, hidden, extent=extent)
        errors = self._parts.errors(name) if self._parts is not None and extent.has_errors else {}
        columns = range(sheet.start[1], sheet.end[1] + 1)
        grid = grid_of(enumerate(sheet.iter_rows()), columns, errors)
        merges = tuple(sheet.merged_cell_ranges or ())
        clear_covered(grid, merges)
        return Sheet(name, hidden, grid, merges, extent)


def _calm(read: Any) -> Any:
    """Call calamine; a panic of its code is damage too."""
    try:
        return read()
    except calamine.PasswordError as problem:
        raise encrypted("The workbook is encrypted: save it without a password.") from problem
    except calamine.CalamineError as problem:
        _refuse(problem)
    except BaseException as problem:
        if type(problem).__name__ != "PanicException":
            raise
        _refuse(problem)


def _refuse(problem: BaseException) -> NoReturn:
    raise corrupt(f"The workbook is damaged: {problem}.") from problem


def _is_encrypted_xls(data: bytes) -> bool:
    """True when a record near the start of the workbook stream says so."""
    position = data.find(_BOF)
    for _ in range(8):
        if not 0 <= position <= len(data) - 4:
            return False
        kind, length = struct.unpack_from("<HH", data, position)
        if kind == _FILEPASS:
            return True
        position += 4 + length
    return False
