"""Clients that upload, edit and delete the same paths as fast as they are answered."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from findspot.client import AsyncClient, requests
from findspot.client.requests import At, Upload
from findspot.errors import Aborted, FindspotError, NotFound, ResourceExhausted
from findspot.v1 import indexing_pb2
from tests.crash.documents import written
from tests.race.history import Ending, Write
from tests.stub_calls import answered, call

COLLECTION = "race/shared"
PATHS = tuple(f"shared{number:02d}.txt" for number in range(50))
CLIENTS = 8
CALL_SECONDS = 30.0
CONFLICTS = (Aborted, NotFound, ResourceExhausted)
"""Refusals that clients of the same path have to expect."""


@dataclass
class Record:
    """All that was done, and every answer that nobody should get."""

    writes: list[Write] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    """Reasons of the conflicts."""
    faults: list[str] = field(default_factory=list)


async def work(client: AsyncClient, chance: random.Random, until: float, record: Record) -> None:
    """One client, until that time."""
    while time.monotonic() < until:
        path = chance.choice(PATHS)
        await chance.choices((_upload, _edit, _delete), (5, 3, 2))[0](client, chance, path, record)


async def _upload(client: AsyncClient, chance: random.Random, path: str, record: Record) -> None:
    version = written(chance)
    upload = Upload(COLLECTION, path, version.text.encode())
    await _write(record, path, version, lambda: client.upload(upload, timeout=CALL_SECONDS))


async def _edit(client: AsyncClient, chance: random.Random, path: str, record: Record) -> None:
    """Reads at which generation the document is, and writes only if nobody else has written since."""
    try:
        document = await client.document(At(COLLECTION, path), timeout=CALL_SECONDS)
    except NotFound:
        return
    except FindspotError as failure:
        record.faults.append(f"reading {path}: {failure.reason} {failure.message}")
        return
    version = written(chance)
    messages = list(requests.upload_messages(Upload(COLLECTION, path, version.text.encode())))
    messages[0].header.if_generation = document.generation
    await _write(
        record,
        path,
        version,
        lambda: answered(client.indexing.UploadDocument(iter(messages), timeout=CALL_SECONDS)),
        over=document.generation,
    )


async def _delete(client: AsyncClient, chance: random.Random, path: str, record: Record) -> None:
    named = indexing_pb2.DeleteDocumentRequest(name=requests.document_name(At(COLLECTION, path)))
    await _write(record, path, None, lambda: call(client.indexing.DeleteDocument, named, CALL_SECONDS))


async def _write(
    record: Record,
    path: str,
    version: Any,
    ask: Callable[[], Awaitable[Any]],
    over: int | None = None,
) -> None:
    began = time.monotonic()
    ending = Ending.DONE
    try:
        await ask()
    except CONFLICTS as conflict:
        ending = Ending.REFUSED
        record.refusals.append(conflict.reason)
        if isinstance(conflict, ResourceExhausted):
            await asyncio.sleep(conflict.retry_after or 0)
    except FindspotError as failure:
        ending = Ending.OPEN
        record.faults.append(f"writing {path}: {failure.reason} {failure.message}")
    record.writes.append(Write(path, version, began, time.monotonic(), ending, over))
