"""Whether each part answers, and rightly: extraction, chunking, the embedding provider, the disk."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable
from pathlib import Path

import numpy as np

from findspot.errors import FindspotError, Reason
from findspot.model import EmbeddingIdentity, InputType
from findspot.stores.manifest import embeddings
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.ports import EmbeddedBatch
from findspot_indexing.service import Indexing

_SECONDS = 10.0
_SAMPLE = "Findspot asks whether the embedding provider answers."
_LITTLE_SPACE = 1024**3
_NO_SPACE = 100 * 1024**2


async def check_parts(indexing: Indexing) -> list[Check]:
    """Extraction, chunking and embedding, asked at the same time; then the disk."""
    checks = await asyncio.gather(
        _answers(
            "extraction.reachable",
            indexing.extractor.document_types(timeout=_SECONDS),
            "Files cannot be read until it is back: `findspot up` starts it.",
        ),
        _answers(
            "chunking.reachable",
            indexing.chunker.profiles(timeout=_SECONDS),
            "Texts cannot be cut until it is back: `findspot up` starts it.",
        ),
        _provider(indexing),
    )
    return [check for check in (*checks, await _disk(indexing)) if check is not None]


async def _answers(name: str, call: Awaitable[object], remedy: str) -> Check:
    try:
        await call
    except FindspotError as failure:
        return Check(name, Outcome.FAILED, f"{failure.message} {remedy}")
    return Check(name, Outcome.OK, "It answers.")


async def _provider(indexing: Indexing) -> Check | None:
    """Embeds one text by the model that serves; nothing is said where there is none: another check says that."""
    name = "embedding.request"
    active = await indexing.manifest.read(embeddings.active)
    try:
        identity = active or await indexing.embedder.active_identity()
        answer = await indexing.embedder.embed([_SAMPLE], InputType.DOCUMENT, identity.key, timeout=_SECONDS)
    except FindspotError as failure:
        if failure.reason in (Reason.SEARCH_NOT_PERFORMED, Reason.EMBEDDING_IDENTITY_NOT_LOADED):
            return None
        return Check(name, Outcome.FAILED, f"One text could not be embedded: {failure.message}")
    problem = _problem_of(answer, identity)
    if problem:
        remedy = "Look at the embedding service's `model`, and at what its endpoint answers."
        return Check(name, Outcome.FAILED, f"One text was embedded wrongly: {problem}. {remedy}")
    said = f"One text was embedded with {identity.display}: {identity.dimension} finite numbers."
    return Check(name, Outcome.OK, said)


def _problem_of(answer: EmbeddedBatch, identity: EmbeddingIdentity) -> str:
    """What is wrong with the vector of one text; empty when nothing is."""
    if answer.failures:
        return f"it was refused ({answer.failures[0].reason.value}: {answer.failures[0].message})"
    if answer.identity.key != identity.key:
        return f"{answer.identity.display} answered, asked was {identity.display}"
    count, *rest = answer.vectors.shape
    if count != 1 or rest != [identity.dimension]:
        return f"asked were 1 vector of {identity.dimension} numbers, answered {answer.vectors.shape}"
    vector = answer.vectors[0]
    if not np.isfinite(vector).all():
        return "its vector holds numbers that are not finite"
    length = float(np.linalg.norm(vector))
    if length == 0:
        return "its vector is all zeros"
    return ""


async def _disk(indexing: Indexing) -> Check:
    name = "disk.space"
    folder = indexing.text.index.directory if indexing.membership.owner else Path(indexing.own_data)
    try:
        usage = await indexing.in_thread(shutil.disk_usage, folder)
    except OSError as error:
        return Check(name, Outcome.FAILED, f"{folder} cannot be looked at: {error.strerror or error}.")
    free = f"{usage.free / 1024**3:.1f} GiB of {usage.total / 1024**3:.1f} GiB are free where {folder} is"
    if usage.free < _NO_SPACE:
        return Check(name, Outcome.FAILED, f"{free}: nothing can be indexed soon. Make room on this disk.")
    if usage.free < _LITTLE_SPACE:
        said = f"{free}. Make room before it is full: rebuilding an index needs its size once more."
        return Check(name, Outcome.WARNING, said)
    return Check(name, Outcome.OK, f"{free}.")
