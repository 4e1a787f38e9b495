"""Documents as the bytes of an answer of `Extract`: packed where they are read, forwarded as they are.

A service that hands on what another process has read neither rebuilds nor serialises it: it adds the header and the
summary, which it may have to change, and sends the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from google.protobuf.message import EncodeError, Message

from findspot.model import ExtractedDocument, Words
from findspot.rpc.document_messages import (
    block_batches,
    header_message,
    marginalia_batches,
    summary_message,
    text_parts,
)
from findspot.rpc.wire import delimited, packed_floats
from findspot.v1 import extraction_pb2

_WORDS = 30_000
"""Words in one message: at most 800 KB."""
_WORDS_FIELD = extraction_pb2.ExtractResponse.WORDS_FIELD_NUMBER
_BOXES_FIELD = extraction_pb2.WordBatch.BOXES_FIELD_NUMBER


@dataclass(frozen=True, slots=True)
class PackedDocument:
    """One document: what is said of it as a whole, and what it holds as messages that are ready to send."""

    described: ExtractedDocument
    """The document without its text, blocks, words and marginalia."""
    body: tuple[bytes, ...]
    """Those, as serialised `ExtractResponse`s in the order of the API, each under 1 MiB."""
    text_length: int
    """Code points."""
    block_count: int
    word_count: int


def pack(document: ExtractedDocument, *, omit_words: bool = False) -> PackedDocument:
    """The document, ready to send. Raises MemoryError, where a process may use only so much."""
    words = () if omit_words else document.words
    return PackedDocument(
        described=replace(document, text="", blocks=(), words=(), marginalia=()),
        body=tuple(_body(document, words)),
        text_length=len(document.text),
        block_count=len(document.blocks),
        word_count=sum(len(page.starts) for page in words),
    )


def response_bytes(packed: PackedDocument) -> Iterator[bytes]:
    """The answer of `Extract`, message by message, serialised, in the order that the API promises."""
    described = packed.described
    header = header_message(described, packed.text_length)
    yield _serialised(header=header)
    yield from packed.body
    summary = summary_message(packed.block_count, packed.word_count, described.warnings)
    yield _serialised(summary=summary)


def _body(document: ExtractedDocument, words: tuple[Words, ...]) -> Iterator[bytes]:
    for text in text_parts(document.text):
        yield _serialised(text=text)
    for blocks in block_batches(document.blocks):
        yield _serialised(blocks=blocks)
    for page in words:
        yield from _word_batches(page)
    for pieces in marginalia_batches(document.marginalia):
        yield _serialised(marginalia=pieces)


def _word_batches(words: Words) -> Iterator[bytes]:
    """The boxes are written as bytes: as floats of a message they would be most of the time that packing takes."""
    for first in range(0, len(words.starts), _WORDS):
        last = first + _WORDS
        batch = extraction_pb2.WordBatch(
            page=words.page, starts=words.starts[first:last], lengths=words.lengths[first:last]
        )
        boxes = delimited(_BOXES_FIELD, packed_floats(words.boxes[4 * first : 4 * last]))
        yield delimited(_WORDS_FIELD, batch.SerializeToString() + boxes)


def _serialised(**part: Message) -> bytes:
    try:
        return extraction_pb2.ExtractResponse(**part).SerializeToString()  # type: ignore[arg-type]
    except EncodeError as failure:
        # A message that could be built can be serialised, unless there is no room: protobuf has one error for all.
        raise MemoryError("There is no memory left to serialise a part of the document.") from failure
