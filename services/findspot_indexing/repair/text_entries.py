"""Entries of the text index made from the rows of the manifest: the same as composing made them."""

from __future__ import annotations

from typing import Any

from findspot.ids import ancestor_paths
from findspot.stores.manifest.clock import SECOND
from findspot.stores.text.schema import TextEntry
from findspot_indexing.embed.recipe import metadata_terms


def entry_of(row: Any) -> TextEntry:
    """The entry of a chunk, from a row of `comparing.entry_rows`."""
    return TextEntry(
        id=row.id,
        document_id=row.document_id,
        collection_path=row.collection_path,
        ancestors=ancestor_paths(row.collection_path),
        file_path=row.file_path,
        text=row.text,
        document_type=row.document_type,
        kind=row.kind,
        language=row.language,
        title=row.title,
        heading_path=tuple(row.heading_path),
        context=row.context,
        identifiers=tuple(row.identifiers),
        contains_code=row.contains_code,
        metadata_terms=tuple(metadata_terms(row.metadata)),
        modified=row.source_modified_at // SECOND,
    )
