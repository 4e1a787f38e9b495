"""Settings of the vectors service."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from findspot.config import ServiceSettings


class VectorsSettings(ServiceSettings):
    """Where the service listens, where its files are (`<data>/vectors`), and what it bounds."""

    section: ClassVar[str] = "vectors"

    port: int = Field(default=7414, ge=0, le=65_535)
    """TCP port to listen on; 0 takes any free one."""
    max_message_bytes: int = Field(default=32 * 1024 * 1024, ge=64 * 1024, le=2**31 - 1)
    """Largest gRPC message in either direction, in bytes: an upsert of 256 large points has to fit."""
    flush_points: int = Field(default=4096, ge=1)
    """Points written since the last flush after which the engine flushes: what a restart replays at most."""
    flush_idle_seconds: float = Field(default=2.0, gt=0, le=3_600)
    """Seconds without a write after which the engine flushes."""
    graph_points: int = Field(default=20_000, ge=1)
    """Points of a collection outside of its graph that are searched one by one before a graph is built
    over them."""
