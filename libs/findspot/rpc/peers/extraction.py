"""The extraction service as other services call it: dataclasses in and out, `FindspotError` raised."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import grpc

from findspot.model import Box, ExtractedDocument, Notice, Strategy
from findspot.rpc.document_values import DocumentAssembly, notices
from findspot.rpc.status import from_rpc_error
from findspot.rpc.upload import frames
from findspot.v1 import common_pb2, extraction_pb2, extraction_pb2_grpc

_STRATEGIES = {
    common_pb2.ChunkingStrategy.Value(f"CHUNKING_STRATEGY_{strategy.name}"): strategy for strategy in Strategy
}


@dataclass(frozen=True, slots=True)
class DetectedType:
    """What a file is. `document_type` is empty for unknown binary data."""

    document_type: str
    media_type: str
    decided_by: str
    """`magic`, `name`, `media_type` or `content`."""
    readable: bool
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentTypeRow:
    """One type of the registry."""

    name: str
    category: str
    extensions: tuple[str, ...]
    file_names: tuple[str, ...]
    media_types: tuple[str, ...]
    strategy: Strategy
    size: int
    overlap: int
    grammar: str
    readable: bool
    reader: str = ""
    """Name of the reader; empty where nobody reads it."""
    extractor_stamp: str = ""
    """What a document of the type that is read now gets: one whose stamp differs would be read otherwise."""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A picture of a page."""

    png: bytes
    width: int
    """Pixels."""
    height: int


class ExtractionPeer:
    """Calls over one channel of `findspot.rpc.channel.open_channel`; the caller closes the channel.

    Every method raises the `FindspotError` that the service answered; `timeout` is in seconds, None takes the
    deadline of the call being served, else the channel's default.
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = extraction_pb2_grpc.ExtractionServiceStub(channel)

    async def extract(
        self,
        data: bytes,
        *,
        file_name: str,
        media_type: str = "",
        document_type: str = "",
        language: str = "",
        omit_words: bool = False,
        password: str = "",
        timeout: float | None = None,
    ) -> ExtractedDocument:
        """Read a whole file. The document's failures carry a Reason of the group `documents`."""
        header = extraction_pb2.ExtractHeader(
            file_name=file_name,
            media_type=media_type,
            document_type=document_type,
            size_bytes=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            language=language,
            omit_words=omit_words,
            password=password,
        )
        assembly = DocumentAssembly()
        try:
            async for part in self._stub.Extract(_requests(header, data), timeout=timeout):
                assembly.add(part)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return assembly.document()

    async def detect(
        self, head: bytes, *, file_name: str = "", media_type: str = "", timeout: float | None = None
    ) -> DetectedType:
        """Tell the type of a file by its first bytes (64 KiB are enough for most) and what is said of it."""
        request = extraction_pb2.DetectTypeRequest(file_name=file_name, media_type=media_type, head=head)
        try:
            found = await self._stub.DetectType(request, timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return DetectedType(
            found.document_type, found.media_type, found.decided_by, found.readable, notices(found.notices)
        )

    async def document_types(
        self, category: str = "", timeout: float | None = None
    ) -> tuple[DocumentTypeRow, ...]:
        """The registry by name: all types, or those of one category."""
        request = extraction_pb2.ListDocumentTypesRequest(category=category)
        try:
            answer = await self._stub.ListDocumentTypes(request, timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return tuple(map(_row, answer.document_types))

    async def render_page(
        self,
        data: bytes,
        *,
        file_name: str,
        page: int = 1,
        scale: float = 0.0,
        highlights: Iterable[Box] = (),
        media_type: str = "",
        document_type: str = "",
        password: str = "",
        timeout: float | None = None,
    ) -> RenderedPage:
        """Draw one page (from 1) of a PDF or an image, at `scale` pixels a point (0.25 to 8; 0 means 2).

        An image never gets more pixels than it has. `highlights` are fractions of the page as displayed.
        InvalidArgument names the range of pages, scales and pixels; UNSUPPORTED_TYPE for other formats.
        """
        header = extraction_pb2.RenderPageHeader(
            file=extraction_pb2.ExtractHeader(
                file_name=file_name,
                media_type=media_type,
                document_type=document_type,
                size_bytes=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
                password=password,
            ),
            page=page,
            scale=scale,
            highlights=[
                common_pb2.Box(x=box.x, y=box.y, width=box.width, height=box.height) for box in highlights
            ],
        )
        try:
            answer = await self._stub.RenderPage(_render_requests(header, data), timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return RenderedPage(answer.png, answer.width, answer.height)


def _render_requests(
    header: extraction_pb2.RenderPageHeader, data: bytes
) -> Iterator[extraction_pb2.RenderPageRequest]:
    yield extraction_pb2.RenderPageRequest(header=header)
    for frame in frames(data):
        yield extraction_pb2.RenderPageRequest(data=frame)


def _requests(header: extraction_pb2.ExtractHeader, data: bytes) -> Iterator[extraction_pb2.ExtractRequest]:
    yield extraction_pb2.ExtractRequest(header=header)
    for frame in frames(data):
        yield extraction_pb2.ExtractRequest(data=frame)


def _row(message: extraction_pb2.DocumentType) -> DocumentTypeRow:
    return DocumentTypeRow(
        name=message.name,
        category=message.category,
        extensions=tuple(message.extensions),
        file_names=tuple(message.file_names),
        media_types=tuple(message.media_types),
        strategy=_STRATEGIES[message.strategy],
        size=message.size,
        overlap=message.overlap,
        grammar=message.grammar,
        readable=message.readable,
        reader=message.reader,
        extractor_stamp=message.extractor_stamp,
    )
