"""Settings of the suite as a whole: its folder, its address, and the ports that its services must use."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from findspot.config import DEFAULT_DATA, DEFAULT_REGISTRY, HomePath, ServiceSettings, load_settings
from findspot.errors import FieldViolation, InvalidArgument
from findspot.settings.sources import read_sources
from findspot.suite.layout import SERVICES


class SuiteSettings(ServiceSettings):
    """What `findspot up` and every command that talks to a running suite need to know."""

    section: ClassVar[str] = "suite"

    registry: HomePath = Path(DEFAULT_REGISTRY)
    """Folder in which running suites of this user are noted, so that commands find them."""


def load_suite_settings(data: Path | None = None) -> SuiteSettings:
    """The settings in force; `data` overrides the folder. InvalidArgument lists everything that is wrong."""
    return load_settings(SuiteSettings) if data is None else load_settings(SuiteSettings, data=data)


def configured_ports(data: Path) -> dict[str, int]:
    """The port that each service was told to use (`FINDSPOT_QUERY_PORT`, or `port` in its table); 0 where none was."""
    sources = read_sources(data, Path(DEFAULT_DATA))
    found = {name: sources.find(name, "port", False, int) for name in SERVICES}
    return {name: _port(*value) if value is not None else 0 for name, value in found.items()}


def configured_manifest(data: Path) -> str:
    """The URL of the manifest that indexing or query was told to use, for both of them; empty for SQLite in the folder.

    InvalidArgument when they were told different ones: nothing that is indexed would ever be found.
    """
    sources = read_sources(data, Path(DEFAULT_DATA))
    found = [sources.find(name, "manifest", True, str) for name in ("indexing", "query")]
    told = [value for value in found if value is not None]
    if len({url for url, _ in told}) > 1:
        message = (
            f"{' and '.join(origin for _, origin in told)} name different manifests; give both services the same one, "
            "best once, as FINDSPOT_MANIFEST or as `manifest` at the top of findspot.toml"
        )
        raise InvalidArgument(message, fields=[FieldViolation("manifest", message)])
    return str(told[0][0]) if told else ""


def manifest_environments(url: str) -> dict[str, dict[str, str]]:
    """What tells the services that have a manifest where it is, by service; empty leaves it to their settings."""
    return {name: {f"FINDSPOT_{name.upper()}_MANIFEST": url} for name in ("indexing", "query") if url}


def _port(value: object, origin: str) -> int:
    if str(value).isdecimal() and 0 <= int(str(value)) <= 65535:
        return int(str(value))
    message = f"{origin}: {value!r} is no port; use a number from 0 (any free one) to 65535"
    raise InvalidArgument(message, fields=[FieldViolation("port", message)])
