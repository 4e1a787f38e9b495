"""What a caller may decide about a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Any

from findspot.stores.manifest.collections import DIRECTORY, CollectionSettings
from findspot_indexing import names
from findspot_indexing.directories.ignore import MOST_PATTERNS, problem_of


def check_settings(settings: CollectionSettings, document_types: Set[str]) -> None:
    """Raise InvalidArgument naming everything about the settings that is wrong; `document_types` are those that
    may be cut in another way."""
    found = names.Violations()
    if settings.source_kind == DIRECTORY:
        root = settings.source_root
        found.check(
            "source.directory.root",
            PurePosixPath(root).is_absolute() and "\0" not in root and ".." not in PurePosixPath(root).parts,
            f"an absolute path without `..`, not {root!r}",
        )
        _check_patterns(found, (settings.source_options or {}).get("ignore", ()))
    for name, options in (settings.profile_overrides or {}).items():
        where = f"profile_overrides[{name}]"
        found.check(where, name in document_types, f"{name!r} is no document type of the registry")
        _check_options(found, where, options)
    found.raise_if_any()


def _check_patterns(found: names.Violations, patterns: Sequence[str]) -> None:
    where = "source.directory.ignore"
    found.check(
        where, len(patterns) <= MOST_PATTERNS, f"at most {MOST_PATTERNS} patterns, not {len(patterns)}"
    )
    for pattern in patterns[:MOST_PATTERNS]:
        problem = problem_of(pattern)
        found.check(where, not problem, f"{pattern[:200]!r} {problem}")


def _check_options(found: names.Violations, where: str, options: Mapping[str, Any]) -> None:
    size, overlap, cap = (options.get(name) for name in ("size", "overlap", "token_cap"))
    found.check(f"{where}.size", size is None or 50 <= size <= 20_000, f"50 to 20,000 characters, not {size}")
    found.check(
        f"{where}.overlap",
        overlap is None or size is None or overlap < size,
        f"below the size ({size}), not {overlap}",
    )
    found.check(f"{where}.token_cap", cap is None or cap >= 16, f"at least 16 tokens, not {cap}")
