"""Document types as an operator configures them: tables that add types, or change fields of those that are known.

Extraction, chunking and indexing read the same tables through this module, so that none can differ. A table of
a new name adds a type, read and cut like the type that `like` names, plain text without it. A table of a known
name changes the fields that it gives: `like` then changes the reader alone, and the grammar that belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import Strategy
from findspot.profiles import CATEGORIES, PROFILES, Profile

MIN_SIZE = 50
MAX_SIZE = 20_000
"""Characters of a chunk, context included."""

_KNOWN = MappingProxyType({row.name: row for row in DOCUMENT_TYPES})
_READABLE = tuple(sorted(row.name for row in DOCUMENT_TYPES if row.readable))
_GRAMMARS = tuple(sorted({profile.grammar for profile in PROFILES.values()} - {""}))
_NAME = re.compile(r"[a-z0-9][a-z0-9_+-]{0,63}")
_CLAIMS = ("extensions", "file_names", "media_types")


@dataclass(frozen=True, slots=True)
class ConfiguredTypes:
    """Every document type in force."""

    rows: tuple[DocumentType, ...] = DOCUMENT_TYPES
    """Those known without configuration first, in their order."""

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """How each type is cut, by name; a type that has no profile is cut as plain text."""
        changed = {row.name: row.configured for row in self.rows if row.configured is not None}
        return MappingProxyType({**PROFILES, **changed})


def configured_types(tables: Mapping[str, Any], origin: str = "configuration") -> ConfiguredTypes:
    """The types in force with these tables, by name of the type.

    InvalidArgument with a field violation for everything that is wrong; `origin` is where the tables are from.
    """
    types, faults = read_types(tables, origin)
    if faults:
        listed = "".join(f"\n  {fault.description}" for fault in faults)
        raise InvalidArgument(f"The document types cannot be used:{listed}", fields=faults)
    return types


def read_types(tables: Mapping[str, Any], origin: str) -> tuple[ConfiguredTypes, list[FieldViolation]]:
    """The types in force, and everything that is wrong with the tables; what is wrong is left out."""
    faults = _Faults(origin)
    rows = dict(_KNOWN)
    for name, table in tables.items():
        if not _NAME.fullmatch(name):
            faults.add(
                name,
                name,
                "names begin with a lower-case letter or a digit, then those, _, + and -, at most 64",
            )
        elif not isinstance(table, Mapping):
            faults.add(name, table, f"a table with {', '.join(_FIELDS)}")
        else:
            rows[name] = _merged(name, _given(name, table, faults), faults)
    _check_claims(rows, tables, faults)
    return ConfiguredTypes(tuple(rows.values())), faults.found


class _Faults:
    """What is wrong, with the key, the value, where it is from, and what is allowed."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self.found: list[FieldViolation] = []

    def add(self, key: str, value: object, allowed: str) -> None:
        field = f"document_types.{key}"
        self.found.append(
            FieldViolation(field, f"{field} = {value!r} ({self._origin}) cannot be. Allowed: {allowed}.")
        )


def _given(name: str, table: Mapping[str, Any], faults: _Faults) -> dict[str, Any]:
    """The fields of one table that can be used, as the types of the rows have them."""
    given = {}
    for key, value in table.items():
        field = _FIELDS.get(key)
        if field is None:
            faults.add(f"{name}.{key}", value, f"only the fields {', '.join(_FIELDS)}")
            continue
        read, allowed = field
        found = read(value)
        if found is None:
            faults.add(f"{name}.{key}", value, allowed)
        else:
            given[key] = found
    return given


