"""The setting that the services which read, cut and check document types share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from findspot.config import ServiceSettings
from findspot.configured_types import ConfiguredTypes, configured_types, read_types
from findspot.errors import FieldViolation


class DocumentTypeSettings(ServiceSettings):
    """A service that knows document types."""

    document_types: dict[str, Any] = Field(default_factory=dict)
    """Document types that are added or changed: tables [document_types.NAME] at the top of findspot.toml."""

    @classmethod
    def value_faults(cls, values: Mapping[str, Any], origins: Mapping[str, str]) -> list[FieldViolation]:
        """Everything that is wrong with the tables."""
        tables = values.get("document_types")
        if not isinstance(tables, Mapping):
            return []
        return read_types(tables, origins.get("document_types", "argument"))[1]

    def types(self) -> ConfiguredTypes:
        """The document types in force."""
        return configured_types(self.document_types)
