"""The chunking service as other services call it: dataclasses in and out, `FindspotError` raised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import grpc

from findspot.errors import Internal
from findspot.model import (
    Chunk,
    ChunkedDocument,
    ChunkingOptions,
    ExtractedDocument,
    Section,
)
from findspot.rpc.chunking_messages import (
    chunk_kind_from_wire,
    options_from_wire,
    options_to_wire,
    strategy_from_wire,
)
from findspot.rpc.document_messages import block_batches, page_message, text_parts
from findspot.rpc.document_values import notices
from findspot.rpc.status import from_rpc_error
from findspot.v1 import chunking_pb2, chunking_pb2_grpc

DEFAULTS = ChunkingOptions()

_LIMITS = {
    chunking_pb2.EFFECTIVE_LIMIT_UNSPECIFIED: "",
    chunking_pb2.EFFECTIVE_LIMIT_CHARS: "CHARS",
    chunking_pb2.EFFECTIVE_LIMIT_TOKENS: "TOKENS",
}


@dataclass(frozen=True, slots=True)
class ChunkingProfile:
    """How documents of one type are cut unless somebody says otherwise."""

    document_type: str
    options: ChunkingOptions


@dataclass(frozen=True, slots=True)
class ChunkingProfiles:
    """How every type is cut, by name, and who cuts."""

    profiles: tuple[ChunkingProfile, ...]
    chunker_stamp: str
    """What a document that is cut now gets: one whose stamp differs would be cut otherwise."""


class ChunkingPeer:
    """Calls over one channel of `findspot.rpc.channel.open_channel`; the caller closes the channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = chunking_pb2_grpc.ChunkingServiceStub(channel)

    async def chunk(
        self,
        document: ExtractedDocument,
        options: ChunkingOptions = DEFAULTS,
        *,
        identity: str = "",
        also_fit: Sequence[str] = (),
        characters_only: bool = False,
        timeout: float | None = None,
    ) -> ChunkedDocument:
        """Sections and chunks of a document; its words, boxes and marginalia are not sent.

        `identity` names whose tokenizer counts, empty takes the active one; `also_fit` names further ones whose
        inputs the chunks have to fit as well; `characters_only` counts no tokens. `timeout` is in seconds; None
        takes the deadline of the call being served, else none. Raises the `FindspotError` that the service
        answered; Unavailable when embedding, which counts the tokens, is not there.
        """
        requests = _requests(document, options, identity, also_fit, characters_only)
        sections: list[Section] = []
        chunks: list[Chunk] = []
        summary: chunking_pb2.ChunkSummary | None = None
        try:
            async for response in self._stub.Chunk(requests, timeout=timeout):
                sections.extend(map(_section, response.sections.sections))
                chunks.extend(map(_chunk, response.passages.passages))
                if response.HasField("summary"):
                    summary = response.summary
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        if summary is None or (summary.section_count, summary.chunk_count) != (len(sections), len(chunks)):
            raise Internal(
                f"The chunking service answered {len(sections)} sections and {len(chunks)} chunks, "
                f"and announced {'nothing' if summary is None else (summary.section_count, summary.chunk_count)}."
            )
        return ChunkedDocument(
            sections=tuple(sections),
            chunks=tuple(chunks),
            strategy=strategy_from_wire(summary.strategy),
            size=summary.size,
            overlap=summary.overlap,
            effective_limit=_LIMITS.get(summary.effective_limit, ""),
            token_cap=summary.token_cap if summary.HasField("token_cap") else None,
            warnings=notices(summary.notices),
            chunker_stamp=summary.chunker_stamp,
        )

    async def profiles(self, timeout: float | None = None) -> ChunkingProfiles:
        """How each document type is cut unless somebody says otherwise, and the stamp of what is cut now.

        `timeout` is in seconds; None takes the deadline of the call being served, else none.
        """
        try:
            answer = await self._stub.ListProfiles(chunking_pb2.ListProfilesRequest(), timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return profiles_from_wire(answer)


def profiles_from_wire(answer: chunking_pb2.ListProfilesResponse) -> ChunkingProfiles:
    """The profiles of an answer."""
    rows = (ChunkingProfile(row.document_type, options_from_wire(row.options)) for row in answer.profiles)
    return ChunkingProfiles(tuple(rows), answer.chunker_stamp)


def _requests(
    document: ExtractedDocument,
    options: ChunkingOptions,
    identity: str,
    also_fit: Sequence[str],
    characters_only: bool,
) -> Iterator[chunking_pb2.ChunkRequest]:
    yield chunking_pb2.ChunkRequest(
        header=chunking_pb2.ChunkHeader(
            document_type=document.document_type,
            title=document.title,
            language=document.language,
            pages=map(page_message, document.pages),
            options=options_to_wire(options),
            identity=identity,
            category=document.category,
            characters_only=characters_only,
            also_fit=also_fit,
        )
    )
    for part in text_parts(document.text):
        yield chunking_pb2.ChunkRequest(text=part)
    for batch in block_batches(document.blocks):
        yield chunking_pb2.ChunkRequest(blocks=batch)


def _section(section: chunking_pb2.ChunkedSection) -> Section:
    return Section(
        index=section.index,
        start=section.range.start,
        end=section.range.end,
        kind=chunk_kind_from_wire(section.kind),
        heading_path=tuple(section.heading_path),
        locator=section.locator,
        page_start=section.page_start,
        page_end=section.page_end,
    )


def _chunk(passage: chunking_pb2.ChunkedPassage) -> Chunk:
    return Chunk(
        index=passage.index,
        section_index=passage.section_index,
        start=passage.range.start,
        end=passage.range.end,
        text=passage.text,
        context=passage.context,
        kind=chunk_kind_from_wire(passage.kind),
        language=passage.language,
        heading_path=tuple(passage.heading_path),
        locator=passage.locator,
        page=passage.page,
        overlap=passage.overlap,
        identifiers=tuple(passage.identifiers),
        contains_code=passage.contains_code,
        chunk_hash=passage.chunk_hash,
        occurrence=passage.occurrence,
        token_count=passage.token_count if passage.HasField("token_count") else None,
    )
