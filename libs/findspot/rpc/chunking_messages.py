"""What chunking takes and gives as messages: options, kinds, strategies, and lists cut into batches.

Text, blocks and pages are translated in `document_messages` and `document_values`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from google.protobuf.message import Message

from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import ChunkingOptions, ChunkKind, Notice, Strategy
from findspot.v1 import common_pb2

BATCH_BYTES = 512 * 1024
"""A batch of messages is closed before it has more bytes than this."""

CHUNK_KINDS = {kind: f"CHUNK_KIND_{kind.name}" for kind in ChunkKind}
"""Kinds of chunks by their names on the wire."""
STRATEGIES = {strategy: f"CHUNKING_STRATEGY_{strategy.name}" for strategy in Strategy}
"""Strategies by their names on the wire."""
_CHUNK_KINDS = {common_pb2.ChunkKind.Value(name): kind for kind, name in CHUNK_KINDS.items()}
_STRATEGIES = {common_pb2.ChunkingStrategy.Value(name): strategy for strategy, name in STRATEGIES.items()}

M = TypeVar("M", bound=Message)


def batches(messages: Iterable[M], limit: int = BATCH_BYTES) -> Iterator[list[M]]:
    """Messages in lists of about `limit` bytes; one message that is larger goes alone."""
    batch: list[M] = []
    size = 0
    for message in messages:
        length = message.ByteSize()
        if batch and size + length > limit:
            yield batch
            batch, size = [], 0
        batch.append(message)
        size += length
    if batch:
        yield batch


def notice_to_wire(notice: Notice) -> common_pb2.Notice:
    """One notice."""
    return common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)


def options_to_wire(options: ChunkingOptions) -> common_pb2.ChunkingOptions:
    """Options; what is None stays absent."""
    return common_pb2.ChunkingOptions(
        strategy=None if options.strategy is None else STRATEGIES[options.strategy],
        size=options.size,
        overlap=options.overlap,
        token_cap=options.token_cap,
    )


def options_from_wire(options: common_pb2.ChunkingOptions) -> ChunkingOptions:
    """Options; InvalidArgument for a strategy that this version does not know."""
    strategy = _STRATEGIES.get(options.strategy)
    if strategy is None and options.strategy != common_pb2.CHUNKING_STRATEGY_UNSPECIFIED:
        raise _unknown("options.strategy", options.strategy)
    return ChunkingOptions(
        strategy=strategy,
        size=options.size if options.HasField("size") else None,
        overlap=options.overlap if options.HasField("overlap") else None,
        token_cap=options.token_cap if options.HasField("token_cap") else None,
    )


def chunk_kind_from_wire(number: int) -> ChunkKind:
    """A kind of chunks; InvalidArgument for one that this version does not know."""
    kind = _CHUNK_KINDS.get(number)
    if kind is None:
        raise _unknown("kind", number)
    return kind


def strategy_from_wire(number: int) -> Strategy:
    """A strategy; InvalidArgument for one that this version does not know."""
    strategy = _STRATEGIES.get(number)
    if strategy is None:
        raise _unknown("strategy", number)
    return strategy


def _unknown(field: str, number: int) -> InvalidArgument:
    told = f"{number} is no value that this version knows."
    return InvalidArgument(f"{field}: {told}", fields=[FieldViolation(field, told)])
