"""One call: find out which cap binds, cut in a thread, and say what could not be counted."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import threading
from array import array
from collections import Counter
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

MOST_ALSO_FIT = 7
"""Further identities that one call may have counted."""


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
    also_fit: tuple[str, ...] = ()
    """Keys of further identities whose inputs the chunks have to fit."""
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
    counting = await _counting(chunking, call)
    notices: list[Notice] = []
    cap = call.options.token_cap
    if not counting:
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
    elif cap is not None and cap > (tightest := min(counting, key=_input_limit)).input_limit:
        notices.append(
            Notice(
                "TOKEN_CAP_REDUCED",
                f"The token cap of {cap} is over the input limit of {tightest.display}; "
                f"{tightest.input_limit} tokens bind instead.",
            )
        )
    cut = await _cut(chunking, call, counting)
    return replace(cut, warnings=(*cut.warnings, *notices))


def _input_limit(identity: EmbeddingIdentity) -> int:
    return identity.input_limit


async def _counting(chunking: Chunking, call: ChunkCall) -> tuple[EmbeddingIdentity, ...]:
    """The models that count; none when nothing is to be counted or no provider is configured."""
    if call.characters_only or chunking.tokens is None:
        return ()
    if len(call.also_fit) > MOST_ALSO_FIT:
        told = f"{len(call.also_fit)} further identities; {MOST_ALSO_FIT} are the most."
        raise InvalidArgument(told, fields=[FieldViolation("also_fit", told)])
    named = [key for key in dict.fromkeys((call.identity, *call.also_fit)) if key]
    found = {identity.key: identity for identity in await chunking.tokens.identities()} if named else {}
    for key in named:
        if key not in found:
            raise FailedPrecondition(
                f"The embedding service has no identity {key!r} loaded; it has "
                f"{', '.join(identity.display for identity in found.values()) or 'none'}.",
                reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
            )
    counting = {key: found[key] for key in named}
    if not call.identity:
        active = await _active(chunking.tokens)
        counting |= {active.key: active} if active is not None else {}
    return tuple(counting.values())


async def _active(tokens: TokenSource) -> EmbeddingIdentity | None:
    try:
        return await tokens.active_identity()
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


async def _cut(chunking: Chunking, call: ChunkCall, counting: Sequence[EmbeddingIdentity]) -> ChunkedDocument:
    cap = None
    special = 0
    if counting:
        tightest = min(map(_input_limit, counting))
        cap = min(call.options.token_cap or tightest, tightest)
        special = max(identity.special_tokens for identity in counting)
    options = resolve(
        call.document.document_type,
        call.options,
        token_cap=cap,
        special_tokens=special,
        max_chunks=chunking.max_chunks,
        profiles=chunking.profiles,
    )
    cutting = _Thread(chunking.tokens, [identity.key for identity in counting])
    tokenize = cutting.tokenize if counting else None
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

    def __init__(self, tokens: TokenSource | None, keys: Sequence[str]) -> None:
        self._tokens = tokens
        self._keys = keys
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
        counted = [await self._tokens.tokenize(texts, key) for key in self._keys]
        return (
            counted[0]
            if len(counted) == 1
            else [_all_starts(starts) for starts in zip(*counted, strict=True)]
        )

    def is_over(self) -> bool:
        """True when nobody waits for the chunks any more."""
        return self._over.is_set()

    def end(self) -> None:
        """The call is over: what the thread still waits for is cancelled, and it stops at its next chunk."""
        self._over.set()
        if self._question is not None:
            self._question.cancel()


def _all_starts(counted: Sequence[array[int]]) -> array[int]:
    """Starts of tokens as if one tokenizer broke where any of several does: it never counts less than one of them."""
    most: Counter[int] = Counter()
    for starts in counted:
        most |= Counter(starts)
    return array("I", sorted(most.elements()))
