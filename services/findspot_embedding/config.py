"""Settings of the embedding service."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, SecretStr, model_validator

from findspot.config import ServiceSettings
from findspot_embedding import packaged


class EmbeddingSettings(ServiceSettings):
    """Which models make vectors, and how much may wait for them."""

    section: ClassVar[str] = "embedding"

    provider: Literal["fastembed", "openai", "none"] = "fastembed"
    """What makes vectors: a model in this process, an OpenAI-compatible HTTP endpoint, or nothing."""
    model: str = Field(default=packaged.NAME, min_length=1)
    """The active model: the packaged default, a folder with an ONNX model, a name that fastembed knows, or the
    endpoint's name for it."""
    also_load: tuple[str, ...] = ()
    """Further models of the same provider to keep loaded, so that old vectors serve while new ones are made;
    an endpoint is asked for them with the same key, tokenizer and limit."""
    model_cache: Path | None = None
    """Folder in which fastembed's named models lie; `<data>/models/hub` when empty. Nothing is downloaded."""
    document_prefix: str | None = None
    """What to put before each document; empty takes what the active model is published with."""
    query_prefix: str | None = None
    """What to put before each query; empty takes what the active model is published with."""
    document_threads: int = Field(default=0, ge=0, le=1024)
    """Threads that embed documents; 0 takes one a core."""
    query_threads: int = Field(default=2, ge=1, le=256)
    """Threads that embed queries, on top of those for documents."""
    document_queue: int = Field(default=1024, ge=1)
    """Document texts that may wait; a call beyond them is refused with the time to wait."""
    query_queue: int = Field(default=256, ge=1)
    """Query texts that may wait; a call beyond them is refused with the time to wait."""
    query_cache_entries: int = Field(default=4096, ge=0)
    """Query vectors that are kept; 0 keeps none."""
    query_cache_seconds: float = Field(default=300.0, ge=0)
    """How long a query vector is kept."""
    endpoint: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Base address of the HTTP endpoint, for example https://api.example.com/v1; `/embeddings` is appended."""
    api_key: SecretStr = SecretStr("")
    """Sent to the endpoint as a bearer token; empty sends none."""
    dimensions: int = Field(default=0, ge=0, le=65_536)
    """Floats in a vector of the endpoint's model; 0 asks it once at the start."""
    send_dimensions: bool = False
    """Ask the endpoint for `dimensions` in each request, for models that can shorten their vectors."""
    input_limit: int = Field(default=8191, ge=16)
    """Tokens that the endpoint's model takes, special tokens included."""
    tokenizer: Path | None = None
    """tokenizer.json of the endpoint's model; without it each UTF-8 byte counts as a token."""
    model_revision: str = ""
    """Change it when the endpoint serves other weights under the same name: everything is embedded again."""
    endpoint_texts: int = Field(default=32, ge=1, le=128)
    """Texts in one request to the endpoint."""
    endpoint_connections: int = Field(default=4, ge=1, le=256)
    """Requests with documents that are under way at the same time."""
    endpoint_timeout_seconds: float = Field(default=30.0, gt=0, le=3600)
    """How long a request with documents may take."""
    query_timeout_seconds: float = Field(default=5.0, gt=0, le=3600)
    """How long a request with queries may take."""

    @model_validator(mode="after")
    def _openai_needs_an_endpoint(self) -> EmbeddingSettings:
        if self.provider == "openai" and not self.endpoint:
            raise ValueError('provider = "openai" needs `endpoint`, the base address to call')
        return self
