"""Text as both databases can hold it: PostgreSQL takes no U+0000, neither takes half a surrogate pair."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import JSON, Dialect, Text, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeEngine

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with U+FFFD in place of every U+0000 and lone surrogate: as long as before, so offsets hold."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def _storable_json(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_storable_json(key): _storable_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable_json(item) for item in value]
    return value


class Words(TypeDecorator[str]):
    """Text that is shown and read."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """What is stored of a text."""
        return None if value is None else storable(value)


class Key(Words):
    """Paths and ids, compared byte by byte: a prefix is then a range, whatever the server's locale."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """SQLite compares byte by byte as it is."""
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())


class Json(TypeDecorator[Any]):
    """Lists and mappings of texts and numbers."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """JSONB where there is one."""
        return dialect.type_descriptor(JSONB() if dialect.name == "postgresql" else JSON())

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """What is stored of a value."""
        return _storable_json(value)
