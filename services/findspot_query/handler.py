"""The gRPC face of the service: each method reads its message, calls one function, and maps the result."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import grpc

from findspot.errors import NotYetAvailable
from findspot.rpc.interceptors.access import current_caller
from findspot.v1 import query_pb2, query_pb2_grpc
from findspot_query.documents import download, get_text
from findspot_query.handler_reading import (
    chunk_response,
    download_header,
    list_response,
    range_response,
    section_message,
    text_response,
)
from findspot_query.handler_search import search_request, search_response
from findspot_query.handler_values import chunk_name, document_name, unit_of
from findspot_query.reading import ReadSources, get_chunk, get_chunks, get_range, list_chunks
from findspot_query.request import GroupBy, SearchRequest
from findspot_query.search import SearchSources, search
from findspot_query.sections import get_section

SERVICE = query_pb2.DESCRIPTOR.services_by_name["QueryService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class QueryHandler(query_pb2_grpc.QueryServiceServicer):
    """`findspot.v1.QueryService`. Reads of the manifest take a fraction of a millisecond: they run on the loop."""

    def __init__(self, searching: SearchSources, reading: ReadSources) -> None:
        self._searching = searching
        self._reading = reading

    async def Search(self, request: query_pb2.SearchRequest, context: Context) -> query_pb2.SearchResponse:
        return await self._search(search_request(request, GroupBy.DOCUMENT))

    async def SearchChunks(
        self, request: query_pb2.SearchChunksRequest, context: Context
    ) -> query_pb2.SearchChunksResponse:
        found = await self._search(search_request(request.search, GroupBy.NONE))
        return query_pb2.SearchChunksResponse(search=found)

    async def _search(self, request: SearchRequest) -> query_pb2.SearchResponse:
        answer = await search(current_caller(), request, self._searching)
        return search_response(answer, request.view)

    async def GetChunk(
        self, request: query_pb2.GetChunkRequest, context: Context
    ) -> query_pb2.GetChunkResponse:
        answer = get_chunk(
            current_caller(),
            chunk_name(request.name),
            self._reading,
            unit=unit_of(request.offset_unit),
            min_revision=request.min_revision,
        )
        return chunk_response(answer)

    async def BatchGetChunks(
        self, request: query_pb2.BatchGetChunksRequest, context: Context
    ) -> query_pb2.BatchGetChunksResponse:
        names = [chunk_name(name, f"names[{number}]") for number, name in enumerate(request.names)]
        answers = get_chunks(current_caller(), names, self._reading, unit=unit_of(request.offset_unit))
        return query_pb2.BatchGetChunksResponse(chunks=[chunk_response(answer) for answer in answers])

    async def GetChunkRange(
        self, request: query_pb2.GetChunkRangeRequest, context: Context
    ) -> query_pb2.GetChunkRangeResponse:
        answer = get_range(
            current_caller(),
            chunk_name(request.name),
            self._reading,
            before=request.before,
            after=request.after,
            within_section=request.within_section,
            unit=unit_of(request.offset_unit),
        )
        return range_response(answer)

    async def ListChunks(
        self, request: query_pb2.ListChunksRequest, context: Context
    ) -> query_pb2.ListChunksResponse:
        answer = list_chunks(
            current_caller(),
            document_name(request),
            self._reading,
            page_size=request.page_size,
            page_token=request.page_token,
            unit=unit_of(request.offset_unit),
        )
        return list_response(answer)

    async def GetSection(
        self, request: query_pb2.GetSectionRequest, context: Context
    ) -> query_pb2.GetSectionResponse:
        by_id = request.WhichOneof("by") == "section_id"
        name = request.section_id if by_id else chunk_name(request.chunk, "by")
        answer = get_section(current_caller(), name, self._reading, unit=unit_of(request.offset_unit))
        return query_pb2.GetSectionResponse(section=section_message(answer))

    async def GetDocumentText(
        self, request: query_pb2.GetDocumentTextRequest, context: Context
    ) -> query_pb2.GetDocumentTextResponse:
        answer = get_text(
            current_caller(),
            document_name(request),
            self._reading,
            start=request.start,
            max_length=request.max_length,
            unit=unit_of(request.offset_unit),
        )
        return text_response(answer)

    async def DownloadDocument(
        self, request: query_pb2.DownloadDocumentRequest, context: Context
    ) -> AsyncIterator[query_pb2.DownloadDocumentResponse]:
        found = download(current_caller(), document_name(request), self._reading)
        yield download_header(found)
        for frame in found.frames:
            yield query_pb2.DownloadDocumentResponse(data=frame)

    async def BatchSearch(
        self, request: query_pb2.BatchSearchRequest, context: Context
    ) -> query_pb2.BatchSearchResponse:
        raise _not_yet("BatchSearch")

    async def SuggestDocuments(
        self, request: query_pb2.SuggestDocumentsRequest, context: Context
    ) -> query_pb2.SuggestDocumentsResponse:
        raise _not_yet("SuggestDocuments")

    async def LocateChunk(
        self, request: query_pb2.LocateChunkRequest, context: Context
    ) -> query_pb2.LocateChunkResponse:
        raise _not_yet("LocateChunk")

    async def AssembleContext(
        self, request: query_pb2.AssembleContextRequest, context: Context
    ) -> query_pb2.AssembleContextResponse:
        raise _not_yet("AssembleContext")


def _not_yet(method: str) -> NotYetAvailable:
    return NotYetAvailable(f"{method} is not served by this version.")
