"""Where values of settings come from: the environment and findspot.toml, looked up by section and name."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from findspot.errors import FieldViolation, InvalidArgument

PREFIX = "FINDSPOT_"
FILE_NAME = "findspot.toml"
SECTIONS = ("suite", "extraction", "chunking", "embedding", "vectors", "indexing", "query", "gateway")
"""Tables that findspot.toml may have; a service checks the keys of its own."""
SHARED_TABLES = ("document_types",)
"""Settings that are tables at the top of findspot.toml, for all services that have them: never for one alone."""


@dataclass(frozen=True)
class Sources:
    """The environment, and the content and the path of findspot.toml (empty without one)."""

    environment: Mapping[str, str]
    content: Mapping[str, Any]
    path: Path

    def find(self, section: str, name: str, shared: bool, annotation: Any) -> tuple[Any, str] | None:
        """The value of a setting and where it was found, for example `FINDSPOT_QUERY_PORT`; None: the
        default.

        Text of the environment is read as JSON, or split at commas, where `annotation` is not a single value.
        """
        variables = [f"{PREFIX}{section}_{name}"] if section else []
        for variable in [*variables, *([f"{PREFIX}{name}"] if shared else [])]:
            text = self.environment.get(variable.upper(), "")
            if text:
                return decode(text, annotation), variable.upper()
        table = self.content.get(section) if section else None
        if isinstance(table, Mapping) and name in table:
            return table[name], f"{self.path} [{section}] {name}"
        is_table = isinstance(self.content.get(name), Mapping)
        if shared and name in self.content and is_table == (name in SHARED_TABLES):
            return self.content[name], f"{self.path} {name}"
        return None

    def unknown_keys(self, section: str, known: Iterable[str], shared: Iterable[str]) -> list[FieldViolation]:
        """What findspot.toml holds and nobody would read: keys of the section, and names at the top."""
        names, common = sorted(known), sorted(shared)
        table = self.content.get(section, {}) if section else {}
        faults = []
        if not isinstance(table, Mapping):
            faults.append(
                self._fault(section, f"{section} has to be a table: write [{section}] above its keys.")
            )
            table = {}
        faults += [
            self._fault(f"{section}.{key}", f"[{section}] {key} is not a setting; {_nearest(key, names)}")
            for key in table
            if key not in names
        ]
        for key, value in self.content.items():
            if key in SHARED_TABLES:
                if not isinstance(value, Mapping):
                    faults.append(
                        self._fault(key, f"{key} has to be a table: write [{key}.NAME] above its keys.")
                    )
            elif isinstance(value, Mapping) and key not in SECTIONS and key != section:
                faults.append(
                    self._fault(
                        key, f"[{key}] is not a section; {_nearest(key, (*SECTIONS, *SHARED_TABLES))}"
                    )
                )
            elif not isinstance(value, Mapping) and key not in common and key != section:
                faults.append(
                    self._fault(key, f"{key} is not a setting for all services; {_nearest(key, common)}")
                )
        return faults

    def _fault(self, field: str, sentence: str) -> FieldViolation:
        return FieldViolation(field, f"{self.path}: {sentence}")


def read_sources(data: Path | None, default_data: Path) -> Sources:
    """Both sources. `data` is the folder that the caller named, if any.

    InvalidArgument when findspot.toml cannot be read, or is not TOML, or FINDSPOT_CONFIG names no file.
    """
    environment = os.environ
    path = _config_path(environment, data, default_data)
    if path is None:
        return Sources(environment, {}, Path(FILE_NAME))
    try:
        return Sources(environment, tomllib.loads(path.read_text(encoding="utf-8")), path)
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else str(exc)
        named = f" ({PREFIX}CONFIG names it)" if environment.get(f"{PREFIX}CONFIG") else ""
        raise InvalidArgument(
            f"The settings file {path} cannot be read{named}: {why}.",
            fields=[FieldViolation("config", f"{path}: {why}")],
        ) from exc


def _config_path(environment: Mapping[str, str], data: Path | None, default_data: Path) -> Path | None:
    named = environment.get(f"{PREFIX}CONFIG")
    if named:
        return Path(named).expanduser()
    folder = data or Path(environment.get(f"{PREFIX}DATA") or default_data)
    candidates = (Path(FILE_NAME), folder.expanduser() / FILE_NAME)
    return next((path for path in candidates if path.is_file()), None)


def decode(text: str, annotation: Any) -> Any:
    """The value that a text of the environment stands for, as far as the type of the setting says."""
    kind = _collection(annotation)
    if kind is None:
        return text
    try:
        return json.loads(text)
    except ValueError:
        # Not JSON: a list is what people write with commas; anything else is refused by the setting's own
        # type.
        return text if kind is dict else [part.strip() for part in text.split(",") if part.strip()]


def _collection(annotation: Any) -> type[Any] | None:
    """`list` or `dict` for types that hold several values, None for single values."""
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return next((kind for kind in map(_collection, get_args(annotation)) if kind is not None), None)
    base = origin or annotation
    if not isinstance(base, type) or issubclass(base, (str, bytes)):
        return None
    if issubclass(base, (Mapping, BaseModel)):
        return dict
    return list if issubclass(base, Iterable) and origin is not None else None


def _nearest(key: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(key, names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}."
