"""Files on a stream: cut into frames going out; size, SHA-256 and the limit checked while coming in.

The messages of an upload hold a header first and then data: a `oneof` with the fields `header` and `data`
(bytes).
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from findspot.errors import FieldViolation, InvalidArgument, Reason, ResourceExhausted

FRAME_BYTES = 256 * 1024
"""The size of a frame that uploads fastest: smaller ones cost calls, larger ones copies."""


@dataclass(frozen=True, slots=True)
class Received:
    """What arrived: bytes, and their SHA-256 as 64 lower-case hex digits."""

    size: int
    sha256: str


def frames(source: bytes | Path | BinaryIO, frame_bytes: int = FRAME_BYTES) -> Iterator[bytes]:
    """The bytes of a file, an open file or a value, in frames of `frame_bytes`, the last one shorter. None is
    empty."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield from frames(file, frame_bytes)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        view = memoryview(source)
        for start in range(0, len(view), frame_bytes):
            yield bytes(view[start : start + frame_bytes])
    else:
        while frame := source.read(frame_bytes):
            yield frame


async def open_upload(requests: AsyncIterator[Any]) -> tuple[Any, AsyncIterator[bytes]]:
    """The header of an upload, and its data frames, which are read as they are asked for.

    InvalidArgument when the first message is not a header (or there is none), or when a later one is.
    """
    iterator = aiter(requests)
    first = await anext(iterator, None)
    if first is None or not first.HasField("header"):
        found = "the stream was empty" if first is None else "it holds data"
        raise InvalidArgument(
            f"The first message of an upload has to hold the header, but {found}.",
            reason=Reason.UPLOAD_HEADER_MISSING,
            fields=[FieldViolation("header", "required in the first message")],
        )
    return first.header, _data(iterator)


async def receive(
    data: AsyncIterator[bytes],
    write: Callable[[bytes], object],
    *,
    size: int | None = None,
    sha256: str = "",
    max_bytes: int,
) -> Received:
    """Gives each frame to `write`, and answers what arrived. `size` None and `sha256` "" are not checked.

    ResourceExhausted DOCUMENT_TOO_LARGE as soon as more than `max_bytes` are announced or arrive;
    InvalidArgument UPLOAD_SIZE_MISMATCH as soon as more than `size` arrive, or less at the end;
    UPLOAD_HASH_MISMATCH at the end.
    """
    if size is not None and size > max_bytes:
        raise _too_large(size, max_bytes)
    digest, received = hashlib.sha256(), 0
    async for frame in data:
        received += len(frame)
        if received > max_bytes:
            raise _too_large(received, max_bytes)
        if size is not None and received > size:
            raise _size_mismatch(received, size, "at least ")
        digest.update(frame)
        write(frame)
    if size is not None and received != size:
        raise _size_mismatch(received, size)
    found = digest.hexdigest()
    if sha256 and sha256.lower() != found:
        raise InvalidArgument(
            f"The {received} bytes that arrived have the SHA-256 {found}, the header says {sha256}: "
            "the file changed while it was read, or was damaged on its way; send it again.",
            reason=Reason.UPLOAD_HASH_MISMATCH,
            metadata={"sha256": found},
        )
    return Received(received, found)


async def join(
    data: AsyncIterator[bytes], *, size: int | None = None, sha256: str = "", max_bytes: int
) -> bytes:
    """The whole upload in memory, checked as `receive` does."""
    whole = bytearray()
    await receive(data, whole.extend, size=size, sha256=sha256, max_bytes=max_bytes)
    return bytes(whole)


async def _data(messages: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    async for message in messages:
        if message.HasField("header"):
            raise InvalidArgument(
                "An upload has one header, in its first message; a later message holds another.",
                fields=[FieldViolation("header", "allowed in the first message only")],
            )
        if not message.HasField("data"):
            raise InvalidArgument(
                "A message of an upload holds neither the header nor data.",
                fields=[FieldViolation("data", "required in every message but the first")],
            )
        yield message.data


def _too_large(size: int, limit: int) -> ResourceExhausted:
    return ResourceExhausted(
        f"The document has {size} bytes or more; the limit is {limit}. "
        "Split it, or raise the limit in the settings.",
        reason=Reason.DOCUMENT_TOO_LARGE,
        metadata={"size": str(size), "limit": str(limit)},
    )


def _size_mismatch(received: int, size: int, qualifier: str = "") -> InvalidArgument:
    return InvalidArgument(
        f"The header says {size} bytes, {qualifier}{received} arrived; send the file again.",
        reason=Reason.UPLOAD_SIZE_MISMATCH,
        metadata={"size": str(size), "received": str(received)},
    )
