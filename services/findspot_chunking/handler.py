"""ChunkingService: messages to dataclasses and back, one call to the service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeAlias

import grpc

from findspot.errors import FieldViolation, InvalidArgument, Reason, ResourceExhausted
from findspot.model import Block, Chunk, ChunkedDocument, ChunkingOptions, ExtractedDocument, Section
from findspot.profiles import Profile
from findspot.rpc.chunking_messages import (
    CHUNK_KINDS,
    STRATEGIES,
    batches,
    notice_to_wire,
    options_from_wire,
    options_to_wire,
)
from findspot.rpc.document_values import add_blocks, page_value
from findspot.v1 import chunking_pb2, chunking_pb2_grpc, common_pb2
from findspot_chunking import service
from findspot_chunking.chunker import STAMP
from findspot_chunking.service import ChunkCall, Chunking

SERVICE = chunking_pb2.DESCRIPTOR.services_by_name["ChunkingService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

_LIMITS = {
    "": chunking_pb2.EFFECTIVE_LIMIT_UNSPECIFIED,
    "CHARS": chunking_pb2.EFFECTIVE_LIMIT_CHARS,
    "TOKENS": chunking_pb2.EFFECTIVE_LIMIT_TOKENS,
}


class ChunkingHandler(chunking_pb2_grpc.ChunkingServiceServicer):
    """The RPC over `findspot_chunking.service`."""

    def __init__(self, chunking: Chunking) -> None:
        self._chunking = chunking

    async def Chunk(
        self, request_iterator: AsyncIterator[chunking_pb2.ChunkRequest], context: Context
    ) -> AsyncIterator[chunking_pb2.ChunkResponse]:
        """See chunking.proto."""
        call = await _read(request_iterator, self._chunking.max_characters)
        for response in _responses(await service.chunk(self._chunking, call)):
            yield response

    async def ListProfiles(
        self, request: chunking_pb2.ListProfilesRequest, context: Context
    ) -> chunking_pb2.ListProfilesResponse:
        """See chunking.proto."""
        return chunking_pb2.ListProfilesResponse(
            profiles=map(_profile, service.profiles(self._chunking)), chunker_stamp=STAMP
        )


def _profile(profile: Profile) -> chunking_pb2.ChunkingProfile:
    options = ChunkingOptions(strategy=profile.strategy, size=profile.size, overlap=profile.overlap)
    return chunking_pb2.ChunkingProfile(document_type=profile.document_type, options=options_to_wire(options))


async def _read(requests: AsyncIterator[chunking_pb2.ChunkRequest], max_characters: int) -> ChunkCall:
    """The whole call; refused as soon as it is too long or out of order."""
    header: chunking_pb2.ChunkHeader | None = None
    parts: list[str] = []
    length = 0
    blocks: list[Block] = []
    async for request in requests:
        if request.HasField("header") == (header is not None):
            raise _disorder(header is not None)
        if request.HasField("header"):
            header = request.header
        elif request.HasField("text"):
            if request.text.start != length or blocks:
                raise _gap(request.text.start, length, bool(blocks))
            parts.append(request.text.text)
            length += len(request.text.text)
            if length > max_characters:
                raise _too_long(length, max_characters)
        else:
            add_blocks(blocks, request.blocks.blocks)
    if header is None:
        raise _disorder(False)
    _check_ranges(blocks, length)
    return ChunkCall(
        document=ExtractedDocument(
            text="".join(parts),
            document_type=header.document_type or "text",
            media_type="",
            category=header.category,
            title=header.title,
            language=header.language,
            blocks=tuple(blocks),
            pages=tuple(map(page_value, header.pages)),
        ),
        options=options_from_wire(header.options),
        identity=header.identity,
        also_fit=tuple(header.also_fit),
        characters_only=header.characters_only,
    )


def _check_ranges(blocks: list[Block], length: int) -> None:
    for index, block in enumerate(blocks):
        if not block.start <= block.end <= length:
            told = f"[{block.start}, {block.end}) is no range of a text of {length} code points."
            raise InvalidArgument(f"Block {index}: {told}", fields=[FieldViolation("blocks.range", told)])


def _disorder(again: bool) -> InvalidArgument:
    told = "it came twice" if again else "the first message does not hold it"
    return InvalidArgument(
        f"A call to Chunk begins with one header, but {told}.",
        reason=Reason.UPLOAD_HEADER_MISSING,
        fields=[FieldViolation("header", "required in the first message, and only there")],
    )


def _gap(start: int, expected: int, behind_blocks: bool) -> InvalidArgument:
    told = "text comes before blocks" if behind_blocks else f"the next part starts at {expected}, not {start}"
    return InvalidArgument(
        f"The parts of the text are out of order: {told}.", fields=[FieldViolation("text.start", told)]
    )


def _too_long(length: int, limit: int) -> ResourceExhausted:
    return ResourceExhausted(
        f"The text has {length:,} characters or more; the limit is {limit:,}. Split the document.",
        reason=Reason.DOCUMENT_TOO_LARGE,
        metadata={"limit": str(limit)},
    )


def _responses(cut: ChunkedDocument) -> Iterator[chunking_pb2.ChunkResponse]:
    for sections in batches(map(_section, cut.sections)):
        yield chunking_pb2.ChunkResponse(sections=chunking_pb2.SectionBatch(sections=sections))
    for passages in batches(map(_passage, cut.chunks)):
        yield chunking_pb2.ChunkResponse(passages=chunking_pb2.PassageBatch(passages=passages))
    yield chunking_pb2.ChunkResponse(
        summary=chunking_pb2.ChunkSummary(
            strategy=STRATEGIES[cut.strategy],
            size=cut.size,
            overlap=cut.overlap,
            token_cap=cut.token_cap,
            effective_limit=_LIMITS[cut.effective_limit],
            section_count=len(cut.sections),
            chunk_count=len(cut.chunks),
            notices=map(notice_to_wire, cut.warnings),
            chunker_stamp=cut.chunker_stamp,
        )
    )


def _section(section: Section) -> chunking_pb2.ChunkedSection:
    return chunking_pb2.ChunkedSection(
        index=section.index,
        range=common_pb2.Range(start=section.start, end=section.end),
        kind=CHUNK_KINDS[section.kind],
        heading_path=section.heading_path,
        locator=section.locator,
        page_start=section.page_start,
        page_end=section.page_end,
    )


def _passage(chunk: Chunk) -> chunking_pb2.ChunkedPassage:
    return chunking_pb2.ChunkedPassage(
        index=chunk.index,
        section_index=chunk.section_index,
        range=common_pb2.Range(start=chunk.start, end=chunk.end),
        text=chunk.text,
        context=chunk.context,
        kind=CHUNK_KINDS[chunk.kind],
        language=chunk.language,
        heading_path=chunk.heading_path,
        locator=chunk.locator,
        page=chunk.page,
        overlap=chunk.overlap,
        identifiers=chunk.identifiers,
        contains_code=chunk.contains_code,
        chunk_hash=chunk.chunk_hash,
        occurrence=chunk.occurrence,
        token_count=chunk.token_count,
    )
