"""One batch of vectors: claimed across documents, looked up, made, stored, projected, marked ready."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from findspot.errors import FindspotError, Internal, Reason
from findspot.model import EmbeddingIdentity, InputType
from findspot.payload import embedded_text
from findspot.stores.manifest import chunks, claims, embeddings, identities, vectors
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.embeddings import Vector
from findspot.stores.manifest.made_with import HOPELESS
from findspot.stores.manifest.vectors import VectorWork
from findspot.stores.vectors.model import VectorPoint
from findspot.stores.vectors.names import collection_name
from findspot_indexing.embed.cutting import cut_again
from findspot_indexing.embed.recipe import payload
from findspot_indexing.outages import PartAway, backoff
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Batch:
    """Claimed chunks, and the vectors that were stored already, by embed hash."""

    identity: EmbeddingIdentity
    owner: str
    work: Sequence[VectorWork]
    known: Mapping[str, Vector]


@dataclass(frozen=True, slots=True)
class NoVector:
    """Why a chunk got no vector this time."""

    reason: Reason
    message: str


async def claim(indexing: Indexing, identity: EmbeddingIdentity, owner: str) -> Batch:
    """Claim the chunks that have waited longest; the batch is empty when none waits."""
    now = indexing.clock()
    lease = int(indexing.limits.lease_seconds * SECOND)

    def write(connection: Connection) -> Batch:
        work = vectors.claim(connection, identity.key, owner, now, lease, indexing.limits.embed_batch)
        hashes = [item.embed_hash for item in work]
        known = embeddings.look_up(connection, identity.key, hashes, now) if hashes else {}
        return Batch(identity, owner, work, known)

    return await indexing.manifest.write(write)


async def embed(indexing: Indexing, batch: Batch) -> None:
    """Give each chunk of a batch its vector. One that gets none is tried again later, or given up.

    Raises PartAway when a whole part is away: then the chunks are given back and no try is counted.
    """
    try:
        made, failed = await _make_missing(indexing, batch)
        found = {**batch.known, **made}
        done = [item for item in batch.work if item.embed_hash in found]
        if made and not await indexing.manifest.write(lambda c: _store(c, batch, made, indexing.clock())):
            log.info("%s was dropped while a batch of it was made.", batch.identity.display)
            ids = [item.chunk_id for item in batch.work]
            await indexing.manifest.write(
                lambda c: vectors.release(c, batch.identity.key, batch.owner, ids, indexing.clock())
            )
            return
        await _project(indexing, batch, done, found)
        await _mark(indexing, batch, done, failed)
    except FindspotError as failure:
        await _give_back(indexing, batch, failure)
        raise
    except Exception as error:
        await _give_back(indexing, batch, Internal(f"{type(error).__name__}: {error}"))
        raise


def _store(connection: Connection, batch: Batch, made: Mapping[str, Vector], now: int) -> bool:
    """False when the identity is being dropped: what was stored now nobody would ever remove."""
    if not identities.is_known(connection, batch.identity.key):
        return False
    # A document may have been purged meanwhile: its vectors would stay for ever.
    wanted = vectors.referred(connection, batch.identity.key, list(made))
    embeddings.store(connection, batch.identity.key, {key: made[key] for key in made if key in wanted}, now)
    return True


async def _make_missing(indexing: Indexing, batch: Batch) -> tuple[dict[str, Vector], dict[str, NoVector]]:
    """Vectors, and why there is none, by embed hash: equal texts of a batch are sent once."""
    texts = {
        item.embed_hash: embedded_text(item.context, item.text)
        for item in batch.work
        if item.embed_hash not in batch.known
    }
    made: dict[str, Vector] = {}
    failed: dict[str, NoVector] = {}
    if texts:
        await _embed_texts(indexing, batch.identity, texts, made, failed)
    return made, failed


async def _embed_texts(
    indexing: Indexing,
    identity: EmbeddingIdentity,
    texts: Mapping[str, str],
    made: dict[str, Vector],
    failed: dict[str, NoVector],
) -> None:
    hashes = list(texts)
    try:
        with indexing.outages.watch("embedding"):
            answer = await indexing.embedder.embed(
                list(texts.values()),
                InputType.DOCUMENT,
                identity.key,
                timeout=indexing.limits.embedding_timeout_seconds,
            )
    except PartAway:
        raise
    except FindspotError as failure:
        if len(hashes) == 1:
            failed[hashes[0]] = NoVector(failure.reason, failure.message)
            return
        # One text that the model cannot take must not cost the others their vector: halve until it is alone.
        for half in (hashes[: len(hashes) // 2], hashes[len(hashes) // 2 :]):
            await _embed_texts(indexing, identity, {key: texts[key] for key in half}, made, failed)
        return
    if answer.identity.key != identity.key:
        raise Internal(
            f"Embedding answered with {answer.identity.display}, asked was {identity.display}: never mixed.",
            reason=Reason.EMBEDDING_RESPONSE_INVALID,
        )
    if answer.vectors.shape != (len(hashes), identity.dimension):
        raise Internal(
            f"Embedding answered vectors of shape {answer.vectors.shape}, asked were {len(hashes)} "
            f"of {identity.dimension} numbers.",
            reason=Reason.EMBEDDING_RESPONSE_INVALID,
        )
    failed |= {hashes[item.index]: NoVector(item.reason, item.message) for item in answer.failures}
    for key, vector in zip(hashes, answer.vectors, strict=True):
        if key in failed:
            continue
        if np.isfinite(vector).all() and vector.any():
            made[key] = vector
        else:
            failed[key] = NoVector(
                Reason.EMBEDDING_RESPONSE_INVALID, "The model gave a vector that is zero or not finite."
            )


async def _project(
    indexing: Indexing, batch: Batch, done: Sequence[VectorWork], found: Mapping[str, Vector]
) -> None:
    points = [
        VectorPoint(
            item.chunk_id,
            found[item.embed_hash],
            payload(
                document_id=item.document_id,
                collection_path=item.collection_path,
                file_path=item.file_path,
                document_type=item.document_type,
                metadata=item.metadata,
                source_modified_at=item.source_modified_at,
                kind=item.kind,
                language=item.language,
                contains_code=item.contains_code,
            ),
        )
        for item in done
    ]
    if points:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.upsert(collection_name(batch.identity.key), points)


async def _mark(
    indexing: Indexing, batch: Batch, done: Sequence[VectorWork], failed: Mapping[str, NoVector]
) -> None:
    now = indexing.clock()

    def write(connection: Connection) -> dict[str, int]:
        key = batch.identity.key
        vectors.let_go(connection, key, [item.chunk_id for item in batch.work])
        ready = vectors.mark_ready(connection, key, batch.owner, [item.chunk_id for item in done], now)
        for item in batch.work:
            if item.embed_hash in failed:
                _record(connection, indexing, batch, item, failed[item.embed_hash], now)
        active = embeddings.active(connection)
        if active is not None and active.key == key:
            claims.promote(connection, key, sorted({item.document_id for item in batch.work}), now)
        counts: dict[str, int] = {}
        for _, _, collection_id in ready:
            counts[collection_id] = counts.get(collection_id, 0) + 1
        return counts

    counts = await indexing.manifest.write(write)
    indexing.rate.add(counts)
    if sum(counts.values()) < len(done):
        await _take_back(indexing, batch, [item.chunk_id for item in done])
    if any(why.reason is Reason.EMBEDDING_INPUT_TOO_LONG for why in failed.values()):
        indexing.wake.compose.set()


async def _take_back(indexing: Indexing, batch: Batch, ids: Sequence[str]) -> None:
    """What was purged or swept while its vector was made is taken out once more: nobody else would."""
    gone = await indexing.manifest.read(lambda c: chunks.gone(c, ids))
    if gone:
        with indexing.outages.watch("vectors"):
            await indexing.vectors.delete(collection_name(batch.identity.key), gone)


def _record(
    connection: Connection, indexing: Indexing, batch: Batch, item: VectorWork, why: NoVector, now: int
) -> None:
    last = item.attempts + 1 >= indexing.limits.max_attempts or why.reason in HOPELESS
    limits = indexing.limits
    wait = backoff(item.attempts + 1, limits.retry_first_seconds, limits.retry_longest_seconds)
    vectors.record_failure(
        connection,
        batch.identity.key,
        batch.owner,
        item.chunk_id,
        reason=why.reason,
        message=why.message,
        due=None if last else now + int(wait * SECOND),
        now=now,
    )
    if not last:
        return
    if why.reason is Reason.EMBEDDING_INPUT_TOO_LONG and cut_again(
        connection, item.document_id, batch.identity, now
    ):
        return
    active = embeddings.active(connection)
    if active is not None and active.key == batch.identity.key:
        claims.note_lost_vectors(connection, batch.identity.key, item.document_id)


async def _give_back(indexing: Indexing, batch: Batch, failure: FindspotError) -> None:
    """The claim ends. A part that is away costs nobody a try; any other failure of the batch costs one."""
    ids = [item.chunk_id for item in batch.work]
    now = indexing.clock()
    why = NoVector(failure.reason, failure.message)

    def write(connection: Connection) -> None:
        vectors.let_go(connection, batch.identity.key, ids)
        if isinstance(failure, PartAway):
            vectors.release(connection, batch.identity.key, batch.owner, ids, now)
            return
        for item in batch.work:
            _record(connection, indexing, batch, item, why, now)

    await indexing.manifest.write(write)
