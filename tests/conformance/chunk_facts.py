"""What facts about a file mean for its chunks, beyond what they mean for its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from findspot.model import Block, BlockKind, ChunkedDocument, ChunkKind, ExtractedDocument
from findspot.payload import embedded_text
from tests.conformance.facts import definition_blocks
from tests.conformance.folding import fold
from tests.conformance.reading import Outcome

Fact = Mapping[str, Any]
ChunkCheck = Callable[[Outcome, Fact], str]
"""Says what is wrong; empty when the fact holds."""


def lossless(outcome: Outcome, fact: Fact) -> str:
    """Chunks joined, overlap trimmed, give every non-blank line of the file, which is decoded here anew."""
    document, cut = _whole(outcome)
    source = outcome.data.decode("utf-8-sig")
    count = source.count("\n") + (not source.endswith("\n"))
    if count != fact["lines"]:
        return f"{count} lines, not {fact['lines']}"
    joined = "".join("".join(chunk.text[chunk.overlap :].split()) for chunk in cut.chunks)
    if joined != "".join(source.split()):
        return "the chunks joined are not the file"
    return "" if document.text == source else "the text is not the file, line ends included"


def encoding(outcome: Outcome, fact: Fact) -> str:
    """The words of the chunks are those of the file in the stated encoding."""
    document, cut = _whole(outcome)
    source = outcome.data.decode(fact["value"]).removeprefix("\ufeff")
    if document.document_type == "text" and document.text != source:
        return f"the text is not the file read as {fact['value']}"
    known = set(fold(source.replace(",", " ").replace(">", " ").replace("<", " ")).split())
    words = {
        word for chunk in cut.chunks for word in fold(chunk.text.replace("|", " ").replace(",", " ")).split()
    }
    foreign = sorted(words - known)
    return f"{foreign[:5]} are not in the file" if foreign or not words else ""


def grapheme(outcome: Outcome, fact: Fact) -> str:
    """No chunk begins or ends inside of the character."""
    document, cut = _whole(outcome)
    wanted, edges = fact["text"], {edge for chunk in cut.chunks for edge in (chunk.start, chunk.end)}
    at = document.text.find(wanted)
    if at < 0:
        return f"the text is without {wanted!r}"
    while at >= 0:
        if edges & set(range(at + 1, at + len(wanted))):
            return f"cut at {at}"
        at = document.text.find(wanted, at + 1)
    return ""


def fences(outcome: Outcome, fact: Fact) -> str:
    """A fence that fits the window is whole in one chunk."""
    return _whole_blocks(outcome, [b for b in _whole(outcome)[0].blocks if b.kind is BlockKind.CODE])


def code_symbol(outcome: Outcome, fact: Fact) -> str:
    """A definition that fits the window is in one chunk, which states its name."""
    document, _ = _whole(outcome)
    blocks = definition_blocks(document, fact["name"])
    wrong = _whole_blocks(outcome, [Block(BlockKind.DEFINITION, blocks[0].start, blocks[-1].end)])
    return wrong or _named(outcome, blocks[0], fact["name"])


def _named(outcome: Outcome, block: Block, name: str) -> str:
    chunk = next(chunk for chunk in _whole(outcome)[1].chunks if chunk.end > block.start)
    return "" if name.lower() in chunk.identifiers else f"chunk {chunk.index} is not found by {name}"


def table_header(outcome: Outcome, fact: Fact) -> str:
    """The column names lead every chunk of their table, as many whole ones as a third of the window takes."""
    document, cut = _whole(outcome)
    wanted = [fold(name) for name in fact["columns"]]
    cut_back = any(notice.code == "CONTEXT_CUT" for notice in cut.warnings)
    for block in document.blocks:
        if block.table is None or [fold(name) for name in block.table.columns][: len(wanted)] != wanted:
            continue
        chunks = [chunk for chunk in cut.chunks if chunk.start < block.end and chunk.end > block.start]
        for chunk in chunks:
            shown = fold(embedded_text(chunk.context, chunk.text))
            missing = [name for name in wanted if name not in shown]
            if chunk.kind is not ChunkKind.TABLE or (missing and not (cut_back and missing != wanted)):
                return f"chunk {chunk.index} ({chunk.kind}) is without {missing}"
    return ""


def no_text(outcome: Outcome, fact: Fact) -> str:
    """Nothing to cut, no chunk; what was read from the pictures of pages is something."""
    document, chunked = _whole(outcome)
    count = len(chunked.chunks) if not document.text.strip() else 0
    return f"{count} chunks of nothing" if count else ""


def page_text(outcome: Outcome, fact: Fact) -> str:
    """Every chunk says the page on which it begins."""
    document, cut = _whole(outcome)
    for chunk in cut.chunks:
        at = [page.number for page in document.pages if page.start <= chunk.start < page.end]
        if at != [chunk.page]:
            return f"chunk {chunk.index} begins on {at} and says {chunk.page}"
    return ""


def _whole_blocks(outcome: Outcome, blocks: list[Block]) -> str:
    cut = outcome.cut_by_size
    assert cut is not None
    text = _whole(outcome)[0].text
    for block in blocks:
        # A context takes a third of the window at most.
        if block.end - block.start > cut.size - cut.size // 3:
            continue
        end = block.start + len(text[block.start : block.end].rstrip())
        start = block.end - len(text[block.start : block.end].lstrip())
        if not any(chunk.start <= start and end <= chunk.end for chunk in cut.chunks):
            return f"{text[start : start + 40]!r} fits the window and is cut"
    return ""


def _whole(outcome: Outcome) -> tuple[ExtractedDocument, ChunkedDocument]:
    assert outcome.document is not None
    assert outcome.cut is not None
    return outcome.document, outcome.cut


CHUNK_CHECKS: dict[str, ChunkCheck] = {
    "lossless": lossless,
    "encoding": encoding,
    "grapheme": grapheme,
    "fence_count": fences,
    "code_symbol": code_symbol,
    "table_header": table_header,
    "no_text": no_text,
    "page_text": page_text,
}
