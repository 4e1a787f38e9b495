"""A stored extraction is cut and placed exactly as the file was when it was read: nothing is lost in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from findspot.document_types import DOCUMENT_TYPES
from findspot.model import ChunkingOptions
from findspot.stores.blobs import BlobStore
from findspot.stores.extractions import StoredExtraction, encode
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import resolve
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry
from findspot_indexing.compose.boxes import chunk_boxes

LIBRARY = Path(__file__).parents[1] / "fixtures" / "library"
FILES = sorted(path for path in LIBRARY.rglob("*") if path.is_file())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_stored_extraction_gives_the_chunks_and_boxes_of_the_file(file: Path, tmp_path: Path) -> None:
    read = read_document(file.read_bytes(), Upload(file.name), Registry(DOCUMENT_TYPES), ReadLimits())
    blobs = BlobStore(tmp_path, durable=False)
    blob = encode(read)
    stored = StoredExtraction(blobs, blobs.put(blob)).document(read.text, whole=True)
    # The same blob again: a document that is cut again refers to the one that is there.
    assert encode(stored) == blob
    options = resolve(read.document_type, ChunkingOptions(size=400))
    cut = chunk_document(read, options)
    assert len(cut.chunks) > 1
    assert chunk_document(stored, options) == cut
    words = {page.page: page for page in read.words}
    kept = {page.page: page for page in stored.words}
    for chunk in cut.chunks:
        place = (chunk.page, chunk.start, chunk.end)
        assert chunk_boxes(kept, *place) == chunk_boxes(words, *place)
