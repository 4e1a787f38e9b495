"""A document comes out of messages as it went in, and what is written by hand is what protobuf writes."""

from __future__ import annotations

import pickle
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findspot.errors import DataLoss
from findspot.model import (
    Block,
    BlockKind,
    Box,
    ExtractedDocument,
    Marginalia,
    MarginaliaKind,
    Notice,
    OutlineEntry,
    Page,
    PageKind,
    Reader,
    Span,
    Table,
    TableRow,
    Words,
)
from findspot.rpc.document_packing import pack, response_bytes
from findspot.rpc.document_values import DocumentAssembly
from findspot.v1 import extraction_pb2

OFFSETS = st.integers(0, 2**32 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FLOATS = st.floats(0, 1, width=32)
SPANS = st.builds(Span, OFFSETS, OFFSETS)
ROWS = st.builds(TableRow, OFFSETS, OFFSETS, st.lists(SPANS, max_size=4).map(tuple))
TABLES = st.builds(
    Table,
    st.lists(TEXT, max_size=3).map(tuple),
    st.lists(ROWS, max_size=5).map(tuple),
    st.integers(0, 9),
    TEXT,
    st.booleans(),
    st.integers(1, 2**20),
)
BLOCKS = st.builds(
    Block,
    st.sampled_from(BlockKind),
    OFFSETS,
    OFFSETS,
    st.integers(0, 9),
    TEXT,
    TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    st.integers(0, 9),
    st.none() | TABLES,
)


def through_messages(document: ExtractedDocument, *, omit_words: bool = False) -> ExtractedDocument:
    assembly = DocumentAssembly()
    for part in response_bytes(pickle.loads(pickle.dumps(pack(document, omit_words=omit_words)))):
        assert len(part) < 1024**2
        message = extraction_pb2.ExtractResponse.FromString(part)
        assert message.SerializeToString() == part
        assembly.add(message)
    return assembly.document()


def small(text: str = "", **parts: object) -> ExtractedDocument:
    return ExtractedDocument(**{"text": text, "document_type": "text", "media_type": "text/plain", **parts})  # type: ignore[arg-type]


@given(st.lists(BLOCKS, max_size=5).map(tuple), TEXT)
@settings(max_examples=60, deadline=None)
def test_blocks(blocks: tuple[Block, ...], text: str) -> None:
    # Two table blocks in a row never have the same range: blocks do not overlap.
    blocks = tuple(
        block
        for number, block in enumerate(blocks)
        if number == 0 or (blocks[number - 1].start, blocks[number - 1].end) != (block.start, block.end)
    )
    document = small(text, blocks=blocks)
    assert through_messages(document) == document


def test_everything_else() -> None:
    document = small(
        "Größe 😀",
        category="prose",
        title="T",
        language="de",
        pages=(
            Page(
                1,
                0,
                5,
                PageKind.SLIDE,
                "iv",
                612.0,
                792.0,
                Reader.OCR,
                struct.unpack("f", struct.pack("f", 0.9))[0],
            ),
            Page(2, 5, 7),
        ),
        words=(Words(1, (0, 6), (5, 1), (0.0, 0.25, 0.5, 1.0) * 2), Words(2, (), (), ())),
        marginalia=(
            Marginalia(1, MarginaliaKind.FOOTER, "foot", Box(0.0, 0.5, 0.25, 0.125)),
            Marginalia(2, MarginaliaKind.PAGE_NUMBER, "2"),
        ),
        outline=(OutlineEntry(1, "A", 2),),
        metadata={"k": "v"},
        warnings=(Notice("CODE", "Said.", 2),),
        extractor_stamp="x/1",
    )
    # A page without words needs no message.
    found = through_messages(document)
    assert found.words == document.words[:1]
    assert found == small(**{**_fields(document), "words": document.words[:1]})
    assert through_messages(document, omit_words=True).words == ()


def _fields(document: ExtractedDocument) -> dict[str, object]:
    return {name: getattr(document, name) for name in document.__dataclass_fields__}


def test_large_parts_are_split_and_joined() -> None:
    rows = tuple(TableRow(n, n + 1, (Span(n, n),) * 3) for n in range(30_000))
    words = Words(1, tuple(range(70_000)), (1,) * 70_000, (0.5,) * 280_000)
    blocks = (
        Block(BlockKind.TABLE, 0, 9, table=Table(("a",), rows, 1, "c")),
        Block(BlockKind.TABLE, 9, 10, table=Table(rows=rows[:1])),
        *(Block(BlockKind.PARAGRAPH, n, n + 1, title="t" * 100) for n in range(10, 9_000)),
    )
    pieces = tuple(Marginalia(1, MarginaliaKind.HEADER, "h" * 100) for _ in range(2_500))
    document = small("😀" * 500_000, blocks=blocks, words=(words,), marginalia=pieces)
    assert through_messages(document) == document


@pytest.mark.parametrize("missing", ["header", "text", "blocks", "words", "summary"])
def test_a_missing_part_is_noticed(missing: str) -> None:
    document = small(
        "text", blocks=(Block(BlockKind.PARAGRAPH, 0, 4),), words=(Words(1, (0,), (4,), (0.0,) * 4),)
    )
    assembly = DocumentAssembly()
    for part in map(extraction_pb2.ExtractResponse.FromString, response_bytes(pack(document))):
        if part.WhichOneof("part") != missing:
            assembly.add(part)
    with pytest.raises(DataLoss):
        assembly.document()
