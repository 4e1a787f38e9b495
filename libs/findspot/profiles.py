"""How each document type is cut unless somebody says otherwise: strategy, size, overlap, grammar.

Extraction shows this table, chunking cuts by it. Sizes and overlaps are characters of context and text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from findspot.model import Strategy

Category = Literal["prose", "code", "table", "data"]
"""What a document mostly is."""

CATEGORIES: tuple[str, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class Profile:
    """The defaults of one document type."""

    document_type: str
    category: Category
    strategy: Strategy
    size: int
    """Characters of context and text together."""
    overlap: int
    """Characters repeated where one section had to be split; 0 to size - 1."""
    grammar: str = ""
    """The tree-sitter grammar that finds definitions; empty where there is none."""


def _profiles() -> dict[str, Profile]:
    rows: list[Profile] = []

    def add(names: str, category: Category, strategy: Strategy, size: int, overlap: int) -> None:
        rows.extend(Profile(name, category, strategy, size, overlap) for name in names.split())

    add("markdown html notebook", "prose", Strategy.SEMANTIC, 1000, 100)
    add("pdf docx pptx odt odp rtf epub", "prose", Strategy.SEMANTIC, 1200, 150)
    add("text eml msg rst asciidoc org latex doc ppt", "prose", Strategy.PARAGRAPH, 1200, 150)
    add("subtitles", "prose", Strategy.SENTENCE, 1000, 100)
    add("png jpeg gif tiff bmp webp", "prose", Strategy.PARAGRAPH, 1200, 150)
    add("log", "data", Strategy.SLIDING_WINDOW, 1000, 150)
    add("csv tsv xlsx xls ods parquet", "table", Strategy.SEMANTIC, 1200, 0)
    add("json jsonl yaml toml xml ini properties", "data", Strategy.RECURSIVE, 1200, 0)
    add("sql css makefile dockerfile diff", "code", Strategy.RECURSIVE, 800, 0)
    # Source code that a grammar reads: cut at definitions.
    named = "python javascript typescript tsx rust go java c cpp ruby php bash"
    grammars = dict(zip(named.split(), named.split(), strict=True)) | {"csharp": "c_sharp"}
    rows.extend(
        Profile(name, "code", Strategy.SYNTACTIC, 800, 0, grammar) for name, grammar in grammars.items()
    )
    # Source code without a grammar here: blank lines and indentation decide.
    plain = (
        "kotlin swift scala lua perl r julia haskell dart elixir erlang clojure powershell objc groovy source"
    )
    add(plain, "code", Strategy.RECURSIVE, 800, 0)
    return {row.document_type: row for row in rows}


PROFILES: MappingProxyType[str, Profile] = MappingProxyType(_profiles())
"""Every document type that has a profile, by name."""


def profile_for(document_type: str, profiles: Mapping[str, Profile] = PROFILES) -> Profile:
    """The profile of a document type; a type that nobody listed is cut like plain text."""
    known = profiles.get(document_type)
    if known is not None:
        return known
    text = profiles["text"]
    return Profile(document_type, text.category, text.strategy, text.size, text.overlap)
