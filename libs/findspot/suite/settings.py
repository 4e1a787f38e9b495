"""Settings of the suite as a whole: its folder, its address, and the ports that must be used."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from findspot.config import ServiceSettings, load_settings


class SuiteSettings(ServiceSettings):
    """What `findspot up` and every command that talks to a running suite need to know."""

    section: ClassVar[str] = "suite"

    registry: Path = Field(
        default=Path("~/.local/state/findspot/suites"),
        description="Folder in which running suites of this user are noted, so that commands find them.",
    )
    extraction_port: int = Field(
        default=0, ge=0, le=65535, description="Port of extraction; 0 lets the suite choose."
    )
    chunking_port: int = Field(
        default=0, ge=0, le=65535, description="Port of chunking; 0 lets the suite choose."
    )
    embedding_port: int = Field(
        default=0, ge=0, le=65535, description="Port of embedding; 0 lets the suite choose."
    )
    vectors_port: int = Field(
        default=0, ge=0, le=65535, description="Port of vectors; 0 lets the suite choose."
    )
    indexing_port: int = Field(
        default=0, ge=0, le=65535, description="Port of indexing; 0 lets the suite choose."
    )
    query_port: int = Field(default=0, ge=0, le=65535, description="Port of query; 0 lets the suite choose.")

    def ports(self) -> dict[str, int]:
        """Configured ports by service; 0 where the suite chooses."""
        names = ("extraction", "chunking", "embedding", "vectors", "indexing", "query")
        return {name: int(getattr(self, f"{name}_port")) for name in names}


def load_suite_settings(data: Path | None = None) -> SuiteSettings:
    """The settings in force; `data` overrides the folder. InvalidArgument lists everything that is wrong."""
    overrides = {} if data is None else {"data": data}
    settings = load_settings(SuiteSettings, **overrides)
    return settings.model_copy(update={"registry": settings.registry.expanduser()})
