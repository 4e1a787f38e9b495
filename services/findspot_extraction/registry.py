"""Finds the row of a document type by name, file name, media type or first bytes."""

from __future__ import annotations

from collections.abc import Iterable

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import FieldViolation, InvalidArgument


class Registry:
    """An immutable table of types; two registries of the same rows answer alike."""

    def __init__(self, rows: Iterable[DocumentType] = DOCUMENT_TYPES) -> None:
        """A later row takes the extensions and names of an earlier one; names of types have to differ."""
        self.rows = tuple(rows)
        self._by_name = {row.name: row for row in self.rows}
        if len(self._by_name) != len(self.rows):
            raise ValueError("two document types have the same name")
        self._by_extension = {extension: row for row in self.rows for extension in row.extensions}
        self._by_file_name = {name: row for row in self.rows for name in row.file_names}
        self._by_media_type = {media_type: row for row in self.rows for media_type in row.media_types}
        self._magic = [(magic, row) for row in self.rows for magic in row.magic]

    def named(self, name: str) -> DocumentType:
        """The row of a type. InvalidArgument INVALID_FIELD when there is none."""
        row = self._by_name.get(name)
        if row is None:
            raise InvalidArgument(
                f"There is no document type {name!r}; ListDocumentTypes lists those that exist.",
                fields=[FieldViolation("document_type", f"{name!r} is not in the registry")],
            )
        return row

    def get(self, name: str) -> DocumentType | None:
        """The row of a type, or None."""
        return self._by_name.get(name)

    def by_file_name(self, file_name: str) -> DocumentType | None:
        """By the whole name, then its longest extension that is known, then the name before its first dot."""
        name = file_name.replace("\\", "/").rsplit("/", 1)[-1].strip().lower()
        row = self._by_file_name.get(name)
        position = name.find(".")
        while row is None and position >= 0:
            row = self._by_extension.get(name[position:])
            position = name.find(".", position + 1)
        return row or self._by_file_name.get(name.split(".")[0])

    def by_media_type(self, media_type: str) -> DocumentType | None:
        """By the type without its parameters."""
        return self._by_media_type.get(media_type.split(";")[0].strip().lower())

    def by_magic(self, head: bytes) -> DocumentType | None:
        """By the first bytes, where they are certain."""
        return next((row for magic, row in self._magic if head.startswith(magic)), None)
