"""Real PDF files, where their folder is at hand: every one of them ends in an exact document or in a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdf_reading import check_exact

from findspot.errors import FindspotError, Reason
from findspot_extraction.readers.pdf import READER
from findspot_extraction.readers.reader import ReadLimits, Source

SHARED = Path(__file__).resolve().parents[4] / "shared"
FOLDERS = ("corpus/public-pdfs", "corpus/docling-pdf", "cases/files")
FILES = sorted(path for folder in FOLDERS for path in (SHARED / folder).rglob("*.pdf"))


@pytest.mark.skipif(not FILES, reason="no folder `shared` with PDF files beside the repository")
@pytest.mark.parametrize("path", FILES or [Path("none.pdf")], ids=lambda path: path.name)
def test_a_real_file_is_read_exactly_or_refused_with_a_reason(path: Path) -> None:
    source = Source(path.read_bytes(), file_name=path.name)
    try:
        document = READER.read(source, ReadLimits())
    except FindspotError as error:
        refusal = error
        document = None
    if document is None:
        assert refusal.reason in (Reason.DOCUMENT_CORRUPT, Reason.DOCUMENT_ENCRYPTED)
        assert path.name in refusal.message
        return
    check_exact(document)
    assert READER.read(source, ReadLimits()) == document
    assert document.text or document.warnings
