"""`findspot types`: which files are read, and how each type is cut unless somebody says otherwise.

Types that configuration has added or changed are marked: the service's row is not the one known without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from findspot.cli.output import Data, Json, out, print_json, reported
from findspot.client import connect_async
from findspot.document_types import DOCUMENT_TYPES
from findspot.rpc.peers.extraction import DocumentTypeRow

Stamps = Annotated[
    bool, typer.Option("--stamps", help="Show who reads each type, and the stamp that its documents get now.")
]


@reported
def types(stamps: Stamps = False, data: Data = None, json_: Json = False) -> None:
    """List the types of files, with how each is read and cut; those that your settings added or changed are marked."""
    rows = asyncio.run(_rows(data))
    if json_:
        print_json({"document_types": [{**asdict(row), "configured": configured(row)} for row in rows]})
    else:
        readable = [row for row in rows if row.readable]
        show_stamps(readable) if stamps else _show(readable)
        others = ", ".join(row.name for row in rows if not row.readable)
        out.print(f"[dim]recognised and not read: {others}[/]")
        if any(map(configured, rows)):
            out.print("[dim]* added or changed by document_types in the settings[/]")


def configured(row: DocumentTypeRow) -> str:
    """`added` or `changed` by configuration, or empty."""
    known = _KNOWN.get(row.name)
    if known is None:
        return "added"
    profile = known.profile
    cut = (profile.category, profile.strategy, profile.size, profile.overlap, profile.grammar)
    named = (known.extensions, known.file_names, known.media_types, known.readable)
    same = (
        cut == (row.category, row.strategy, row.size, row.overlap, row.grammar)
        and named == (row.extensions, row.file_names, row.media_types, row.readable)
        and usual_reader(row) == row.reader
    )
    return "" if same else "changed"


def usual_reader(row: DocumentTypeRow) -> str:
    """Who reads the type without configuration; empty for nobody, and for a type that configuration added."""
    known = _KNOWN.get(row.name)
    return known.reader.rpartition(".")[2] if known is not None else ""


_KNOWN = {row.name: row for row in DOCUMENT_TYPES}


async def _rows(data: Path | None) -> tuple[DocumentTypeRow, ...]:
    async with connect_async(data) as client:
        return await client.document_types()


def show_stamps(rows: Sequence[DocumentTypeRow]) -> None:
    """One line a type: who reads it, instead of whom, and the stamp."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("type", "read by", "stamp"):
        table.add_column(column, overflow="fold")
    for row in rows:
        usual = usual_reader(row)
        instead = f" * instead of {usual}" if usual != row.reader and row.name in _KNOWN else ""
        mark = " *" if row.name not in _KNOWN else ""
        table.add_row(f"{row.name}{mark}", f"{row.reader}{instead or ''}", row.extractor_stamp)
    out.print(table)


def _show(rows: Sequence[DocumentTypeRow]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("type", "strategy", "size", "overlap", "files"):
        table.add_column(
            column, justify="right" if column in ("size", "overlap") else "left", overflow="fold"
        )
    for row in rows:
        files = " ".join((*row.extensions, *row.file_names))
        mark = " *" if configured(row) else ""
        if row.name in _KNOWN and usual_reader(row) != row.reader:
            mark = f" * read by {row.reader}"
        table.add_row(f"{row.name}{mark}", row.strategy, str(row.size), str(row.overlap), files)
    out.print(table)
