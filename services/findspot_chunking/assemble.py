"""Pieces made into chunks: index, locator, page, hash, identifiers, token counts, and what has to be said."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from findspot.ids import text_hash
from findspot.model import BlockKind, Chunk, ChunkedDocument, ChunkKind, Notice, Section
from findspot_chunking.identifiers import MAX_IDENTIFIERS, code_identifiers, span_identifiers
from findspot_chunking.locators import Locator
from findspot_chunking.options import ResolvedOptions
from findspot_chunking.overruns import PieceKey, key_of
from findspot_chunking.plan import Run, SectionPlan, Source
from findspot_chunking.splitter import Piece
from findspot_chunking.window import Limit

TokenCounts = Mapping[PieceKey, int]
"""Tokens of pieces, context and special tokens included; empty when nobody counts."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A section and the pieces that its runs were cut into."""

    plan: SectionPlan
    pieces: tuple[tuple[Run, Piece], ...]


class Assembly:
    """Puts one document together, counting what its caller should know."""

    def __init__(self, source: Source, options: ResolvedOptions, tokens: TokenCounts) -> None:
        self._source = source
        self._options = options
        self._tokens = tokens
        self._locator = Locator(source)
        self._seen: Counter[tuple[ChunkKind, str]] = Counter()
        self._limits: Counter[Limit] = Counter()
        self._cut_rows = 0
        self._oversize = 0
        self._lost_identifiers = 0

    def document(self, cuts: Sequence[Cut], cut_contexts: int, stamp: str) -> ChunkedDocument:
        """Sections and chunks in document order."""
        sections: list[Section] = []
        chunks: list[Chunk] = []
        for cut in cuts:
            sections.append(self._section(cut.plan, len(sections)))
            for run, piece in cut.pieces:
                chunks.append(self._chunk(run, piece, cut.plan, len(sections) - 1, len(chunks)))
        limit = self._effective()
        return ChunkedDocument(
            sections=tuple(sections),
            chunks=tuple(chunks),
            strategy=self._options.strategy,
            size=self._options.size,
            overlap=self._options.overlap,
            effective_limit=limit.value,
            token_cap=self._options.token_cap,
            warnings=tuple(self._notices(limit, cut_contexts)),
            chunker_stamp=stamp,
        )

    def _section(self, plan: SectionPlan, index: int) -> Section:
        first, last = self._locator.pages(plan.start, plan.end)
        return Section(
            index=index,
            start=plan.start,
            end=plan.end,
            kind=plan.kind,
            heading_path=plan.heading_path,
            locator=self._locator.locate(plan.start, plan.end, plan.heading_path),
            page_start=first,
            page_end=last,
        )

    def _chunk(self, run: Run, piece: Piece, plan: SectionPlan, section: int, index: int) -> Chunk:
        text = self._source.text[piece.start : piece.end]
        path = run.path_at(piece.start) if run.marks else plan.heading_path
        digest = text_hash(piece.context.text, text)
        occurrence = self._seen[run.kind, digest]
        self._seen[run.kind, digest] += 1
        self._limits[piece.limit] += 1
        self._oversize += piece.oversize
        self._cut_rows += piece.inside_unit
        return Chunk(
            index=index,
            section_index=section,
            start=piece.start,
            end=piece.end,
            text=text,
            context=piece.context.text,
            kind=run.kind,
            language=run.language,
            heading_path=path,
            locator=self._locator.locate(piece.start, piece.end, path),
            page=self._locator.pages(piece.start, piece.end)[0],
            overlap=piece.overlap,
            identifiers=self._identifiers(run, text),
            contains_code=run.kind is not ChunkKind.CODE and self._holds_code(run, piece),
            chunk_hash=digest,
            occurrence=occurrence,
            token_count=self._tokens.get(key_of(piece)),
        )

    def _holds_code(self, run: Run, piece: Piece) -> bool:
        at = bisect_left(run.segments, piece.start + 1, key=lambda segment: segment.end)
        while at < len(run.segments) and run.segments[at].start < piece.end:
            if run.segments[at].kind is BlockKind.CODE:
                return True
            at += 1
        return False

    def _identifiers(self, run: Run, text: str) -> tuple[str, ...]:
        find = code_identifiers if run.kind is ChunkKind.CODE else span_identifiers
        names, lost = find(text)
        self._lost_identifiers += lost
        return names

    def _effective(self) -> Limit:
        chars, tokens = self._limits[Limit.CHARS], self._limits[Limit.TOKENS]
        if chars == tokens == 0:
            return Limit.STRUCTURE
        return Limit.TOKENS if tokens >= chars else Limit.CHARS

    def _notices(self, limit: Limit, cut_contexts: int) -> Iterator[Notice]:
        options = self._options
        if limit is Limit.TOKENS and options.size_stated:
            yield Notice(
                "SIZE_ABOVE_TOKEN_CAP",
                f"The size of {options.size:,} characters was not reached: most chunks end at the cap of "
                f"{options.token_cap} tokens of the embedding model.",
            )
        if self._cut_rows:
            yield Notice(
                "TABLE_ROW_CUT",
                f"{self._cut_rows} cuts fall inside of a table row, because the row alone is longer than the "
                f"window of {options.size:,} characters or {options.token_cap or 'any number of'} tokens.",
            )
        if self._oversize:
            yield Notice(
                "GRAPHEME_OVER_SIZE",
                f"{self._oversize} chunks are longer than {options.size:,} characters: one character as "
                "people see it (a grapheme cluster) has more code points than that, and is kept whole.",
            )
        if cut_contexts:
            yield Notice(
                "CONTEXT_CUT",
                f"{cut_contexts} contexts (headings, column names) would take more than a third of the "
                "window and were cut back at a whole heading or column.",
            )
        if self._lost_identifiers:
            yield Notice(
                "IDENTIFIERS_CUT",
                f"{self._lost_identifiers} identifiers are left out: a chunk carries {MAX_IDENTIFIERS} at "
                "most. The text itself is complete.",
            )
