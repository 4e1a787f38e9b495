"""The bars of `findspot add` follow the indexing while files are sent, and never decide what becomes of the files."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from rich.console import Console

from findspot.cli.add import _shown_meanwhile
from findspot.cli.bars import Bars
from findspot.errors import Unavailable
from findspot.v1 import indexing_pb2


class Suite:
    """A suite that tells one event and then goes on, or fails."""

    def __init__(self, *, fails: bool) -> None:
        self.told = asyncio.Event()
        self._fails = fails

    async def call(self, ask: Callable[[Any], Awaitable[None]]) -> None:
        await ask(self)

    async def watch(self, subtree: str) -> AsyncIterator[indexing_pb2.WatchIndexingResponse]:
        yield indexing_pb2.WatchIndexingResponse(document_count=4, pending_document_count=3)
        self.told.set()
        if self._fails:
            raise Unavailable("gone")
        await asyncio.Event().wait()


@pytest.mark.parametrize("fails", [False, True])
async def test_documents_that_were_read_show_while_others_are_sent(fails: bool) -> None:
    suite = Suite(fails=fails)
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Bars(console, 9, quiet=False) as bars:
        async with _shown_meanwhile(suite, "notes", bars):  # type: ignore[arg-type]
            await suite.told.wait()
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "documents read" in shown
    assert "1/4" in shown
