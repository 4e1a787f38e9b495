"""`findspot types`: which files are read, and how each type is cut unless somebody says otherwise.

Types that configuration has added or changed are marked: the service's row is not the one known without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from findspot.cli.output import Data, Json, out, print_json, reported
from findspot.client import connect_async
from findspot.document_types import DOCUMENT_TYPES
from findspot.rpc.peers.extraction import DocumentTypeRow


@reported
def types(data: Data = None, json_: Json = False) -> None:
    """List the types of files, with how each is read and cut; those that your settings added or changed are marked."""
    rows = asyncio.run(_rows(data))
    if json_:
        print_json({"document_types": [{**asdict(row), "configured": configured(row)} for row in rows]})
    else:
        _show([row for row in rows if row.readable])
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
    same = cut == (row.category, row.strategy, row.size, row.overlap, row.grammar)
    return (
        "" if same and named == (row.extensions, row.file_names, row.media_types, row.readable) else "changed"
    )


_KNOWN = {row.name: row for row in DOCUMENT_TYPES}


async def _rows(data: Path | None) -> tuple[DocumentTypeRow, ...]:
    async with connect_async(data) as client:
        return await client.document_types()


def _show(rows: Sequence[DocumentTypeRow]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("type", "strategy", "size", "overlap", "files"):
        table.add_column(
            column, justify="right" if column in ("size", "overlap") else "left", overflow="fold"
        )
    for row in rows:
        files = " ".join((*row.extensions, *row.file_names))
        mark = " *" if configured(row) else ""
        table.add_row(f"{row.name}{mark}", row.strategy, str(row.size), str(row.overlap), files)
    out.print(table)
