"""The owner of the text index as other indexing workers call it: dataclasses in, `FindspotError` raised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import grpc

from findspot.rpc.status import from_rpc_error
from findspot.v1 import text_index_pb2, text_index_pb2_grpc

if TYPE_CHECKING:
    from findspot.stores.text.schema import TextEntry

APPLY_SECONDS = 120.0
"""A commit is shared with others, and the disk may be slow."""


class TextIndexPeer:
    """Calls over one channel of `findspot.rpc.channel.open_channel`; the caller closes the channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = text_index_pb2_grpc.TextIndexServiceStub(channel)

    async def apply(
        self,
        *,
        add: Sequence[TextEntry],
        delete: Sequence[str],
        delete_document: str,
        claim: tuple[str, str, int] | None,
    ) -> None:
        """Change the index for one document; `claim` is (document id, owner, generation). Durable when it returns.

        Raises Aborted LEASE_LOST when the claim does not hold any more, Unavailable when the owner is away.
        """
        parts = _parts(add, delete, delete_document, claim)
        try:
            await self._stub.Apply(parts, timeout=APPLY_SECONDS)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error

    async def count(self, timeout: float | None = None) -> int:
        """Chunks as of the last commit."""
        try:
            answer = await self._stub.Count(text_index_pb2.CountRequest(), timeout=timeout)
        except grpc.RpcError as error:
            raise from_rpc_error(error) from error
        return answer.chunk_count


def _parts(
    add: Sequence[TextEntry],
    delete: Sequence[str],
    delete_document: str,
    claim: tuple[str, str, int] | None,
) -> Iterator[text_index_pb2.ApplyRequest]:
    if claim is not None:
        document_id, owner, generation = claim
        held = text_index_pb2.DocumentClaim(document_id=document_id, owner=owner, generation=generation)
        yield text_index_pb2.ApplyRequest(claim=held)
    if delete_document:
        yield text_index_pb2.ApplyRequest(delete_document_id=delete_document)
    for identifier in delete:
        yield text_index_pb2.ApplyRequest(delete_chunk_id=identifier)
    for entry in add:
        yield text_index_pb2.ApplyRequest(add=_entry(entry))


def _entry(entry: TextEntry) -> text_index_pb2.TextIndexEntry:
    return text_index_pb2.TextIndexEntry(
        id=entry.id,
        document_id=entry.document_id,
        collection=entry.collection_path,
        ancestors=entry.ancestors,
        file_path=entry.file_path,
        text=entry.text,
        document_type=entry.document_type,
        kind=entry.kind,
        language=entry.language,
        title=entry.title,
        heading_path=entry.heading_path,
        context=entry.context,
        identifiers=entry.identifiers,
        contains_code=entry.contains_code,
        metadata_terms=entry.metadata_terms,
        modified=entry.modified,
    )
