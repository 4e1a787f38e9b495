"""What exactly is embedded of a chunk, what it is filtered by, and the hashes of both.

Whoever changes this raises `findspot.payload.PAYLOAD_RECIPE`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from findspot.ids import ancestor_paths
from findspot.model import InputType
from findspot.stores.manifest.clock import SECOND
from findspot.stores.text.schema import language_terms, metadata_term


def embed_hash(identity: str, text: str) -> str:
    """The name under which the vector of this exact text is stored, for this identity."""
    digest = hashlib.sha256()
    for part in (identity, InputType.DOCUMENT.value, text):
        digest.update(part.encode())
        digest.update(b"\x1f")
    return digest.hexdigest()


def payload(
    *,
    document_id: str,
    collection_path: str,
    file_path: str,
    document_type: str,
    metadata: Mapping[str, str],
    source_modified_at: int,
    kind: str,
    language: str,
    contains_code: bool,
) -> dict[str, Any]:
    """What the vector of a chunk is filtered by; `modified` is in Unix seconds."""
    return {
        "document_id": document_id,
        "collection": collection_path,
        "ancestors": list(ancestor_paths(collection_path)),
        "file_path": file_path,
        "document_type": document_type,
        "kind": kind,
        "language": language_terms(language),
        "contains_code": contains_code,
        "modified": source_modified_at // SECOND,
        "metadata": metadata_terms(metadata),
    }


def metadata_terms(metadata: Mapping[str, str]) -> list[str]:
    """Each of the caller's facts as one term, in order."""
    return [metadata_term(key, value) for key, value in sorted(metadata.items())]
