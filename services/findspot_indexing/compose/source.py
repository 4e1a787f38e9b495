"""Where the text of a new generation comes from: the file, read again, or what was read of it the last time."""

from __future__ import annotations

import logging

from findspot.errors import DataLoss
from findspot.model import ExtractedDocument
from findspot.stores.extractions import StoredExtraction
from findspot.stores.manifest import remaking
from findspot.stores.manifest.stored import StoredDocument
from findspot_indexing.compose.plan import as_sent
from findspot_indexing.service import Indexing

log = logging.getLogger(__name__)


async def extracted_text(indexing: Indexing, document: StoredDocument) -> ExtractedDocument:
    """The newest bytes of a document as text with its structure; what the sender said of it goes before.

    When it begins with CHUNK the stored extraction of the generation that serves is taken, if it is one of
    these bytes and can be read; else the file is read.
    """
    if remaking.reuses_extraction(document.stage) and _is_of_newest_bytes(document):
        try:
            return as_sent(document, await indexing.in_thread(_stored, indexing, document))
        except DataLoss as damage:
            log.warning("%s: its file is read again, because %s", document.id, damage.message)
    return as_sent(document, await _read(indexing, document))


def _is_of_newest_bytes(document: StoredDocument) -> bool:
    return (
        document.generation > 0
        and document.content_hash == document.observed_hash
        and bool(document.extraction_key and document.text_key)
    )


def _stored(indexing: Indexing, document: StoredDocument) -> ExtractedDocument:
    text = indexing.blobs.get(document.text_key).decode()
    return StoredExtraction(indexing.blobs, document.extraction_key).document(text, whole=True)


async def _read(indexing: Indexing, document: StoredDocument) -> ExtractedDocument:
    # The published generation's key is `blob_key`; the newest bytes are the ones observed.
    data = await indexing.in_thread(indexing.blobs.get, document.observed_hash)
    with indexing.outages.watch("extraction"):
        return await indexing.extractor.extract(
            data,
            file_name=document.file_path.rsplit("/", 1)[-1],
            media_type=document.options.get("media_type", ""),
            document_type=document.options.get("document_type", ""),
            language=document.options.get("language", ""),
            timeout=indexing.limits.extraction_timeout_seconds,
        )
