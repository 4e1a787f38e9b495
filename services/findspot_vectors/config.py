"""Settings of the vectors service."""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class VectorsSettings(BaseSettings):
    """Where the service listens, where its files are, and what it bounds."""

    model_config = SettingsConfigDict(env_prefix="FINDSPOT_VECTORS_", extra="ignore", populate_by_name=True)

    data: Path = Field(
        default=Path("findspot-data"),
        validation_alias=AliasChoices("FINDSPOT_DATA", "data"),
        description="Data folder of the suite; the shards are in its `vectors` folder.",
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=7414, ge=0, le=65_535, description="TCP port; 0 takes any free one.")
    insecure: bool = Field(default=False, description="Listen beyond this machine without TLS and auth.")
    max_message_bytes: int = Field(
        default=32 * 1024 * 1024, ge=1024, description="Largest message, in bytes, in either direction."
    )
    max_concurrent: int = Field(default=256, ge=1, description="Calls served at the same time.")
    grace_seconds: float = Field(
        default=10.0, ge=0, description="How long calls in flight may take when the service stops."
    )
    flush_points: int = Field(
        default=4096, ge=1, description="Points written since the last flush after which the engine flushes."
    )
    flush_idle_seconds: float = Field(
        default=2.0, gt=0, description="Seconds without a write after which the engine flushes."
    )
