"""What has to hold of an OpenDocument spreadsheet before calamine may read it: XML that ends, cells that fit."""

from __future__ import annotations

import re
from xml.parsers import expat

from findspot_extraction.readers.archive import Archive, declares_entities
from findspot_extraction.readers.reader import corrupt, too_large

from .rewriting import unindented
from .sparse import MOST_CELLS

_CONTENT = "content.xml"
_MANIFEST = "META-INF/manifest.xml"
_TAG = re.compile(rb"<table:(table-row|table-cell|covered-table-cell)\b([^>]*)>")
_REPEATED = re.compile(rb'table:number-(?:rows|columns)-repeated="(\d{1,9})"')
_HEAD = 65_536


def check_open_document(archive: Archive) -> dict[str, bytes]:
    """The parts that have to be written anew. Raises DOCUMENT_CORRUPT for what would be read without end,
    DOCUMENT_TOO_LARGE for what fills the memory."""
    name = archive.find(_CONTENT)
    if not name:
        raise corrupt(f"The OpenDocument file has no part {_CONTENT!r}.")
    content = archive.read(name)
    _check_form(content, name)
    manifest = archive.find(_MANIFEST)
    if manifest:
        _check_form(archive.read(manifest), manifest)
    _check_repeats(content)
    compact = unindented(content)
    return {} if compact is None else {name: compact}


def _check_form(data: bytes, name: str) -> None:
    """calamine waits for end tags that never come."""
    if declares_entities(data[:_HEAD]):
        raise corrupt(f"Part {name!r} of the workbook declares a document type: entities are not expanded.")
    try:
        expat.ParserCreate().Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as problem:
        raise corrupt(f"Part {name!r} of the workbook is not well-formed XML: {problem}.") from problem


def _check_repeats(content: bytes) -> None:
    """A cell may stand for any number of equal ones, and a row for any number of rows."""
    cells = rows = 0
    for tag, attributes in _TAG.findall(content):
        repeated = _REPEATED.search(attributes)
        count = int(repeated.group(1)) if repeated else 1
        if tag == b"table-row":
            rows = count
        elif b"office:value" in attributes or not attributes.rstrip().endswith(b"/"):
            cells += count * rows
    if cells > MOST_CELLS:
        raise too_large(
            f"The sheets repeat cells up to {cells:,}; the limit is {MOST_CELLS:,}.", limit=str(MOST_CELLS)
        )
