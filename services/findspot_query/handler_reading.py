"""Answers of reads, to protobuf."""

from __future__ import annotations

from findspot.v1 import query_pb2
from findspot_query.documents import Download, TextAnswer
from findspot_query.handler_values import (
    chunk_message,
    kind_message,
    page_message,
    range_message,
    time_message,
)
from findspot_query.reading import ChunkAnswer, ListAnswer, RangeAnswer
from findspot_query.sections import SectionAnswer


def chunk_response(answer: ChunkAnswer) -> query_pb2.GetChunkResponse:
    """A chunk and its neighbours, or which positions are valid."""
    read = answer.chunk
    return query_pb2.GetChunkResponse(
        found=read is not None,
        chunk=None if read is None else chunk_message(read.chunk, read.range),
        prev_index=answer.prev_index,
        next_index=answer.next_index,
        total_chunks=answer.total,
        message=answer.message,
    )


def range_response(answer: RangeAnswer) -> query_pb2.GetChunkRangeResponse:
    """Neighbouring chunks as one text."""
    return query_pb2.GetChunkRangeResponse(
        found=bool(answer.chunks),
        text=answer.text,
        range=range_message(answer.range),
        chunks=[chunk_message(read.chunk, read.range, text=False) for read in answer.chunks],
        total_chunks=answer.total,
        message=answer.message,
    )


def list_response(answer: ListAnswer) -> query_pb2.ListChunksResponse:
    """A page of chunks."""
    return query_pb2.ListChunksResponse(
        chain_id=answer.document_id,
        title=answer.title,
        total_chunks=answer.total,
        chunks=[chunk_message(read.chunk, read.range) for read in answer.chunks],
        next_page_token=answer.next_page_token,
    )


def section_message(answer: SectionAnswer) -> query_pb2.Section:
    """A section as stored."""
    section, document = answer.section, answer.document
    return query_pb2.Section(
        section_id=section.id,
        document_id=section.document_id,
        collection=document.collection_path,
        file_path=document.file_path,
        title=document.title,
        section_index=section.index,
        kind=kind_message(section.kind),
        heading_path=section.heading_path,
        locator=section.locator,
        range=range_message(answer.range),
        text=answer.text,
        page_start=section.page_start or None,
        page_end=section.page_end or None,
        first_chunk_index=answer.first_chunk_index,
        last_chunk_index=answer.last_chunk_index,
        retired_time=time_message(answer.retired_at),
    )


def text_response(answer: TextAnswer) -> query_pb2.GetDocumentTextResponse:
    """The text of a document, or a range of it."""
    document = answer.document
    return query_pb2.GetDocumentTextResponse(
        document_id=document.id,
        collection=document.collection_path,
        file_path=document.file_path,
        title=document.title,
        text=answer.text,
        range=range_message(answer.range),
        total_length=answer.total_length,
        next_start=answer.next_start,
        generation=document.generation,
        pages=[page_message(page, span) for page, span in answer.pages],
    )


def download_header(download: Download) -> query_pb2.DownloadDocumentResponse:
    """The first message of a download."""
    return query_pb2.DownloadDocumentResponse(
        header=query_pb2.DownloadHeader(
            file_name=download.file_name,
            media_type=download.document.media_type,
            size_bytes=download.size_bytes,
            sha256=download.sha256,
        )
    )
