"""What each check of a record means for the chunks that came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from findspot.errors import InvalidArgument
from findspot.model import BlockKind, Chunk, ChunkedDocument, ChunkKind, ExtractedDocument
from findspot.payload import embedded_text
from tests.conformance.facts import heading_path_at

Check = Mapping[str, Any]
Verdict = Callable[[ExtractedDocument, ChunkedDocument, Check], str]
"""Says what is wrong; empty when the check holds."""


def covers_all_text(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    covered = 0
    for chunk in cut.chunks:
        lost = document.text[covered : chunk.start].strip()
        if lost:
            return f"{lost[:60]!r} is in no chunk"
        covered = max(covered, chunk.end)
    lost = document.text[covered:].strip()
    return f"the end, {lost[:60]!r}, is in no chunk" if lost else ""


def offsets_slice_equals_text(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    for chunk in cut.chunks:
        if not 0 <= chunk.start < chunk.end or document.text[chunk.start : chunk.end] != chunk.text:
            return f"chunk {chunk.index} is not the slice {chunk.start} to {chunk.end}"
    return ""


def starts_strictly_increase(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    wrong = [after.index for before, after in pairwise(cut.chunks) if after.start <= before.start]
    return f"chunks {wrong} do not start behind the one before" if wrong else ""


def overlap_between_neighbours_min(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    least = min((before.end - after.start for before, after in pairwise(cut.chunks)), default=0)
    return "" if least >= check["value"] else f"two neighbours share {least} characters"


def some_chunk_contains(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    return "" if _holding(cut, check["value"]) else f"no chunk holds {check['value']!r}"


def some_chunk_starts_with(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = any(chunk.text.startswith(check["value"]) for chunk in cut.chunks)
    return "" if found else f"chunks start with {[chunk.text[:12] for chunk in cut.chunks][:5]}"


def one_chunk_contains_all(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = any(all(part in chunk.text for part in check["value"]) for chunk in cut.chunks)
    return "" if found else f"no chunk holds all of {check['value']}"


def every_chunk_contains_all(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    for chunk in cut.chunks:
        missing = [part for part in check["value"] if part not in embedded_text(chunk.context, chunk.text)]
        if missing:
            return f"chunk {chunk.index} is without {missing}"
    return ""


def no_chunk_contains(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = _holding(cut, check["value"])
    return f"chunk {found[0].index} holds {check['value']!r}" if found else ""


def no_chunk_contains_both(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    return "" if one_chunk_contains_all(document, cut, check) else f"one chunk holds both {check['value']}"


def every_row_once(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    numbers = range(check["from"], check["to"] + 1)
    rows = [check["pattern"].replace("{i}", str(number)) for number in numbers]
    wrong = [row for row in rows if len(_holding(cut, row)) != 1]
    return f"{wrong[:5]} are not in exactly one chunk" if wrong else ""


def chunk_count(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    return "" if len(cut.chunks) == check["value"] else f"{len(cut.chunks)} chunks"


def chunk_count_min(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    return "" if len(cut.chunks) >= check["value"] else f"{len(cut.chunks)} chunks"


def chunk_count_max(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    return "" if len(cut.chunks) <= check["value"] else f"{len(cut.chunks)} chunks"


def max_chunk_chars(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    longest = max(len(embedded_text(chunk.context, chunk.text)) for chunk in cut.chunks)
    return "" if longest <= check["value"] else f"a chunk has {longest} characters"


def most_chunks_end_with(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    count = sum(chunk.text.rstrip().endswith(check["value"]) for chunk in cut.chunks)
    return "" if count * 2 > len(cut.chunks) else f"{count} of {len(cut.chunks)} do"


def all_chunks_encode_utf8(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    wrong = [
        chunk.index for chunk in cut.chunks if chunk.text.encode(errors="replace").decode() != chunk.text
    ]
    return f"chunks {wrong} are no Unicode" if wrong else ""


def headings(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = [block.title for block in document.blocks if block.kind is BlockKind.HEADING]
    beyond = {name for chunk in cut.chunks for name in chunk.heading_path} - set(check["value"])
    return "" if found == check["value"] and not beyond else f"{found}, in paths also {sorted(beyond)}"


def heading_path_of(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    paths = [list(chunk.heading_path) for chunk in _holding(cut, check["text"])]
    return "" if paths and all(path == check["value"] for path in paths) else f"{paths}"


def heading_path_in_sight(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    """The blocks state the path, and whoever reads the chunk sees all of it: in its path, then as lines of its text."""
    if heading_path_at(document, document.text.index(check["text"])) != check["value"]:
        return "the blocks state another path"
    for chunk in _holding(cut, check["text"]):
        above = chunk.text[: chunk.text.index(check["text"])]
        own = list(chunk.heading_path)
        if own != check["value"][: len(own)] or any(name not in above for name in check["value"][len(own) :]):
            return f"chunk {chunk.index} shows {own} and {above!r}"
    return ""


def every_chunk_has_heading_path(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    other = {chunk.heading_path for chunk in cut.chunks} - {tuple(check["value"])}
    bare = [chunk.index for chunk in cut.chunks if not _shows(chunk, check["value"])]
    return f"also {sorted(other)}; not to be seen in chunks {bare}" if other or bare else ""


def table_count(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    blocks = sum(block.table is not None for block in document.blocks)
    chunks = sum(chunk.kind is ChunkKind.TABLE for chunk in cut.chunks)
    fits = blocks == check["value"] and (blocks > 0) == (chunks > 0)
    return "" if fits else f"{blocks} tables in {chunks} chunks"


def table_columns(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = [list(block.table.columns) for block in document.blocks if block.table]
    return "" if check["value"] in found else f"{found}"


def table_rows(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = [len(block.table.rows) - block.table.header_rows for block in document.blocks if block.table]
    return "" if found == [check["value"]] else f"{found}"


def page_of(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    at = document.text.index(check["text"])
    stated = [page.number for page in document.pages if page.start <= at < page.end]
    if stated != [check["value"]]:
        return f"the text stands on {stated}"
    for chunk in cut.chunks:
        begins = [page.number for page in document.pages if page.start <= chunk.start < page.end]
        if begins != [chunk.page]:
            return f"chunk {chunk.index} begins on {begins} and says {chunk.page}"
    return ""


def text_count(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    count = document.text.count(check["text"])
    return "" if count == check["value"] else f"{count} times"


def bbox_of(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    found = [box for text, box in _boxes(document) if check["text"] in text]
    wanted = (check["x"], check["y"])
    near = [
        box for box in found if all(abs(a - b) <= check["tol"] for a, b in zip(box, wanted, strict=False))
    ]
    return "" if near else f"at {found}"


def bbox_in_unit_square(document: ExtractedDocument, cut: ChunkedDocument, check: Check) -> str:
    boxes = [box for _, box in _boxes(document)]
    inside = all(0 <= x <= x + width <= 1 and 0 <= y <= y + height <= 1 for x, y, width, height in boxes)
    return "" if boxes and inside else f"{boxes}"


def _holding(cut: ChunkedDocument, wanted: str) -> list[Chunk]:
    return [chunk for chunk in cut.chunks if wanted in chunk.text]


def _shows(chunk: Chunk, path: Sequence[str]) -> bool:
    return all(name in embedded_text(chunk.context, chunk.text) for name in path)


def _boxes(document: ExtractedDocument) -> list[tuple[str, tuple[float, ...]]]:
    return [
        (document.text[start : start + length], words.boxes[4 * place : 4 * place + 4])
        for words in document.words
        for place, (start, length) in enumerate(zip(words.starts, words.lengths, strict=True))
    ]


VERDICTS: dict[str, Verdict] = {
    verdict.__name__: verdict
    for verdict in (
        covers_all_text,
        offsets_slice_equals_text,
        starts_strictly_increase,
        overlap_between_neighbours_min,
        some_chunk_contains,
        some_chunk_starts_with,
        one_chunk_contains_all,
        every_chunk_contains_all,
        no_chunk_contains,
        no_chunk_contains_both,
        every_row_once,
        chunk_count,
        chunk_count_min,
        chunk_count_max,
        max_chunk_chars,
        most_chunks_end_with,
        all_chunks_encode_utf8,
        headings,
        heading_path_of,
        heading_path_in_sight,
        every_chunk_has_heading_path,
        table_count,
        table_columns,
        table_rows,
        page_of,
        text_count,
        bbox_of,
        bbox_in_unit_square,
    )
}
ERRORS = {"INVALID_ARGUMENT": InvalidArgument}
"""Failures that a record may want, by their code."""
