"""Reading a PDF in tests, and what must hold of every document that the reader returns."""

from __future__ import annotations

from findspot.model import Block, BlockKind, ExtractedDocument
from findspot_extraction.readers.pdf import READER
from findspot_extraction.readers.reader import ReadLimits, Source


def read(data: bytes, password: str = "", **limits: int) -> ExtractedDocument:
    """The document, with default limits unless given."""
    return READER.read(Source(data, file_name="test.pdf", password=password), ReadLimits(**limits))


def box_of(document: ExtractedDocument, word: str) -> tuple[float, ...]:
    """x, y, width, height of the first word with this text."""
    for words in document.words:
        for index, (start, length) in enumerate(zip(words.starts, words.lengths, strict=True)):
            if document.text[start : start + length] == word:
                return words.boxes[4 * index : 4 * index + 4]
    raise AssertionError(f"no word {word!r} in {document.text!r}")


def texts(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    """The slices of all blocks of a kind."""
    return [slice_of(document, block) for block in document.blocks if block.kind is kind]


def slice_of(document: ExtractedDocument, block: Block) -> str:
    """The text of a block."""
    return document.text[block.start : block.end]


def check_exact(document: ExtractedDocument) -> None:
    """Ranges are in order and exact, words are words, boxes are on the page, pages cover the text."""
    text = document.text
    assert [page.start for page in document.pages[1:]] == [page.end for page in document.pages[:-1]]
    assert document.pages[0].start == 0
    assert document.pages[-1].end == len(text)
    at = 0
    for block in document.blocks:
        assert at <= block.start <= block.end <= len(text)
        # Of code the first line keeps its indentation: it may be deeper than that of others.
        blank = "\n" if block.kind is BlockKind.CODE else None
        assert text[block.start : block.end].strip(blank) == text[block.start : block.end]
        at = block.end
        for row in block.table.rows if block.table else ():
            assert block.start <= row.start <= row.end <= block.end
            assert all(row.start <= cell.start <= cell.end <= row.end for cell in row.cells)
    covered = 0
    for words in document.words:
        page = document.pages[words.page - 1]
        assert len(words.starts) == len(words.lengths) == len(words.boxes) // 4
        for start, length in zip(words.starts, words.lengths, strict=True):
            word = text[start : start + length]
            assert word
            assert not any(map(str.isspace, word))
            assert page.start <= start
            assert start + length <= page.end
            assert start >= covered
            assert not text[covered:start].strip()
            covered = start + length
        for index in range(0, len(words.boxes), 4):
            x, y, width, height = words.boxes[index : index + 4]
            assert min(x, y, width, height) >= 0
            assert max(x + width, y + height) <= 1 + 1e-9
    text.encode()