def _merged(name: str, given: Mapping[str, Any], faults: _Faults) -> DocumentType:
    known = _KNOWN.get(name)
    like = _KNOWN[given.get("like", "" if known else "text") or name]
    row = known or DocumentType(
        name, name, magic=like.magic, members=like.members, fallback_media_type=like.media_type
    )
    row = replace(row, **{field: given[field] for field in _CLAIMS if field in given})
    if like is not known:
        row = replace(row, reader=like.reader, read_like=like.name)
    before = (known or like).profile
    changes = {field: given[field] for field in ("category", "strategy", "size", "overlap") if field in given}
    grammar = given.get("grammar", like.profile.grammar)
    profile = replace(before, document_type=name, grammar=grammar, **changes)
    _check_profile(profile, row, given, faults)
    return row if known and profile == before else replace(row, configured=profile)


def _check_profile(profile: Profile, row: DocumentType, given: Mapping[str, Any], faults: _Faults) -> None:
    if profile.overlap >= profile.size:
        at = "overlap" if "overlap" in given else "size"
        faults.add(
            f"{row.name}.{at}",
            given.get(at, profile.overlap),
            f"an overlap below the size; they are {profile.overlap} and {profile.size}",
        )
    if bool(profile.grammar) != row.reader.endswith(".code"):
        faults.add(
            f"{row.name}.grammar",
            profile.grammar,
            'a grammar for types that are read like a programming language (like = "python"), none for others',
        )


def _check_claims(rows: Mapping[str, DocumentType], tables: Mapping[str, Any], faults: _Faults) -> None:
    """No extension, file name or media type may mean two types."""
    for field in _CLAIMS:
        claims: dict[str, list[str]] = {}
        for row in rows.values():
            for claim in dict.fromkeys(getattr(row, field)):
                claims.setdefault(claim, []).append(row.name)
        for claim, names in claims.items():
            if len(names) < 2:
                continue
            mine = next(
                (name for name in reversed(names) if name in tables and field in tables[name]), names[-1]
            )
            others = ", ".join(name for name in names if name != mine)
            faults.add(
                f"{mine}.{field}",
                claim,
                f"what no other type has; {others} has it, and loses it when its own {field} are set without it",
            )


def _texts(value: object, form: str) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        return None
    texts = tuple(dict.fromkeys(text.lower() for text in value))
    return texts if all(re.fullmatch(form, text) for text in texts) else None


def _number(value: object, least: int, most: int) -> int | None:
    # True is an int for Python, and no size for anybody.
    return (
        value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None
    )


def _one_of(value: object, allowed: tuple[str, ...]) -> str | None:
    return value if isinstance(value, str) and value in allowed else None


def _strategy(value: object) -> Strategy | None:
    found = _one_of(value, tuple(Strategy))
    return None if found is None else Strategy(found)


_FIELDS: Mapping[str, tuple[Callable[[object], Any], str]] = MappingProxyType(
    {
        "extensions": (
            lambda value: _texts(value, r"\.[^\s/\\]+"),
            'a list of extensions with the dot, such as [".notes"]',
        ),
        "file_names": (
            lambda value: _texts(value, r"[^/\\\n]+"),
            'a list of whole file names without a folder, such as ["minutes"]',
        ),
        "media_types": (
            lambda value: _texts(value, r"[^\s/;]+/[^\s/;]+"),
            'a list of media types without parameters, such as ["text/x-notes"]',
        ),
        "like": (
            lambda value: _one_of(value, _READABLE),
            f"the type whose reader reads it, one of {', '.join(_READABLE)}",
        ),
        "category": (lambda value: _one_of(value, CATEGORIES), f"one of {', '.join(CATEGORIES)}"),
        "strategy": (_strategy, f"one of {', '.join(Strategy)}"),
        "size": (
            lambda value: _number(value, MIN_SIZE, MAX_SIZE),
            f"a whole number of characters from {MIN_SIZE} to {MAX_SIZE:,}",
        ),
        "overlap": (
            lambda value: _number(value, 0, MAX_SIZE - 1),
            "a whole number of characters from 0, below the size",
        ),
        "grammar": (lambda value: _one_of(value, _GRAMMARS), f"one of {', '.join(_GRAMMARS)}"),
    }
)
"""How each field of a table is read (None: it cannot be), and what is allowed, in words."""
