"""Settings of the query service."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, SecretStr

from findspot.settings.manifest import ManifestSettings


class QuerySettings(ManifestSettings):
    """Whom the service asks, and how far a search looks."""

    section: ClassVar[str] = "query"

    embedding_address: str = ""
    """Address of the embedding service; empty searches by text alone, and says so."""
    vectors_address: str = ""
    """Address of the vector store as host:port, or a URL; empty searches by text alone, and says so."""
    vectors_api_key: SecretStr = SecretStr("")
    """Key that the vector store asks for; empty sends none."""
    manifest_connections: int = Field(default=16, ge=2, le=1_000)
    """Connections to the manifest that stay open; under load twice as many are used."""
    window: int = Field(default=100, ge=1, le=10_000)
    """Candidates that each arm is asked for at first."""
    max_window: int = Field(default=3_200, ge=1, le=100_000)
    """Candidates that each arm is asked for at most, while there are too few groups for a page."""
    text_threads: int = Field(default=4, ge=1, le=256)
    """Threads that search the text index."""
    embedding_budget_seconds: float = Field(default=2.0, gt=0, le=60)
    """How long the vector of a query may take before the search goes on by text alone."""
    vectors_budget_seconds: float = Field(default=5.0, gt=0, le=60)
    """How long the vector store may take before the search goes on by text alone."""
    vector_cache_seconds: float = Field(default=300.0, ge=0, le=86_400)
    """How long the vector of a query is kept."""
    vector_cache_entries: int = Field(default=2_048, ge=0, le=1_000_000)
    """Vectors of queries that are kept."""
    text_cache_characters: int = Field(default=32_000_000, ge=0)
    """Characters of full texts that are kept in memory."""
    recent_windows: int = Field(default=64, ge=0, le=100_000)
    """Rankings that are kept for their next pages."""
    page_token_key: SecretStr = SecretStr("")
    """Signs page tokens; replicas need the same one. Empty makes one and keeps it in the data folder."""
    schema_check_seconds: float = Field(default=1.0, gt=0, le=60)
    """How often to look whether indexing has brought the manifest to a schema that this version reads."""
