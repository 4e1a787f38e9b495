"""One record on a running suite: its collection, what each of its steps came to, and how long to wait for the index."""

from __future__ import annotations

import asyncio
import os
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from findspot.client import AsyncClient, connect_async, requests
from findspot.client.requests import At, Upload
from findspot.errors import FindspotError, ResourceExhausted
from findspot.v1 import indexing_pb2, query_pb2
from tests.conformance.notation import File
from tests.e2e.suite_process import Suite
from tests.stub_calls import answered

SETTLE_SECONDS = 300.0
BUSY_TRIES = 50
Answer = TypeVar("Answer")


class Unknown(Exception):
    """A verb, an option or a description that this runner does not know: a miss by name, never passed over."""


@dataclass
class Done:
    """What one step came to."""

    verb: str
    step: Mapping[str, Any]
    names: list[str] = field(default_factory=list)
    """Files that it was about."""
    answers: dict[str, query_pb2.SearchResponse] = field(default_factory=dict)
    """By mode; the one that was asked for is also under "asked"."""
    failures: list[FindspotError] = field(default_factory=list)
    walked: list[query_pb2.GetChunkResponse] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    """What the answer says aloud that was not done."""


@dataclass
class Case:
    """A record while it runs."""

    suite: Suite
    client: AsyncClient
    collection: str
    done: list[Done] = field(default_factory=list)
    deleted: set[str] = field(default_factory=set)
    """Files that a step deleted and none put again."""
    main_verb: str = ""
    """What the record is about: the verb of its last step."""
    every_search: bool = False
    """Checks are about all searches, not about the last one."""
    outside: dict[Path, float | None] = field(default_factory=dict)
    """Places outside the data folder that names of the record might point at, with the time of their last change."""

    def plan(self, steps: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Looks, before the first step, at the places that names might point at."""
        for verb, step in steps:
            self.main_verb = verb
            name = step.get(verb)
            if isinstance(name, str) and name and "\0" not in name:
                roots = (self.suite.data, *self.suite.data.iterdir(), Path.cwd())
                places = {Path(os.path.normpath(root / name)) for root in roots}
                outside = [place for place in places if not place.is_relative_to(self.suite.data)]
                self.outside |= {place: last_change(place) for place in outside}
        home = self.suite.data.parents[3]
        self.outside |= {
            place: last_change(place) for place in self.suite.data.parents if place != home.parent
        }

    def at(self, name: str, index: int = 0) -> At:
        """A file of this record, or a chunk of it."""
        return At(self.collection, name, index)

    async def attempt(self, done: Done, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """An answer, or None with the failure noted. Calls refused with a time to wait are made again, as told."""
        for _ in range(BUSY_TRIES):
            try:
                return await ask()
            except ResourceExhausted as busy:
                if busy.retry_after is None:
                    done.failures.append(busy)
                    return None
                await asyncio.sleep(busy.retry_after)
            except FindspotError as failure:
                done.failures.append(failure)
                return None
        done.failures.append(ResourceExhausted(f"refused {BUSY_TRIES} times in a row"))
        return None

    async def put(self, done: Done, file: File) -> None:
        """Uploads one file; it is acknowledged when this returns without a failure."""
        done.names.append(file.name)
        upload = Upload(self.collection, file.name, file.data, metadata=file.metadata)
        if await self.attempt(done, lambda: self.client.upload(upload)) is not None:
            self.deleted.discard(nfc(file.name))

    async def settle(self) -> None:
        """Returns once nothing of this record waits; FindspotError or TimeoutError when that does not come."""
        if not await self.known():
            return
        async with asyncio.timeout(SETTLE_SECONDS):
            async for _ in self.client.watch(self.collection, until_idle=True):
                pass

    async def known(self) -> bool:
        """True once a step made the collection."""
        status = await self.client.status()
        listed = await self.client.status(self.collection) if status.collection_count else None
        return listed is not None and listed.collection_count > 0

    async def chunks(self) -> AsyncIterator[query_pb2.Chunk]:
        """Every chunk of the record that can be found."""
        for document in await self._documents():
            request = query_pb2.ListChunksRequest(document_id=document.document_id, page_size=200)
            while True:
                page = await answered(self.client.query.ListChunks(request))
                for chunk in page.chunks:
                    yield chunk
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token

    async def clear(self) -> None:
        """Deletes every document, so that the records that come next do not wait for the work of this one."""
        for document in await self._documents():
            name = requests.document_name(document.document_id)
            await answered(self.client.indexing.DeleteDocument(indexing_pb2.DeleteDocumentRequest(name=name)))

    async def _documents(self) -> list[indexing_pb2.Document]:
        request = indexing_pb2.ListDocumentsRequest(subtree=self.collection, page_size=1000)
        found: list[indexing_pb2.Document] = []
        while True:
            page = await answered(self.client.indexing.ListDocuments(request))
            found.extend(page.documents)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def reconnect(self) -> None:
        """After the suite was started again."""
        await self.client.close()
        self.client = connect_async(self.suite.data)


def last_change(place: Path) -> float | None:
    """When a place was last written to; None when nothing is there."""
    try:
        return os.stat(place).st_mtime
    except (OSError, ValueError):  # ValueError: no path of this system at all.
        return None


def nfc(name: str) -> str:
    """A name as the index spells it."""
    return unicodedata.normalize("NFC", name)
