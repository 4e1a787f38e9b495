"""`TextIndexService`: what workers that own no text index ask of the one that does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from findspot.rpc.interceptors.access import current_caller
from findspot.stores.text.schema import TextEntry
from findspot.v1 import text_index_pb2, text_index_pb2_grpc
from findspot_indexing import rights
from findspot_indexing.service import Indexing
from findspot_indexing.text_commits import DocumentClaim, TextChange

SERVICE = "findspot.v1.TextIndexService"


class TextIndexHandler(text_index_pb2_grpc.TextIndexServiceServicer):
    """Messages in, one function, messages out."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing

    async def Apply(
        self, request_iterator: AsyncIterator[text_index_pb2.ApplyRequest], context: Any
    ) -> text_index_pb2.ApplyResponse:
        """See text_index.proto."""
        rights.require_writer(current_caller())
        await self._indexing.text.apply(await _change(request_iterator))
        return text_index_pb2.ApplyResponse()

    async def Count(self, request: text_index_pb2.CountRequest, context: Any) -> text_index_pb2.CountResponse:
        """See text_index.proto."""
        return text_index_pb2.CountResponse(chunk_count=await self._indexing.text.count())


async def _change(parts: AsyncIterator[text_index_pb2.ApplyRequest]) -> TextChange:
    claim: DocumentClaim | None = None
    document = ""
    add: list[TextEntry] = []
    delete: list[str] = []
    async for part in parts:
        match part.WhichOneof("part"):
            case "claim":
                claim = DocumentClaim(part.claim.document_id, part.claim.owner, part.claim.generation)
            case "add":
                add.append(_entry(part.add))
            case "delete_chunk_id":
                delete.append(part.delete_chunk_id)
            case "delete_document_id":
                document = part.delete_document_id
    return TextChange(add=add, delete=delete, delete_document=document, claim=claim)


def _entry(message: text_index_pb2.TextIndexEntry) -> TextEntry:
    return TextEntry(
        id=message.id,
        document_id=message.document_id,
        collection_path=message.collection,
        ancestors=tuple(message.ancestors),
        file_path=message.file_path,
        text=message.text,
        document_type=message.document_type,
        kind=message.kind,
        language=message.language,
        title=message.title,
        heading_path=tuple(message.heading_path),
        context=message.context,
        identifiers=tuple(message.identifiers),
        contains_code=message.contains_code,
        metadata_terms=tuple(message.metadata_terms),
        modified=message.modified,
    )
