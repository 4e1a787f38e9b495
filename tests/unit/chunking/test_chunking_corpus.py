"""The invariants over real files: the library of the tests, and the corpus beside the repository where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from chunk_invariants import assert_invariants, assert_no_heading_alone
from minilm_tokenizer import INPUT_LIMIT, SPECIAL_TOKENS, minilm, token_starts

from findspot.model import BlockKind, ChunkingOptions, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import resolve
from findspot_extraction.readers import code, markdown, text
from findspot_extraction.readers.reader import ReadLimits, Source

_ROOT = Path(__file__).parents[3]
_READERS = {
    ".md": (markdown.READER, "markdown"),
    ".txt": (text.READER, "text"),
    ".py": (code.READER, "python"),
    ".java": (code.READER, "java"),
    ".rs": (code.READER, "rust"),
}
_STEP = 40
"""One file in this many of the corpus: the whole of it takes minutes."""


def _files() -> list[Path]:
    own = [path for path in sorted((_ROOT / "tests" / "fixtures").rglob("*")) if path.suffix in _READERS]
    corpus = _ROOT.parent / "shared" / "corpus"
    return own + [path for path in sorted(corpus.rglob("*")) if path.suffix in _READERS][::_STEP]


@pytest.mark.parametrize("path", _files(), ids=lambda path: path.name)
def test_real_files_are_cut_whole_within_both_limits(path: Path) -> None:
    reader, document_type = _READERS[path.suffix]
    document = reader.read(Source(path.read_bytes(), path.name, "", document_type), ReadLimits())
    profile = resolve(document_type, ChunkingOptions()).strategy
    for strategy in dict.fromkeys((profile, Strategy.SLIDING_WINDOW)):
        options = resolve(
            document_type,
            ChunkingOptions(strategy=strategy),
            token_cap=INPUT_LIMIT,
            special_tokens=SPECIAL_TOKENS,
        )
        cut = chunk_document(document, options, token_starts)
        assert_invariants(document, cut, minilm())
        if strategy is not Strategy.SLIDING_WINDOW:
            assert_no_heading_alone(document, cut)
    for chunk in cut.chunks:
        assert chunk.token_count == len(minilm().encode(f"{chunk.context}\n\n{chunk.text}").ids)


def test_a_symbol_that_fits_is_in_one_chunk() -> None:
    for path in [path for path in _files() if _READERS[path.suffix][0] is code.READER]:
        reader, document_type = _READERS[path.suffix]
        document = reader.read(Source(path.read_bytes(), path.name, "", document_type), ReadLimits())
        cut = chunk_document(document, resolve(document_type, ChunkingOptions()))
        for block in document.blocks:
            if block.kind is BlockKind.DEFINITION and block.end - block.start < 400:
                start = block.end - len(document.text[block.start : block.end].lstrip())
                assert any(chunk.start <= start and block.end <= chunk.end for chunk in cut.chunks)
