"""Where the manifest is: the setting that indexing, which writes it, and query, which reads it, share."""

from __future__ import annotations

from findspot.config import ServiceSettings


class ManifestSettings(ServiceSettings):
    """A service that works with the manifest."""

    manifest: str = ""
    """URL of the manifest, the same for indexing and query: postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or
    sqlite:///FILE; empty takes `manifest.sqlite` in the data folder."""
