"""The Tantivy schema of the text index and how one chunk becomes one of its documents."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tantivy

from findspot.model import ChunkKind
from findspot.stores.text.tokens import (
    DEFAULT_ANALYZER,
    analyzer_of,
    bounded,
    identifier_tokens,
    stems,
    tokenize,
)

SCHEMA_VERSION = 1
"""Part of the path: Tantivy opens an index only under its own schema; a change builds a new one."""

ID = "id"
DOCUMENT_ID = "document_id"
COLLECTION = "collection"
ANCESTORS = "ancestors"
KIND = "kind"
LANGUAGE = "language"
ANALYZER = "analyzer"
DOCUMENT_TYPE = "document_type"
FILE_PATH = "file_path"
CONTAINS_CODE = "contains_code"
METADATA = "metadata"
MODIFIED = "modified"
ID_HIGH = "id_high"
ID_LOW = "id_low"

STEM = "stem"
BODY = "body"
CONTEXT = "context"
TITLE = "title"
PATH = "path"
CODE = "code"
CJK = "cjk"

_RAW_FIELDS = (
    ID,
    DOCUMENT_ID,
    COLLECTION,
    ANCESTORS,
    KIND,
    LANGUAGE,
    ANALYZER,
    DOCUMENT_TYPE,
    FILE_PATH,
    CONTAINS_CODE,
    METADATA,
)
_FREQUENCY_FIELDS = (STEM, CONTEXT, TITLE, PATH, CODE, CJK)


@dataclass(frozen=True, slots=True)
class TextEntry:
    """One chunk as the text index takes it. `id` is a UUID; `modified` is in Unix seconds."""

    id: str
    document_id: str
    collection_path: str
    ancestors: tuple[str, ...]
    """Every subtree that holds the collection, itself included (`findspot.ids.ancestor_paths`)."""
    file_path: str
    text: str
    document_type: str = ""
    kind: str = ChunkKind.SECTION.value
    language: str = ""
    """BCP 47 tag of prose, name of the programming language of code."""
    title: str = ""
    heading_path: tuple[str, ...] = ()
    context: str = ""
    identifiers: tuple[str, ...] = ()
    contains_code: bool = False
    metadata_terms: tuple[str, ...] = ()
    """`key=value` for each entry of the document's metadata (`metadata_term`)."""
    modified: int = 0


def metadata_term(key: str, value: str) -> str:
    """The term under which one entry of a document's metadata is found."""
    return f"{key}={value}"


def index_directory(data: Path) -> Path:
    """Where the text index of this schema lies in a data directory."""
    return data / "text" / f"v{SCHEMA_VERSION}"


def build_schema() -> tantivy.Schema:
    """The schema: raw filter fields, whitespace fields whose tokens come from `tokens`, fast numbers.

    The id is there a second time as two fast numbers: far cheaper to read for 100 hits than stored documents.
    """
    builder = tantivy.SchemaBuilder()
    for name in _RAW_FIELDS:
        builder.add_text_field(name, stored=name == ID, tokenizer_name="raw", index_option="basic")
    for name in _FREQUENCY_FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field(BODY, tokenizer_name="whitespace", index_option="position")
    builder.add_integer_field(MODIFIED, indexed=True, fast=True)
    builder.add_unsigned_field(ID_HIGH, fast=True)
    builder.add_unsigned_field(ID_LOW, fast=True)
    return builder.build()


def entry_analyzer(entry: TextEntry) -> str:
    """The stemmer of a chunk. "cs" is Czech for prose and C# for code, so code always has the default one."""
    return DEFAULT_ANALYZER if entry.kind == ChunkKind.CODE else analyzer_of(entry.language)


def language_terms(language: str) -> list[str]:
    """`en-GB` is found as `en-gb` and as `en`."""
    tag = language.replace("_", "-").lower()
    return list(dict.fromkeys((tag, tag.partition("-")[0]))) if tag else []


def to_document(entry: TextEntry, schema: tantivy.Schema) -> tantivy.Document:
    """The document of a chunk. `from_dict` checks the types: a wrong one would kill the writer."""
    number = uuid.UUID(entry.id).int
    analyzer = entry_analyzer(entry)
    tokens = tokenize(entry.text, analyzer)
    path = tokenize(entry.file_path)
    code = f"{tokens.code} {identifier_tokens(entry.identifiers)}"
    values: dict[str, Any] = {
        ID: entry.id,
        ID_HIGH: number >> 64,
        ID_LOW: number & (1 << 64) - 1,
        DOCUMENT_ID: entry.document_id,
        COLLECTION: bounded(entry.collection_path),
        ANCESTORS: [bounded(path) for path in entry.ancestors],
        KIND: entry.kind,
        LANGUAGE: language_terms(entry.language),
        ANALYZER: analyzer,
        DOCUMENT_TYPE: entry.document_type,
        FILE_PATH: bounded(entry.file_path),
        CONTAINS_CODE: "true" if entry.contains_code else "false",
        METADATA: [bounded(term) for term in entry.metadata_terms],
        MODIFIED: entry.modified,
        STEM: tokens.stem,
        BODY: tokens.body,
        CJK: tokens.cjk,
        CODE: " ".join(dict.fromkeys(code.split())),
        CONTEXT: stems(entry.context, analyzer),
        TITLE: stems(entry.title, analyzer),
        PATH: f"{path.stem} {path.cjk} {path.code}",
    }
    return tantivy.Document.from_dict(values, schema)


def uuid_of(high: int, low: int) -> str:
    """The UUID of two halves, by a fifth of the time that `uuid.UUID` takes: a search makes hundreds."""
    digits = f"{high:016x}{low:016x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
