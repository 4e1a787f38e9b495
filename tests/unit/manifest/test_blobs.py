"""Blobs are whole, checked and stored once; extraction results come back as they were."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import DataLoss, NotFound
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
from findspot.stores.blobs import BlobStore
from findspot.stores.extractions import StoredExtraction, encode

DATA = b"a passage of some length " * 40


@pytest.fixture
def blobs(tmp_path: Path) -> BlobStore:
    return BlobStore(tmp_path / "blobs")


def files(blobs: BlobStore, folder: Path) -> list[Path]:
    return [path for path in (folder / "blobs").rglob("*") if path.is_file()]


@pytest.mark.parametrize("compress", [False, True])
def test_bytes_come_back_by_their_hash(blobs: BlobStore, tmp_path: Path, compress: bool) -> None:
    key = blobs.put(DATA, compress=compress)
    assert key.startswith(hashlib.sha256(DATA).hexdigest())
    assert blobs.get(key) == DATA
    assert blobs.get_range(key, 2, 7) == DATA[2:9]
    assert blobs.get_range(key, len(DATA) - 3, 100) == DATA[-3:]
    assert blobs.put(DATA, compress=compress) == key
    assert len(files(blobs, tmp_path)) == 1
    assert (blobs.size(key) < len(DATA)) == compress
    assert blobs.delete(key)
    assert not blobs.exists(key)
    assert not blobs.delete(key)


@pytest.mark.parametrize("compress", [False, True])
def test_changed_bytes_are_never_given_out(blobs: BlobStore, tmp_path: Path, compress: bool) -> None:
    key = blobs.put(DATA, compress=compress)
    (path,) = files(blobs, tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(DataLoss, match=key):
        blobs.get(key)


def test_missing_blobs_and_odd_keys_are_told_apart(blobs: BlobStore) -> None:
    with pytest.raises(DataLoss, match="not there"):
        blobs.get("0" * 64)
    for key in ("../../etc/passwd", "", "0" * 63, "G" * 64):
        with pytest.raises(NotFound, match="no blob key"):
            blobs.get(key)


def test_many_threads_storing_the_same_bytes_store_them_once(blobs: BlobStore, tmp_path: Path) -> None:
    keys: list[str] = []
    threads = [threading.Thread(target=lambda: keys.append(blobs.put(DATA))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(keys)) == 1
    assert len(files(blobs, tmp_path)) == 1
    assert blobs.get(keys[0]) == DATA


boxes = st.lists(st.floats(0, 1).map(lambda value: round(value, 5)), min_size=4, max_size=4)
words = st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 50), boxes), max_size=5)
positions = st.integers(0, 9)
cells = st.lists(st.builds(Span, positions, positions), max_size=2).map(tuple)
tables = st.builds(
    Table,
    st.lists(st.text(max_size=5), max_size=3).map(tuple),
    st.lists(st.builds(TableRow, positions, positions, cells), max_size=3).map(tuple),
    st.integers(0, 2),
    st.text(max_size=5),
    st.booleans(),
)
blocks = st.builds(
    Block,
    st.sampled_from(BlockKind),
    st.integers(0, 99),
    st.integers(0, 99),
    level=st.integers(0, 6),
    title=st.text(max_size=8),
    symbol_path=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    page=st.integers(0, 9),
    table=st.none() | tables,
)
pages = st.builds(
    Page, st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.sampled_from(PageKind),
    st.text(max_size=4), st.floats(0, 900), st.floats(0, 900), st.sampled_from(Reader), st.none() | st.floats(0, 1),
)  # fmt: skip
marginalia = st.builds(
    Marginalia, st.integers(1, 9), st.sampled_from(MarginaliaKind), st.text(max_size=9),
    st.none() | st.builds(Box, *[st.floats(0, 1)] * 4),
)  # fmt: skip


def words_of(page: int, found: list[tuple[int, int, list[float]]]) -> Words:
    return Words(
        page,
        tuple(start for start, _, _ in found),
        tuple(length for _, length, _ in found),
        tuple(value for _, _, box in found for value in box),
    )


@given(
    st.text(max_size=50),
    st.lists(blocks, max_size=5).map(tuple),
    st.lists(pages, max_size=3).map(tuple),
    st.lists(marginalia, max_size=3).map(tuple),
    st.lists(words, max_size=3),
    st.dictionaries(st.text(max_size=4), st.text(max_size=9), max_size=3),
)
def test_what_was_extracted_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    found: tuple[Block, ...],
    sheets: tuple[Page, ...],
    running: tuple[Marginalia, ...],
    columns: list[list[tuple[int, int, list[float]]]],
    metadata: dict[str, str],
) -> None:
    document = ExtractedDocument(
        text,
        "pdf",
        "application/pdf",
        "prose",
        blocks=found,
        pages=sheets,
        words=tuple(words_of(page, column) for page, column in enumerate(columns, start=1)),
        marginalia=running,
        outline=(OutlineEntry(1, "One", 2),),
        metadata=metadata,
        warnings=(Notice("CODE", "message", 3),),
        extractor_stamp="pdf/1",
    )
    store = BlobStore(tmp_path_factory.getbasetemp() / "extractions", durable=False)
    stored = StoredExtraction(store, store.put(encode(document)))
    assert stored.document(text, whole=True) == document
    assert stored.blocks() == document.blocks
    for page in document.words:
        assert stored.words(page.page) == page
    assert stored.words(99) is None


def test_other_blobs_are_no_extraction_results(blobs: BlobStore) -> None:
    for data in (b"", b"FSX", DATA):
        with pytest.raises(DataLoss, match="no extraction result"):
            StoredExtraction(blobs, blobs.put(data))
