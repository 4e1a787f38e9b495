"""The invariants over real files: the library of the tests, and a sample of those beside the repository.

`pytest tests/unit/chunking --real-files DIR` takes every file below DIR, each with every strategy.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from chunk_invariants import assert_invariants, assert_no_heading_alone
from minilm_tokenizer import INPUT_LIMIT, SPECIAL_TOKENS, minilm, token_starts

from findspot.errors import FindspotError
from findspot.model import BlockKind, ChunkingOptions, ExtractedDocument, Strategy
from findspot.payload import embedded_text
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import resolve
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry

_ROOT = Path(__file__).parents[3]
_LIBRARY = _ROOT / "tests" / "fixtures"
_BESIDE = (_ROOT.parent / "shared" / "corpus", _ROOT.parent / "shared" / "cases" / "files")
_STEP = 45
"""Of each type, the first file and one in so many: the whole of it takes minutes."""
_REGISTRY = Registry()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a file; each with every strategy where a folder is named."""
    if "path" not in metafunc.fixturenames:
        return
    named = metafunc.config.getoption("--real-files", default=None)
    every = list(Strategy)
    if named:
        chosen = [(path, every) for path in _files(Path(named))]
    else:
        chosen = [(path, every) for path in _files(_LIBRARY)]
        chosen += [(path, [every[n % len(every)]]) for n, path in enumerate(_sample())]
    metafunc.parametrize(("path", "strategies"), chosen, ids=[path.name for path, _ in chosen])


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and _type(path)]


def _type(path: Path) -> str:
    row = _REGISTRY.by_file_name(path.name)
    return row.name if row is not None and row.readable else ""


def _sample() -> Iterator[Path]:
    found = sorted(
        (path for folder in _BESIDE for path in _files(folder)), key=lambda path: (_type(path), path)
    )
    for _, alike in groupby(found, _type):
        yield from list(alike)[::_STEP]


@cache
def _read(path: Path) -> ExtractedDocument | None:
    """None for a file that is refused: some are damaged on purpose."""
    try:
        return read_document(path.read_bytes(), Upload(path.name), _REGISTRY, ReadLimits())
    except FindspotError:
        return None


def test_real_files_are_cut_whole_within_both_limits(path: Path, strategies: list[Strategy]) -> None:
    document = _read(path)
    if document is None:
        return
    profile = resolve(document.document_type, ChunkingOptions()).strategy
    for strategy in dict.fromkeys((profile, *strategies)):
        options = resolve(
            document.document_type,
            ChunkingOptions(strategy=strategy),
            token_cap=INPUT_LIMIT,
            special_tokens=SPECIAL_TOKENS,
        )
        cut = chunk_document(document, options, token_starts)
        assert_invariants(document, cut, minilm())
        if strategy is not Strategy.SLIDING_WINDOW:
            assert_no_heading_alone(document, cut)
        for chunk in cut.chunks:
            assert chunk.token_count == len(minilm().encode(embedded_text(chunk.context, chunk.text)).ids)


def test_a_symbol_that_fits_is_in_one_chunk(path: Path, strategies: list[Strategy]) -> None:
    del strategies
    document = _read(path)
    if document is None or document.category != "code":
        return
    cut = chunk_document(document, resolve(document.document_type, ChunkingOptions()))
    for block in document.blocks:
        if block.kind is BlockKind.DEFINITION and block.end - block.start < 400:
            start = block.end - len(document.text[block.start : block.end].lstrip())
            assert any(chunk.start <= start and block.end <= chunk.end for chunk in cut.chunks)
