"""One call: find out which cap binds, cut in a thread, and say what could not be counted."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import threading
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Protocol

from findspot.errors import Cancelled, FailedPrecondition, FieldViolation, InvalidArgument, Reason
from findspot.model import (
    ChunkedDocument,
    ChunkingOptions,
    EmbeddingIdentity,
    ExtractedDocument,
    Notice,
)
from findspot.profiles import PROFILES, Profile
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import resolve


class TokenSource(Protocol):
    """What is needed of the embedding service."""

    async def tokenize(self, texts: Sequence[str], identity_key: str = "") -> Sequence[array[int]]:
        """Token starts of each text, special tokens left out."""
        ...

    async def active_identity(self) -> EmbeddingIdentity:
        """FailedPrecondition SEARCH_NOT_PERFORMED when there is no model at all."""
        ...

    async def identities(self) -> tuple[EmbeddingIdentity, ...]:
        """Those that are loaded."""
        ...


@dataclass(frozen=True, slots=True)
class ChunkCall:
    """What one caller wants cut, and how."""

    document: ExtractedDocument
    options: ChunkingOptions
    identity: str = ""
    """Key of the identity whose tokenizer counts; empty takes the active one."""
    characters_only: bool = False


@dataclass(frozen=True, slots=True)
class Chunking:
    """What the calls of one process share."""

    tokens: TokenSource | None
    """None when no embedding service is configured."""
    executor: Executor
    """Cuts documents: its threads bound how many at a time."""
    max_characters: int
    max_chunks: int
    profiles: Mapping[str, Profile] = field(default_factory=lambda: PROFILES)
    """How each document type is cut unless a call says otherwise."""


def profiles(chunking: Chunking) -> tuple[Profile, ...]:
    """How each type is cut unless a call says otherwise, by name."""
    return tuple(sorted(chunking.profiles.values(), key=lambda profile: profile.document_type))


async def chunk(chunking: Chunking, call: ChunkCall) -> ChunkedDocument:
    """Cut one document off the event loop.

    Raises `InvalidArgument` for options that cannot be; `Unavailable` when an embedding service is configured
    and not there, so that the caller tries again instead of getting chunks that nobody counted;
    `FailedPrecondition` when a token cap is asked for and there is no model to count with.
    """
    resolve(call.document.document_type, call.options, profiles=chunking.profiles)
    identity = await _identity(chunking, call)
    notices: list[Notice] = []
    cap = call.options.token_cap
    if identity is None:
        if cap is not None:
            raise _uncountable(cap, call)
        if not call.characters_only:
            notices.append(
                Notice(
                    "TOKENS_NOT_COUNTED",
                    "There is no embedding model to count tokens: chunks are bound by characters alone and "
                    "may be over the input limit of a model that is configured later.",
                )
            )
    elif cap is not None and cap > identity.input_limit:
        notices.append(
            Notice(
                "TOKEN_CAP_REDUCED",
                f"The token cap of {cap} is over the input limit of {identity.display}; "
                f"{identity.input_limit} tokens bind instead.",
            )
        )
    cut = await _cut(chunking, call, identity)
    return replace(cut, warnings=(*cut.warnings, *notices))


async def _identity(chunking: Chunking, call: ChunkCall) -> EmbeddingIdentity | None:
    """The model that counts; None when nothing is to be counted or no provider is configured."""
    if call.characters_only or chunking.tokens is None:
        return None
    if call.identity:
        loaded = await chunking.tokens.identities()
        for identity in loaded:
            if identity.key == call.identity:
                return identity
        raise FailedPrecondition(
            f"The embedding service has no identity {call.identity!r} loaded; it has "
            f"{', '.join(identity.display for identity in loaded) or 'none'}.",
            reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
        )
    try:
        return await chunking.tokens.active_identity()
    except FailedPrecondition as refusal:
        if refusal.reason is Reason.SEARCH_NOT_PERFORMED:
            return None
        raise


def _uncountable(cap: int, call: ChunkCall) -> InvalidArgument | FailedPrecondition:
    if call.characters_only:
        told = f"A token cap of {cap} and characters_only exclude each other: leave one of them out."
        return InvalidArgument(told, fields=[FieldViolation("options.token_cap", told)])
    return FailedPrecondition(
        f"The token cap of {cap} cannot be kept: there is no embedding model to count tokens with. "
        "Configure one, or leave token_cap out.",
        reason=Reason.SEARCH_NOT_PERFORMED,
    )


async def _cut(chunking: Chunking, call: ChunkCall, identity: EmbeddingIdentity | None) -> ChunkedDocument:
    cap = None
    special = 0
    if identity is not None:
        cap = min(call.options.token_cap or identity.input_limit, identity.input_limit)
        special = identity.special_tokens
    options = resolve(
        call.document.document_type,
        call.options,
        token_cap=cap,
        special_tokens=special,
        max_chunks=chunking.max_chunks,
        profiles=chunking.profiles,
    )
    cutting = _Thread(chunking.tokens, identity)
    tokenize = cutting.tokenize if identity is not None else None
    loop = asyncio.get_running_loop()
    # The deadline and the trace of the call are context variables: the thread carries them to its own calls.
    run = contextvars.copy_context().run
    try:
        return await loop.run_in_executor(
            chunking.executor, run, chunk_document, call.document, options, tokenize, cutting.is_over
        )
    finally:
        cutting.end()


class _Thread:
    """What the thread that cuts a document shares with the event loop: questions there, and the end of the call."""

    def __init__(self, tokens: TokenSource | None, identity: EmbeddingIdentity | None) -> None:
        self._tokens = tokens
        self._key = identity.key if identity is not None else ""
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self._question: concurrent.futures.Future[Sequence[array[int]]] | None = None

    def tokenize(self, texts: Sequence[str]) -> Sequence[Sequence[int]]:
        """Waits, in the thread, while the event loop makes the call."""
        if self._tokens is None or self._over.is_set():
            raise Cancelled("The caller went away while its document was cut.")
        self._question = asyncio.run_coroutine_threadsafe(self._ask(texts), self._loop)
        return self._question.result()

    async def _ask(self, texts: Sequence[str]) -> Sequence[array[int]]:
        assert self._tokens is not None
        return await self._tokens.tokenize(texts, self._key)

    def is_over(self) -> bool:
        """True when nobody waits for the chunks any more."""
        return self._over.is_set()

    def end(self) -> None:
        """The call is over: what the thread still waits for is cancelled, and it stops at its next chunk."""
        self._over.set()
        if self._question is not None:
            self._question.cancel()
