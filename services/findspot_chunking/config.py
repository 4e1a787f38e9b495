"""Settings of the chunking service."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from findspot.settings.document_types import DocumentTypeSettings


class ChunkingSettings(DocumentTypeSettings):
    """Who counts the tokens, and what one document and one process may cost."""

    section: ClassVar[str] = "chunking"

    port: int = Field(default=7412, ge=0, le=65_535)
    """TCP port to listen on; 0 takes any free one."""
    embedding_address: str = ""
    """Address of the embedding service, which counts tokens; empty cuts by characters alone, and says so."""
    workers: int = Field(default=2, ge=1, le=64)
    """Documents cut at the same time, one thread each."""
    max_documents: int = Field(default=16, ge=1, le=10_000)
    """Documents in the service at the same time, those that wait included; further calls are refused."""
    max_characters: int = Field(default=50_000_000, ge=1)
    """Code points one document may have; a longer one is refused while it arrives."""
    max_chunks: int = Field(default=200_000, ge=1)
    """Chunks one document may have; one that makes more is refused."""
