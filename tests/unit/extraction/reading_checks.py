"""What holds for every document that any reader returns, and a short way to read a value."""

from __future__ import annotations

from findspot.model import Block, BlockKind, ExtractedDocument
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry

REGISTRY = Registry()


def read(source: str | bytes, file_name: str, **said: str) -> ExtractedDocument:
    """Read a value as the service would, without a worker; the result is checked."""
    data = source.encode() if isinstance(source, str) else source
    document = read_document(data, Upload(file_name=file_name, **said), REGISTRY, ReadLimits())
    check_document(document)
    return document


def words(document: ExtractedDocument, block: Block) -> str:
    """The slice of a block."""
    return document.text[block.start : block.end]


def shown(document: ExtractedDocument) -> list[tuple[str, str]]:
    """Kind and words of every block."""
    return [(block.kind.value, words(document, block)) for block in document.blocks]


def headings(document: ExtractedDocument) -> list[tuple[int, str]]:
    """Level and title of every heading."""
    return [(block.level, block.title) for block in document.blocks if block.kind is BlockKind.HEADING]


def cells(document: ExtractedDocument, block: Block) -> list[list[str]]:
    """The words of every cell of a table block."""
    assert block.table is not None
    return [[document.text[cell.start : cell.end] for cell in row.cells] for row in block.table.rows]


def check_document(document: ExtractedDocument) -> None:
    """Ranges exact and apart, cells in rows in blocks, valid Unicode, nothing of the text outside of blocks."""
    text = document.text
    for value in (text, document.title, *document.metadata.values(), *(n.message for n in document.warnings)):
        value.encode()
    assert bool(text.strip()) == bool(document.blocks)
    end = 0
    for block in document.blocks:
        assert end <= block.start < block.end <= len(text), block
        assert not text[end : block.start].strip(), text[end : block.start]
        assert words(document, block).strip()
        block.title.encode()
        end = block.end
        assert (block.kind is BlockKind.TABLE) == (block.table is not None)
        if block.table is not None:
            _check_table(block)
    assert not text[end:].strip(), text[end:]


def _check_table(block: Block) -> None:
    table = block.table
    assert table is not None
    assert 0 <= table.header_rows <= len(table.rows)
    row_end = block.start
    for row in table.rows:
        assert row_end <= row.start <= row.end <= block.end
        row_end = row.end
        for cell in row.cells:
            assert row.start <= cell.start <= cell.end <= row.end
