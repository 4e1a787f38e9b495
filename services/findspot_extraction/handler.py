"""The gRPC face of the service: messages to dataclasses and back, nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc

from findspot.model import Box, Strategy
from findspot.rpc.document_packing import response_bytes
from findspot.rpc.upload import open_upload
from findspot.v1 import common_pb2, extraction_pb2, extraction_pb2_grpc
from findspot_extraction.detect import Detection
from findspot_extraction.extraction import Announced, Extraction, StampedType
from findspot_extraction.readers.images_values import Drawing
from findspot_extraction.readers.stamps import reader_name
from findspot_extraction.reading import Upload


class ExtractionHandler(extraction_pb2_grpc.ExtractionServiceServicer):
    """`ExtractionService` over one `Extraction`."""

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction

    async def Extract(  # type: ignore[override]  # it yields serialised messages, see `register`
        self, request_iterator: AsyncIterator[extraction_pb2.ExtractRequest], context: Any
    ) -> AsyncIterator[bytes]:
        """Header and frames in; header, text, blocks, words, marginalia and summary out, as serialised messages."""
        header, frames = await open_upload(request_iterator)
        document = await self._extraction.extract(_upload(header), _announced(header), frames)
        for part in response_bytes(document):
            yield part

    async def DetectType(
        self, request: extraction_pb2.DetectTypeRequest, context: Any
    ) -> extraction_pb2.DetectTypeResponse:
        """The type of a file by its first bytes and what is said of it."""
        upload = Upload(file_name=request.file_name, media_type=request.media_type)
        return _detection(await self._extraction.detect(request.head, upload))

    async def ListDocumentTypes(
        self, request: extraction_pb2.ListDocumentTypesRequest, context: Any
    ) -> extraction_pb2.ListDocumentTypesResponse:
        """The registry."""
        types = self._extraction.document_types(request.category)
        return extraction_pb2.ListDocumentTypesResponse(document_types=map(_document_type, types))

    async def RenderPage(
        self, request_iterator: AsyncIterator[extraction_pb2.RenderPageRequest], context: Any
    ) -> extraction_pb2.RenderPageResponse:
        """Header and frames in; one page as PNG out."""
        header, frames = await open_upload(request_iterator)
        picture = await self._extraction.draw(
            _upload(header.file), _announced(header.file), frames, _drawing(header)
        )
        return extraction_pb2.RenderPageResponse(png=picture.png, width=picture.width, height=picture.height)


def register(handler: ExtractionHandler, server: grpc.aio.Server) -> None:
    """Add the service to a server: as the generated code does, but that `Extract` sends what it yields as it is."""
    messages = extraction_pb2
    methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Extract": grpc.stream_stream_rpc_method_handler(handler.Extract, messages.ExtractRequest.FromString),
        "DetectType": grpc.unary_unary_rpc_method_handler(
            handler.DetectType,
            messages.DetectTypeRequest.FromString,
            messages.DetectTypeResponse.SerializeToString,
        ),
        "ListDocumentTypes": grpc.unary_unary_rpc_method_handler(
            handler.ListDocumentTypes,
            messages.ListDocumentTypesRequest.FromString,
            messages.ListDocumentTypesResponse.SerializeToString,
        ),
        "RenderPage": grpc.stream_unary_rpc_method_handler(
            handler.RenderPage,
            messages.RenderPageRequest.FromString,
            messages.RenderPageResponse.SerializeToString,
        ),
    }
    service = messages.DESCRIPTOR.services_by_name["ExtractionService"].full_name
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, methods)])


def _upload(header: extraction_pb2.ExtractHeader) -> Upload:
    return Upload(
        file_name=header.file_name,
        media_type=header.media_type,
        document_type=header.document_type,
        language=header.language,
        password=header.password,
        omit_words=header.omit_words,
    )


def _announced(header: extraction_pb2.ExtractHeader) -> Announced:
    return Announced(size=header.size_bytes, sha256=header.sha256)


def _drawing(header: extraction_pb2.RenderPageHeader) -> Drawing:
    boxes = tuple(Box(box.x, box.y, box.width, box.height) for box in header.highlights)
    return Drawing(header.page, header.scale, boxes)


def _detection(found: Detection) -> extraction_pb2.DetectTypeResponse:
    return extraction_pb2.DetectTypeResponse(
        document_type=found.row.name if found.row else "",
        media_type=found.media_type,
        decided_by=found.decided_by,
        readable=bool(found.row and found.row.readable),
        notices=[
            common_pb2.Notice(code=notice.code, message=notice.message, page=notice.page)
            for notice in found.notices
        ],
    )


def _document_type(stamped: StampedType) -> extraction_pb2.DocumentType:
    row = stamped.row
    profile = row.profile
    return extraction_pb2.DocumentType(
        name=row.name,
        category=profile.category,
        extensions=row.extensions,
        file_names=row.file_names,
        media_types=row.media_types,
        strategy=_STRATEGIES[profile.strategy],
        size=profile.size,
        overlap=profile.overlap,
        grammar=profile.grammar,
        readable=row.readable,
        reader=reader_name(row.reader),
        extractor_stamp=stamped.stamp,
    )


_STRATEGIES = {strategy: f"CHUNKING_STRATEGY_{strategy.name}" for strategy in Strategy}
