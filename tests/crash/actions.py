"""What clients do while processes are killed: each action is one function that chooses, calls, and notes the answer."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from findspot.client import AsyncClient, requests
from findspot.client.requests import At, Upload
from findspot.errors import Cancelled, DeadlineExceeded, FindspotError, NotFound, Unavailable
from findspot.v1 import indexing_pb2
from tests.crash.book import Book
from tests.crash.documents import Version, edited, written
from tests.crash.folder import Folder
from tests.stub_calls import call

COLLECTION = "crash/sent"
MOST_DOCUMENTS = 30
CALL_SECONDS = 20.0
LOST = (Unavailable, DeadlineExceeded, Cancelled)
"""Failures of a call that leave it open whether it was done."""


@dataclass
class Round:
    """One kill and what was going on: its own random numbers, so that it can be run again alone."""

    number: int
    chance: random.Random
    client: AsyncClient
    book: Book
    folder: Folder
    taken: set[str] = field(default_factory=set)
    """Paths that an action of this round has already chosen: what is done to one path is done in order."""
    log: list[str] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)
    """(action, how it ended) of every call."""
    faults: list[str] = field(default_factory=list)
    again: list[Callable[[], Awaitable[object]]] = field(default_factory=list)
    """Calls without an answer, to be made again with the same request id."""

    def request_id(self) -> str:
        """A UUID that is the same whenever this round is run."""
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def choose(self, paths: list[str]) -> str | None:
        """One of these paths that no other action of this round works on."""
        free = sorted(set(paths) - self.taken)
        if not free:
            return None
        path = self.chance.choice(free)
        self.taken.add(path)
        return path

    async def send(
        self, action: str, path: str, version: Version | None, ask: Callable[[], Awaitable[Any]]
    ) -> bool:
        """Makes a call that leaves `version` at `path`; True when it was answered."""
        try:
            await ask()
        except LOST as failure:
            self._note(action, "unanswered", f"{path}: {type(failure).__name__} {failure.message[:60]}")
            self.book.unanswered(path, version)
            self.again.append(partial(self._insist, action, path, version, ask))
            return False
        except FindspotError as failure:
            if isinstance(failure, NotFound) and version is None and None in self.book.of(path).allowed():
                self._note(action, "acknowledged", f"{path} was not there")
                self.book.acknowledged(path, None)
                return True
            self._note(action, "refused", f"{path}: {type(failure).__name__} {failure.message}")
            self.faults.append(f"{action} {path} was refused: {failure.reason} {failure.message}")
            self.book.unanswered(path, version)
            return False
        self._note(action, "acknowledged", path)
        self.book.acknowledged(path, version)
        return True

    async def _insist(
        self, action: str, path: str, version: Version | None, ask: Callable[[], Awaitable[Any]]
    ) -> None:
        async with asyncio.timeout(CALL_SECONDS):
            while True:
                try:
                    await ask()
                except Unavailable:
                    await asyncio.sleep(
                        0.05
                    )  # As clients do: the connection waits a moment after a failure too.
                    continue
                except NotFound:
                    if version is not None:
                        raise
                break
        self._note(action, "made again", path)
        self.book.acknowledged(path, version)

    async def ask(self, action: str, what: str, ask: Callable[[], Awaitable[Any]]) -> bool:
        """Makes a call that changes no document."""
        try:
            await ask()
        except LOST as failure:
            self._note(action, "unanswered", f"{what}: {type(failure).__name__} {failure.message[:60]}")
            return False
        except FindspotError as failure:
            self._note(action, "refused", f"{what}: {type(failure).__name__} {failure.message}")
            self.faults.append(f"{action} {what} was refused: {failure.reason} {failure.message}")
            return False
        self._note(action, "acknowledged", what)
        return True

    def _note(self, action: str, ending: str, what: str) -> None:
        self.answers.append((action, ending))
        self.log.append(f"{action} {ending}: {what}")


Action = Callable[[Round], Awaitable[None]]


async def add(run: Round) -> None:
    """A new document; an edit once there are enough."""
    free = [f"doc{number:02d}.txt" for number in range(MOST_DOCUMENTS)]
    path = run.choose(sorted(set(free) & {*run.book.absent(), *(set(free) - run.book.entries.keys())}))
    if path is None:
        await edit(run)
        return
    await _put(run, "add", path, written(run.chance))


async def edit(run: Round) -> None:
    """Another version of a document."""
    path = run.choose(run.book.present())
    if path is not None:
        before = run.book.of(path).certain
        assert before is not None
        await _put(run, "edit", path, edited(before, run.chance))


async def put_back(run: Round) -> None:
    """A former version of a document, whose vectors are stored."""
    path = run.choose([path for path, entry in sorted(run.book.entries.items()) if entry.former])
    if path is not None:
        await _put(run, "put back", path, run.chance.choice(run.book.of(path).former))


async def delete(run: Round) -> None:
    """A document is deleted."""
    path = run.choose(run.book.present())
    if path is not None:
        await _delete(run, "delete", path)


async def purge(run: Round) -> None:
    """A document is erased, present or deleted."""
    path = run.choose([path for path, entry in run.book.entries.items() if entry.certain or entry.former])
    if path is not None:
        named = indexing_pb2.PurgeDocumentRequest(name=_name(path))
        await run.send("purge", path, None, lambda: call(run.client.indexing.PurgeDocument, named))


async def move(run: Round) -> None:
    """A document under another path: sent there, then deleted here, as a client without a directory does it."""
    old = run.choose(run.book.present())
    new = run.choose(run.book.absent()) if old is not None else None
    if old is not None and new is not None:
        version = run.book.of(old).certain
        assert version is not None
        if await _put(run, "move", new, version):
            await _delete(run, "move", old)


async def sync(run: Round) -> None:
    """Files of a directory are made, edited, renamed and removed, and its collection is brought in line."""
    if "folder" in run.taken:
        return
    run.taken.add("folder")
    changes = [run.folder.change(run.chance) for _ in range(run.chance.randint(1, 3))]
    await run.ask("sync", ", ".join(changes), lambda: run.folder.sync(run.client))


async def reindex(run: Round) -> None:
    """Everything is made anew from a stage on."""
    stage = run.chance.choice(("EXTRACT", "CHUNK", "EMBED"))
    request = indexing_pb2.ReindexRequest(subtree=COLLECTION, from_stage=f"REINDEX_STAGE_{stage}", force=True)
    await run.ask("reindex", stage, lambda: call(run.client.indexing.Reindex, request))


async def activate(run: Round) -> None:
    """Queries shall be answered with the other model, both of which are loaded."""
    other = await _other_identity(run)
    if other is not None and other.loaded and "identity" not in run.taken:
        run.taken.add("identity")
        request = indexing_pb2.ActivateIdentityRequest(identity=other.identity.key)
        await run.ask(
            "activate", other.identity.display, lambda: call(run.client.indexing.ActivateIdentity, request)
        )


async def drop(run: Round) -> None:
    """The vectors of the model that does not serve are removed."""
    other = await _other_identity(run)
    if (
        other is not None
        and other.state == indexing_pb2.IDENTITY_STATE_RETIRED
        and "identity" not in run.taken
    ):
        run.taken.add("identity")
        request = indexing_pb2.DropIdentityRequest(identity=other.identity.key)
        await run.ask("drop", other.identity.display, lambda: call(run.client.indexing.DropIdentity, request))


async def _other_identity(run: Round) -> indexing_pb2.IdentityStatus | None:
    try:
        identities = (await run.client.status()).identities
    except LOST:
        return None
    return next((one for one in identities if one.state != indexing_pb2.IDENTITY_STATE_ACTIVE), None)


async def _put(run: Round, action: str, path: str, version: Version) -> bool:
    upload = Upload(COLLECTION, path, version.text.encode(), request_id=run.request_id())
    return await run.send(action, path, version, lambda: run.client.upload(upload, timeout=CALL_SECONDS))


async def _delete(run: Round, action: str, path: str) -> bool:
    named = indexing_pb2.DeleteDocumentRequest(name=_name(path), request_id=run.request_id())
    return await run.send(action, path, None, lambda: call(run.client.indexing.DeleteDocument, named))


def _name(path: str) -> indexing_pb2.DocumentName:
    return requests.document_name(At(COLLECTION, path))


ACTIONS: dict[str, tuple[int, Action]] = {
    "add": (6, add),
    "edit": (6, edit),
    "put back": (2, put_back),
    "delete": (2, delete),
    "purge": (1, purge),
    "move": (2, move),
    "sync": (4, sync),
    "reindex": (1, reindex),
    "activate": (1, activate),
    "drop": (1, drop),
}
"""Each with its weight."""
