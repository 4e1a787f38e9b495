"""Settings of the extraction service."""

from __future__ import annotations

import os
from typing import ClassVar

from pydantic import Field

from findspot.config import ServiceSettings

from .readers.reader import ReadLimits
from .worker import WorkerLimits
from .workers import PoolOptions


class ExtractionSettings(ServiceSettings):
    """Where the service listens, how many documents it reads at a time, and what one may cost."""

    section: ClassVar[str] = "extraction"

    port: int = Field(default=7411, ge=0, le=65_535)
    """TCP port to listen on; 0 takes any free one."""
    max_document_mib: int = Field(default=50, ge=1, le=2_000)
    """Largest file that is read, in MiB."""
    workers: int = Field(default_factory=lambda: max(1, min(os.cpu_count() or 1, 8)), ge=1, le=256)
    """Worker processes, and so documents read at the same time; by default one a core, at most 8."""
    worker_memory_mib: int = Field(default=2_048, ge=128, le=1_000_000)
    """Address space of one worker process in MiB: a document that needs more is refused."""
    worker_cpu_seconds: int = Field(default=120, ge=1, le=86_400)
    """Processor time for one document, in seconds."""
    worker_wall_seconds: float = Field(default=180.0, gt=0, le=86_400)
    """Time for one document from hand-over to answer, in seconds."""
    documents_per_worker: int = Field(default=200, ge=1)
    """Documents after which a worker process is replaced by a new one."""
    max_waiting: int = Field(default=64, ge=1)
    """Documents that may wait for a worker; further ones are refused as OVERLOADED."""
    max_characters: int = Field(default=50_000_000, ge=1_000)
    """Longest text that one document may give, in characters."""
    max_pages: int = Field(default=10_000, ge=1)
    """Most pages, slides or sheets that one document may have."""
    max_expanded_mib: int = Field(default=500, ge=1)
    """Most MiB that the members of an archive-like document may expand to."""

    def pool_options(self) -> PoolOptions:
        """What the worker pool takes of these settings."""
        limits = WorkerLimits(
            memory_bytes=self.worker_memory_mib * 1024**2,
            cpu_seconds=self.worker_cpu_seconds,
            read=ReadLimits(
                max_characters=self.max_characters,
                max_pages=self.max_pages,
                max_expanded_bytes=self.max_expanded_mib * 1024**2,
            ),
        )
        return PoolOptions(
            workers=self.workers,
            documents_per_worker=self.documents_per_worker,
            wall_seconds=self.worker_wall_seconds,
            max_waiting=self.max_waiting,
            limits=limits,
        )
