"""`findspot types`: which files are read, and how each type is cut unless somebody says otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from findspot.cli.output import Data, Json, out, print_json, reported
from findspot.client import connect_async
from findspot.rpc.peers.extraction import DocumentTypeRow


@reported
def types(data: Data = None, json_: Json = False) -> None:
    """List the types of files, with how each is read and cut."""
    rows = asyncio.run(_rows(data))
    if json_:
        print_json({"document_types": [asdict(row) for row in rows]})
    else:
        _show([row for row in rows if row.readable])
        others = ", ".join(row.name for row in rows if not row.readable)
        out.print(f"[dim]recognised and not read: {others}[/]")


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
        table.add_row(row.name, row.strategy, str(row.size), str(row.overlap), files)
    out.print(table)
