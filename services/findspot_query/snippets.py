"""The piece of a chunk that shows best why it was found, and the ranges in it that matched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from findspot.model import Span
from findspot.stores.text.compile import code_words
from findspot.stores.text.scripts import UNSPACED_RUN, WORD, bigrams
from findspot.stores.text.stopwords import without_stop_words
from findspot.stores.text.tokens import (
    find_words,
    identifier_tokens,
    is_compound,
    word_tokens,
)

SNIPPET_CHARACTERS = 160
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """White space collapsed, at most 160 characters; ranges in code points of `text`, ascending and apart."""

    text: str
    highlights: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A place in a text that matches, and which of the asked words it matches."""

    start: int
    end: int
    key: str


class QueryMatcher:
    """Finds the words of a query in texts, by the same tokens as the text arm."""

    def __init__(self, scored_text: str) -> None:
        self._words = without_stop_words(find_words(scored_text))
        self._stems: dict[str, frozenset[str]] = {}
        self._code = frozenset(identifier_tokens(code_words(scored_text)).split())
        self._bigrams = tuple(
            dict.fromkeys(gram for word in self._words for gram in word_tokens(word).cjk.split())
        )

    def stems(self, analyzer: str) -> frozenset[str]:
        """The stems that were asked, in the language of a chunk."""
        if analyzer not in self._stems:
            stems = (stem for word in self._words for stem in word_tokens(word, analyzer).stem.split())
            self._stems[analyzer] = frozenset(stems)
        return self._stems[analyzer]

    def matches(self, text: str, analyzer: str) -> list[Match]:
        """Every place in `text` that matches, in order."""
        stems = self.stems(analyzer)
        found = []
        for word in WORD.finditer(text):
            raw = word.group()
            key = self._key(raw, stems, analyzer)
            if key is not None:
                found.append(Match(word.start(), word.end(), key))
            elif self._bigrams and not raw.isascii():
                found.extend(self._unspaced(raw, word.start()))
        return found

    def _key(self, raw: str, stems: frozenset[str], analyzer: str) -> str | None:
        tokens = word_tokens(raw, analyzer)
        if tokens.stem in stems:
            return tokens.stem
        if " " in tokens.stem:
            return next((stem for stem in tokens.stem.split() if stem in stems), None)
        if tokens.code and is_compound(raw):
            return next((name for name in tokens.code.split() if name in self._code), None)
        return None

    def _unspaced(self, raw: str, offset: int) -> Iterator[Match]:
        """Two-character pieces of a run without spaces; those that overlap are joined when shown."""
        for run in UNSPACED_RUN.finditer(raw):
            at = run.start()
            for gram in self._bigrams:
                start = raw.find(gram, at, run.end())
                while start >= 0:
                    yield Match(offset + start, offset + start + len(gram), gram)
                    start = raw.find(gram, start + 1, run.end())

    def every_word(self, text: str, analyzer: str) -> bool:
        """True when at least two words were asked and all of them stand in `text`."""
        asked = self.stems(analyzer) | frozenset(self._bigrams)
        if len(asked) < 2:
            return False
        held: set[str] = set()
        for word in find_words(text):
            tokens = word_tokens(word, analyzer)
            held.update(tokens.stem.split())
            held.update(bigrams(word) if tokens.cjk and not tokens.stem else tokens.cjk.split())
        return asked <= held


def snippet(text: str, matcher: QueryMatcher, analyzer: str, limit: int = SNIPPET_CHARACTERS) -> Snippet:
    """The part of `text` with the most of the asked words, or its beginning when none stands in it."""
    line = " ".join(text.split())
    matches = matcher.matches(line, analyzer)
    if len(line) <= limit:
        return Snippet(line, _joined(matches))
    start, end = _window(line, matches, limit)
    before = _ELLIPSIS if start > 0 else ""
    after = _ELLIPSIS if end < len(line) else ""
    shift = len(before) - start
    inside = [
        Match(found.start + shift, found.end + shift, found.key)
        for found in matches
        if found.start >= start and found.end <= end
    ]
    return Snippet(before + line[start:end] + after, _joined(inside))


def _window(line: str, matches: Sequence[Match], limit: int) -> tuple[int, int]:
    """The range of `line` to show: room for both ellipses is kept, words are not cut where it can be helped."""
    room = limit - 2 * len(_ELLIPSIS)
    first, last = _best_run(matches, room)
    lead = (room - (last - first)) // 3
    start = max(0, min(first - lead, len(line) - room))
    if start > 0:
        space = line.find(" ", start - 1, first + 1)
        start = space + 1 if space >= 0 else start
    end = min(len(line), start + room)
    if end < len(line) and line[end] != " ":
        space = line.rfind(" ", max(last, start + room // 2), end)
        end = space if space > 0 else end
    return start, end


def _best_run(matches: Sequence[Match], room: int) -> tuple[int, int]:
    """From the first to the last match of the run within `room` that holds the most different words."""
    best = (0, 0, 0)
    span = (0, 0)
    stop = 0
    for number, first in enumerate(matches):
        stop = max(stop, number)
        while stop < len(matches) and matches[stop].end - first.start <= room:
            stop += 1
        run = matches[number:stop]
        if not run:
            continue
        score = (len({found.key for found in run}), len(run), -first.start)
        if span == (0, 0) or score > best:
            best, span = score, (first.start, run[-1].end)
    return span


def _joined(matches: Sequence[Match]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for found in sorted(matches, key=lambda match: (match.start, match.end)):
        if spans and found.start < spans[-1].end:
            spans[-1] = Span(spans[-1].start, max(spans[-1].end, found.end))
        else:
            spans.append(Span(found.start, found.end))
    return tuple(spans)
