"""What holds for every document that was cut, whatever the strategy: checked on the result alone."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import unicode_segmentation_rs
from tokenizers import Tokenizer

from findspot.ids import text_hash
from findspot.model import BlockKind, ChunkedDocument, ExtractedDocument
from findspot.payload import embedded_text


def grapheme_starts(text: str) -> set[int]:
    """Every position at which a grapheme cluster begins, and the end of the text."""
    starts = {0}
    position = 0
    for cluster in unicode_segmentation_rs.graphemes(text, True):
        position += len(cluster)
        starts.add(position)
    return starts


def assert_invariants(
    document: ExtractedDocument, cut: ChunkedDocument, tokenizer: Tokenizer | None = None
) -> None:
    """Slices, coverage, order, sections, overlap, hashes, and the limits."""
    _assert_slices(document.text, cut)
    _assert_sections(cut)
    _assert_limits(cut, tokenizer)
    assert stitched(cut) == "".join(document.text.split())
    seen: Counter[tuple[str, str]] = Counter()
    for chunk in cut.chunks:
        assert chunk.chunk_hash == text_hash(chunk.context, chunk.text)
        assert chunk.occurrence == seen[chunk.kind, chunk.chunk_hash]
        seen[chunk.kind, chunk.chunk_hash] += 1


def _assert_slices(text: str, cut: ChunkedDocument) -> None:
    covered = 0
    previous = -1
    graphemes = grapheme_starts(text)
    for index, chunk in enumerate(cut.chunks):
        assert chunk.index == index
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.start > previous
        assert not text[covered : chunk.start].strip(), "text between two chunks is lost"
        assert chunk.overlap == max(covered - chunk.start, 0)
        assert chunk.end > covered
        assert chunk.start in graphemes
        assert chunk.end in graphemes
        previous, covered = chunk.start, chunk.end
    assert not text[covered:].strip(), "the end of the text is lost"


def _assert_sections(cut: ChunkedDocument) -> None:
    for index, section in enumerate(cut.sections):
        own = [chunk for chunk in cut.chunks if chunk.section_index == index]
        assert section.index == index
        assert own, "a section without a chunk"
        assert (own[0].start, own[-1].end) == (section.start, section.end)
    for before, after in zip(cut.sections, cut.sections[1:], strict=False):
        assert before.end <= after.start


def _assert_limits(cut: ChunkedDocument, tokenizer: Tokenizer | None) -> None:
    oversize = any(notice.code == "GRAPHEME_OVER_SIZE" for notice in cut.warnings)
    for chunk in cut.chunks:
        embedded = embedded_text(chunk.context, chunk.text)
        assert len(embedded) <= cut.size or oversize
        assert len(chunk.context) <= cut.size // 3
        if tokenizer is not None and cut.token_cap is not None:
            assert len(tokenizer.encode(embedded).ids) <= cut.token_cap
            assert chunk.token_count is not None
            assert chunk.token_count <= cut.token_cap


def stitched(cut: ChunkedDocument) -> str:
    """All chunks one after the other, repeated text left out, without white space."""
    return "".join("".join(chunk.text[chunk.overlap :].split()) for chunk in cut.chunks)


def assert_no_heading_alone(document: ExtractedDocument, cut: ChunkedDocument) -> None:
    """No chunk is headings only, unless the document is, or headings in a row take much of a window."""
    headings = [block for block in document.blocks if block.kind is BlockKind.HEADING]
    runs = [
        list(run) for alike, run in groupby(document.blocks, lambda b: b.kind is BlockKind.HEADING) if alike
    ]
    if len(headings) == len(document.blocks) or any(
        run[-1].end - run[0].start > cut.size // 3 for run in runs
    ):
        return
    for chunk in cut.chunks:
        inside = sum(max(min(block.end, chunk.end) - max(block.start, chunk.start), 0) for block in headings)
        ink = len(chunk.text.rstrip())
        assert inside < ink, f"chunk {chunk.index} is a heading alone: {chunk.text!r}"
