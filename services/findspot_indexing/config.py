"""Settings of the indexing service."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, SecretStr, model_validator

from findspot.settings.document_types import DocumentTypeSettings
from findspot.settings.manifest import ManifestSettings
from findspot.stores.manifest.engine import is_local
from findspot_indexing.membership import Membership
from findspot_indexing.service import Limits


class IndexingSettings(ManifestSettings, DocumentTypeSettings):
    """Whom the service asks, what it takes, and how hard it works."""

    section: ClassVar[str] = "indexing"

    port: int = Field(default=7415, ge=0, le=65_535)
    """TCP port to listen on; 0 takes any free one."""
    extraction_address: str = "127.0.0.1:7411"
    """Address of the extraction service."""
    chunking_address: str = "127.0.0.1:7412"
    """Address of the chunking service."""
    embedding_address: str = ""
    """Address of the embedding service; empty indexes for search by words alone, and says so."""
    vectors_address: str = ""
    """Address of the vector store as host:port, or a URL; empty indexes for search by words alone."""
    vectors_api_key: SecretStr = SecretStr("")
    """Key that the vector store asks for; empty sends none."""
    text_index: str = "local"
    """`local` where this process owns the text index of the data folder; else host:port of the indexing process that
    does, which makes this one a worker beside it: that needs a manifest in PostgreSQL and the same data folder."""
    heartbeat_seconds: float = Field(default=3.0, gt=0, le=600)
    """Between two signs of life, where several processes index into one manifest."""
    instance_timeout_seconds: float = Field(default=15.0, gt=0, le=3_600)
    """After so long without a sign of life a process counts as dead; several times `heartbeat_seconds`."""
    durability: Literal["FULL", "NORMAL"] = "FULL"
    """FULL survives a power cut, NORMAL only the death of the process, and writes faster."""
    max_document_mib: float = Field(default=50.0, gt=0, le=2_000)
    """Largest file that is taken, in MiB."""
    max_attempts: int = Field(default=5, ge=1, le=100)
    """Tries of a document, or of a chunk's vector, before it is given up."""
    lease_seconds: float = Field(default=600.0, ge=10, le=86_400)
    """How long a claim of work holds unless it is renewed."""
    documents_in_flight: int = Field(default=16, ge=1, le=1_000)
    """Documents between their claim and their publication at the same time."""
    extractions: int = Field(default=4, ge=1, le=256)
    """Documents that are being extracted and chunked at the same time."""
    embed_batch: int = Field(default=64, ge=1, le=128)
    """Chunks in one call to the embedding service."""
    embed_batches_in_flight: int = Field(default=3, ge=1, le=64)
    """Calls to the embedding service at the same time."""
    sweep_seconds: float = Field(default=30.0, gt=0, le=3_600)
    """Seconds between looks for work that no change announced."""
    retired_seconds: float = Field(default=60.0, ge=0, le=86_400)
    """How long a retired chunk stays in the text index and the vector store, for searches that began before."""
    scrub_seconds: float = Field(default=60.0, ge=0, le=86_400)
    """How long after a purge what it left inside the files of the stores is taken out, so that many purges share it."""
    text_commit_seconds: float = Field(default=0.2, ge=0, le=60)
    """Least time between two commits of the text index."""
    max_uploads: int = Field(default=16, ge=1, le=1_000)
    """Uploads at the same time, each of which may hold a whole file in memory; further ones are refused."""
    extraction_timeout_seconds: float = Field(default=600.0, gt=0, le=86_400)
    """How long the extraction of one document may take, waiting included."""
    chunking_timeout_seconds: float = Field(default=300.0, gt=0, le=86_400)
    """How long the chunking of one document may take, waiting included."""
    embedding_timeout_seconds: float = Field(default=120.0, gt=0, le=86_400)
    """How long the embedding of one batch may take, waiting included."""
    source_roots: tuple[str, ...] = ()
    """Directories in which those that collections follow have to lie; empty allows every one. Set it where callers may
    not read all that this process can."""
    max_source_files: int = Field(default=1_000_000, ge=1, le=100_000_000)
    """Most files of one directory; a directory that holds more is refused, and nothing of it is pruned."""
    rescan_minutes: float = Field(default=15.0, gt=0, le=10_080)
    """Minutes between two looks at the whole of a watched directory, for changes that nobody told."""

    @model_validator(mode="after")
    def _signs_before_death(self) -> IndexingSettings:
        if self.instance_timeout_seconds < 2 * self.heartbeat_seconds:
            raise ValueError(
                f"instance_timeout_seconds ({self.instance_timeout_seconds:g}) has to be at least twice "
                f"heartbeat_seconds ({self.heartbeat_seconds:g}), or processes that live count as dead"
            )
        return self

    @property
    def owns_text_index(self) -> bool:
        """True of the one process that writes the text index."""
        return self.text_index == "local"

    def membership(self, place: str) -> Membership:
        """What this process is among those that index into its manifest; `place` names it for people."""
        return Membership(
            owner=self.owns_text_index,
            alone=is_local(self.manifest or self.data),
            place=place,
            heartbeat_seconds=self.heartbeat_seconds,
            timeout_seconds=self.instance_timeout_seconds,
        )

    def limits(self) -> Limits:
        """What the use cases take of these settings."""
        return Limits(
            max_document_bytes=int(self.max_document_mib * 1024 * 1024),
            max_attempts=self.max_attempts,
            lease_seconds=self.lease_seconds,
            documents_in_flight=self.documents_in_flight,
            extractions=self.extractions,
            source_roots=self.source_roots,
            embed_batch=self.embed_batch,
            embed_batches_in_flight=self.embed_batches_in_flight,
            sweep_seconds=self.sweep_seconds,
            retired_seconds=self.retired_seconds,
            scrub_seconds=self.scrub_seconds,
            extraction_timeout_seconds=self.extraction_timeout_seconds,
            chunking_timeout_seconds=self.chunking_timeout_seconds,
            embedding_timeout_seconds=self.embedding_timeout_seconds,
            max_source_files=self.max_source_files,
            rescan_seconds=self.rescan_minutes * 60,
        )
