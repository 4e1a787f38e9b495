"""Uploads: frames out, and size, hash and limit checked while frames come in."""

from __future__ import annotations

import hashlib
import io
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import FindspotError, InvalidArgument, Reason, ResourceExhausted
from findspot.rpc.upload import FRAME_BYTES, Received, frames, join, open_upload, receive
from findspot.v1.indexing_pb2 import UploadDocumentRequest, UploadHeader

HEADER = UploadDocumentRequest(header=UploadHeader(collection="a", file_path="b.txt"))
DATA = st.binary(max_size=3_000)


async def stream(items: Iterable[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@given(DATA, st.integers(1, 4_000))
async def test_any_bytes_in_any_frames_arrive_whole(data: bytes, frame_bytes: int) -> None:
    sent = list(frames(data, frame_bytes))
    assert all(0 < len(frame) <= frame_bytes for frame in sent)
    assert sent == list(frames(io.BytesIO(data), frame_bytes))
    assert await join(stream(sent), size=len(data), sha256=sha256(data), max_bytes=3_000) == data


@given(DATA, st.lists(st.integers(0, 3_000), max_size=5))
async def test_the_cuts_between_frames_do_not_matter(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), 3_000]
    sent = [data[a:b] for a, b in pairwise(edges)]
    assert await join(stream(sent), size=len(data), sha256=sha256(data).upper(), max_bytes=3_000) == data


def test_a_file_is_read_in_frames_of_256_kib(tmp_path: Path) -> None:
    file = tmp_path / "file.bin"
    file.write_bytes(bytes(FRAME_BYTES + 1))
    assert [len(frame) for frame in frames(file)] == [262_144, 1]


async def failure(data: bytes, **declared: object) -> tuple[FindspotError, int]:
    """The error of an upload in frames of 10 bytes, and how many bytes had been written by then."""
    written = bytearray()
    with pytest.raises(FindspotError) as caught:
        await receive(stream(frames(data, 10)), written.extend, **{"max_bytes": 100, **declared})  # type: ignore[arg-type]
    return caught.value, len(written)


@given(st.binary(min_size=1, max_size=100), st.integers(0, 99))
async def test_a_wrong_size_is_refused(data: bytes, size: int) -> None:
    if size == len(data):
        return
    error, written = await failure(data, size=size)
    assert error.reason is Reason.UPLOAD_SIZE_MISMATCH
    assert isinstance(error, InvalidArgument)
    assert f"{size} bytes" in error.message
    assert written <= size or written == len(data)


@given(st.binary(max_size=100), st.integers(0, 99), st.integers(1, 255))
async def test_one_changed_byte_is_refused(data: bytes, place: int, change: int) -> None:
    if not data:
        return
    damaged = bytearray(data)
    damaged[place % len(data)] ^= change
    error, _ = await failure(bytes(damaged), size=len(data), sha256=sha256(data))
    assert error.reason is Reason.UPLOAD_HASH_MISMATCH
    assert sha256(data) in error.message


async def test_an_announced_size_over_the_limit_is_refused_before_reading() -> None:
    error, written = await failure(bytes(10), size=101)
    assert error.reason is Reason.DOCUMENT_TOO_LARGE
    assert isinstance(error, ResourceExhausted)
    assert error.retry_after is None
    assert error.metadata == {"size": "101", "limit": "100"}
    assert written == 0


async def test_an_endless_upload_is_refused_at_the_limit() -> None:
    asked = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield bytes(10)

    with pytest.raises(ResourceExhausted) as caught:
        await join(endless(), max_bytes=100)
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE
    assert asked == 11


async def test_what_was_not_declared_is_not_checked_but_reported() -> None:
    received = await receive(stream([b"ab", b"c"]), lambda frame: None, max_bytes=3)
    assert received == Received(3, sha256(b"abc"))


def messages(*data: bytes) -> list[UploadDocumentRequest]:
    return [UploadDocumentRequest(data=frame) for frame in data]


async def test_the_header_comes_first_and_frames_follow() -> None:
    header, data = await open_upload(stream([HEADER, *messages(b"ab", b"", b"c")]))
    assert header.file_path == "b.txt"
    assert [frame async for frame in data] == [b"ab", b"", b"c"]


@pytest.mark.parametrize(("sent", "found"), [([], "empty"), (messages(b"x"), "holds data")])
async def test_a_missing_header_is_refused(sent: list[UploadDocumentRequest], found: str) -> None:
    with pytest.raises(InvalidArgument, match=found) as caught:
        await open_upload(stream(sent))
    assert caught.value.reason is Reason.UPLOAD_HEADER_MISSING


async def test_a_second_header_is_refused() -> None:
    _, data = await open_upload(stream([HEADER, *messages(b"ab"), HEADER]))
    with pytest.raises(InvalidArgument) as caught:
        await join(data, max_bytes=100)
    assert [wrong.field for wrong in caught.value.fields] == ["header"]


async def test_a_message_with_neither_part_is_refused() -> None:
    _, data = await open_upload(stream([HEADER, UploadDocumentRequest()]))
    with pytest.raises(InvalidArgument) as caught:
        await join(data, max_bytes=100)
    assert [wrong.field for wrong in caught.value.fields] == ["data"]
