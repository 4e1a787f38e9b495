"""Settings of the extraction service."""

from __future__ import annotations

import os
from typing import ClassVar, Literal

from pydantic import Field, SecretStr, model_validator

from findspot.settings.document_types import DocumentTypeSettings

from .pictures import PictureOptions
from .readers.reader import ReadLimits
from .vision import VisionOptions
from .worker import WorkerLimits
from .workers import PoolOptions


class ExtractionSettings(DocumentTypeSettings):
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

    ocr: Literal["auto", "off"] = "auto"
    """Read pages without a text layer, and images, by optical character recognition: `auto` when the extra `ocr`
    is installed, or `off`."""
    max_picture_pages: int = Field(default=200, ge=0)
    """Pages of one document that are read from their pictures; the others stay without text, which is said."""
    picture_seconds: float = Field(default=400.0, gt=0, le=86_400)
    """Time for reading the pictures of one document, in seconds; pages not begun by then stay without text."""
    max_render_pixels: int = Field(default=40_000_000, ge=10_000, le=1_000_000_000)
    """Most pixels of a page that `RenderPage` draws."""
    vision_endpoint: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Base address of an OpenAI-compatible HTTP endpoint that transcribes pages without a text layer and
    describes images, for example https://api.example.com/v1; empty asks none."""
    vision_api_key: SecretStr = SecretStr("")
    """Sent to the vision endpoint as a bearer token; empty sends none."""
    vision_model: str = ""
    """The endpoint's name for the model that sees."""
    vision_timeout_seconds: float = Field(default=60.0, gt=0, le=3_600)
    """How long the vision endpoint may take for one page."""
    vision_connections: int = Field(default=4, ge=1, le=256)
    """Pages that the vision endpoint is asked for at the same time."""

    @model_validator(mode="after")
    def _vision_needs_a_model(self) -> ExtractionSettings:
        if self.vision_endpoint and not self.vision_model:
            raise ValueError("`vision_endpoint` needs `vision_model`, the name of the model to ask for")
        return self

    def picture_options(self) -> PictureOptions:
        """What reading from pictures takes of these settings."""
        return PictureOptions(
            ocr=self.ocr,
            max_pages=self.max_picture_pages,
            seconds=self.picture_seconds,
            at_a_time=max(1, self.workers // 2),
        )

    def vision_options(self) -> VisionOptions | None:
        """Where pictures are sent to; None asks nobody."""
        if not self.vision_endpoint:
            return None
        return VisionOptions(
            url=self.vision_endpoint,
            model=self.vision_model,
            api_key=self.vision_api_key.get_secret_value(),
            timeout=self.vision_timeout_seconds,
            connections=self.vision_connections,
        )

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
