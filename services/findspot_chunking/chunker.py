"""Cuts one document: sections, pieces, a check of what could be over the cap, then chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from findspot.errors import Internal, InvalidArgument
from findspot.model import ChunkedDocument, ExtractedDocument
from findspot.profiles import Profile, profile_for
from findspot_chunking.assemble import Assembly, Cut, TokenCounts
from findspot_chunking.blanks import has_ink
from findspot_chunking.contexts import ContextBuilder, parts_to_count
from findspot_chunking.options import ResolvedOptions
from findspot_chunking.overruns import PieceKey, find_overruns, key_of
from findspot_chunking.plan import Run, Source
from findspot_chunking.segments import segments_of
from findspot_chunking.splitter import Piece, PieceLimit, Splitter
from findspot_chunking.strategies import CUTTERS, Cutter
from findspot_chunking.tokens import TokenCounter, Tokenize, count_document
from findspot_chunking.window import Context, Window

STAMP = "chunking/1"
"""Name and version: raised when the same document would be cut differently."""

_PLAIN_ROUNDS = 12
_ROUNDS = 24


def _never() -> bool:
    return False


def chunk_document(
    document: ExtractedDocument,
    options: ResolvedOptions,
    tokenize: Tokenize | None = None,
    is_over: Callable[[], bool] = _never,
) -> ChunkedDocument:
    """Cut a document. The same document, options and tokenizer give the same chunks in every process.

    `tokenize` is asked once for the text and every part of a context, and again only for chunks whose count
    could differ once they are cut out. It must be given when `options.token_cap` is. No chunk is over the
    size in characters (a single grapheme excepted, which a notice tells) or over the token cap. `is_over` is
    asked with every chunk: when it says True, the work ends with `Cancelled`.

    Raises `InvalidArgument` for text with lone surrogates and for more than `options.max_chunks` chunks.
    """
    source = source_of(document, options.profile)
    if not has_ink(source.text, 0, len(source.text)):
        return Assembly(source, options, {}).document([], 0, STAMP)
    counter: TokenCounter | None = None
    if options.token_cap is not None:
        if tokenize is None:
            raise Internal("A token cap was given without a tokenizer to count with.")
        counter = count_document(source.text, parts_to_count(source), tokenize)
    window = Window(options.size, counter, options.token_cap or 0, options.special_tokens)
    cuts = _Cutting(source, options, CUTTERS[options.strategy], ContextBuilder(source, window), is_over)
    counts: TokenCounts = {}
    if counter is None or tokenize is None:
        found = cuts.cut()
    else:
        found, counts = _within_cap(cuts, counter, tokenize)
    return Assembly(source, options, counts).document(found, len(cuts.contexts.cut), STAMP)


def source_of(document: ExtractedDocument, profile: Profile | None = None) -> Source:
    """The parts of a document that decide how it is cut, its blocks flattened to segments."""
    text = document.text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"The text holds a lone surrogate at {error.start:,}: it is not valid Unicode. "
            "Replace it before chunking, for example by U+FFFD."
        ) from error
    profile = profile or profile_for(document.document_type)
    category = document.category or profile.category
    return Source(
        text=text,
        segments=tuple(segments_of(text, document.blocks, code=category == "code")),
        pages=document.pages,
        title=document.title,
        language=document.language,
        document_type=document.document_type,
        category=category,
        grammar=(profile.grammar or document.document_type) if category == "code" else "",
    )


@dataclass(slots=True)
class _Cutting:
    """One document being cut with one strategy; the same again after token counts were corrected."""

    source: Source
    options: ResolvedOptions
    cutter: Cutter
    contexts: ContextBuilder
    is_over: Callable[[], bool]

    def cut(self) -> list[Cut]:
        """All sections with the pieces of their runs."""
        limit = PieceLimit(self.options.max_chunks, self.is_over)
        window = self.contexts.window
        return [
            Cut(plan, tuple((run, piece) for run in plan.runs for piece in self._pieces(run, window, limit)))
            for plan in self.cutter.plan(self.source, window)
        ]

    def _pieces(self, run: Run, window: Window, limit: PieceLimit) -> Iterator[Piece]:
        def context_at(position: int) -> Context:
            return self.contexts.build(run.parts_at(position))

        if not run.marks and window.fits(run.start, run.end, context_at(run.start)):
            limit.add()
            context = context_at(run.start)
            yield Piece(run.start, run.end, 0, context)
            return
        manner = self.cutter.manner(self.source, run, self.options.overlap)
        splitter = Splitter(self.source.text, run.start, run.end, window, manner, context_at)
        yield from splitter.pieces(limit)


def _within_cap(cuts: _Cutting, counter: TokenCounter, tokenize: Tokenize) -> tuple[list[Cut], TokenCounts]:
    """Cut, ask for the chunks that could be over the cap, correct the counts of those that are, cut again."""
    exact: dict[PieceKey, int] = {}
    window = cuts.contexts.window
    for number in range(_ROUNDS):
        found = cuts.cut()
        pieces = [piece for cut in found for _, piece in cut.pieces]
        overruns = find_overruns(cuts.source.text, pieces, window, tokenize, exact)
        if not overruns:
            return found, _counts(pieces, counter, window, exact)
        if any(overrun.end - overrun.start == 1 for overrun in overruns):
            break
        for overrun in overruns:
            # Counted once, the corrected starts nearly always suffice. A tokenizer that gives every slice
            # another count is met with counts that grow until the slices are small enough.
            counter.learn(overrun.start, overrun.end, overrun.starts, 1 if number < _PLAIN_ROUNDS else 2)
            counter.learn_part(overrun.context, overrun.context_tokens)
        cuts.contexts.forget()
    raise Internal(
        f"However small they are cut, some chunks are still over the cap of {window.token_cap} tokens: "
        "the tokenizer counts the same text differently each time it is cut."
    )


def _counts(
    pieces: Sequence[Piece], counter: TokenCounter, window: Window, exact: Mapping[PieceKey, int]
) -> TokenCounts:
    """Tokens of every piece: as it was counted by itself, else as the whole text says, which is the same."""
    return {
        key_of(piece): exact.get(
            key_of(piece),
            counter.count_uncorrected(piece.start, piece.end) + piece.context.tokens + window.special_tokens,
        )
        for piece in pieces
    }
