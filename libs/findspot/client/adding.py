"""Adds many files: only those the suite lacks, several at a time, and one refusal never stops the others."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from findspot.client.files import LocalFile, Problem, sha256_of
from findspot.client.reconnect import Reconnecting
from findspot.client.requests import Upload, reason_of
from findspot.errors import (
    Aborted,
    DataLoss,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
)
from findspot.v1 import indexing_pb2

AT_A_TIME = 4
CHECK_BATCH = 1000
REFUSALS = (InvalidArgument, NotFound, FailedPrecondition, ResourceExhausted, Aborted, DataLoss)
"""Failures of one file; anything else is a failure of the suite and ends the whole."""


@dataclass
class Added:
    """How the files fared."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    documents: dict[str, str] = field(default_factory=dict)
    """Document id by file path, of the files that were sent."""
    failed_before: set[str] = field(default_factory=set)
    """Paths of unchanged files that the suite could not index when they came; `force` tries them again."""
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class Batch:
    """Where files go, and who is told."""

    connection: Reconnecting
    collection: str
    force: bool
    step: Callable[[LocalFile], None]
    """Called after each file, whatever became of it."""


async def add_files(batch: Batch, files: Sequence[LocalFile]) -> Added:
    """Adds files to a collection; unchanged ones are not sent unless `force` says so."""
    added = Added()
    for start in range(0, len(files), CHECK_BATCH):
        needed = await _needed(batch, files[start : start + CHECK_BATCH], added)
        slots = asyncio.Semaphore(AT_A_TIME)
        async with asyncio.TaskGroup() as group:
            for file, need in needed:
                group.create_task(_send(batch, file, need, added, slots))
    return added


async def _needed(batch: Batch, files: Sequence[LocalFile], added: Added) -> list[tuple[LocalFile, int]]:
    hashed = await asyncio.to_thread(_hash_all, files, added)
    pairs = [(file.file_path, digest) for file, digest in hashed]
    answer = await batch.connection.call(lambda client: client.check(batch.collection, pairs))
    needed: list[tuple[LocalFile, int]] = []
    for (file, _), check in zip(hashed, answer.files, strict=True):
        if check.need == indexing_pb2.UPLOAD_NEED_REFUSED:
            added.problems.append(Problem(file.file_path, reason_of(check.failure), check.failure.message))
            batch.step(file)
        elif check.need == indexing_pb2.UPLOAD_NEED_UNCHANGED and not batch.force:
            added.unchanged += 1
            if check.state == indexing_pb2.DOCUMENT_STATE_FAILED:
                added.failed_before.add(file.file_path)
            batch.step(file)
        else:
            needed.append((file, check.need))
    return needed


def _hash_all(files: Sequence[LocalFile], added: Added) -> list[tuple[LocalFile, str]]:
    hashed = []
    for file in files:
        try:
            hashed.append((file, sha256_of(file.source)))
        except OSError as error:
            added.problems.append(Problem(file.file_path, "SOURCE_UNREADABLE", error.strerror or str(error)))
    return hashed


async def _send(batch: Batch, file: LocalFile, need: int, added: Added, slots: asyncio.Semaphore) -> None:
    async with slots:
        try:
            data = await asyncio.to_thread(file.source.read_bytes)
            upload = Upload(
                batch.collection,
                file.file_path,
                data,
                modified=file.modified,
                force=batch.force,
                request_id=str(uuid.uuid4()),
            )
            answer = await batch.connection.call(lambda client: client.upload(upload))
        except OSError as error:
            added.problems.append(Problem(file.file_path, "SOURCE_UNREADABLE", error.strerror or str(error)))
        except REFUSALS as error:
            added.problems.append(Problem(file.file_path, error.reason.value, error.message))
        else:
            added.documents[file.file_path] = answer.document.document_id
            added.unchanged += answer.unchanged
            added.new += not answer.unchanged and need != indexing_pb2.UPLOAD_NEED_CHANGED
            added.changed += not answer.unchanged and need == indexing_pb2.UPLOAD_NEED_CHANGED
        batch.step(file)
