"""The piece of a chunk that shows best why it was found, and the ranges in it that matched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from findspot.model import Span
from findspot.stores.text.compile import code_words
from findspot.stores.text.scripts import UNSPACED_RUN, WORD
from findspot.stores.text.stopwords import without_stop_words
from findspot.stores.text.tokens import (
    find_words,
    identifier_tokens,
    word_tokens,
)

SNIPPET_CHARACTERS = 160
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """White space collapsed, at most 160 characters; ranges in code points of `text`, ascending and apart."""

    text: str
    highlights: tuple[Span, ...] = ()


class Match(NamedTuple):
    """A place in a text that matches, and which of the asked words it matches."""

    start: int
    end: int
    key: str


class QueryMatcher:
    """Finds the words of a query in texts, by the same tokens as the text arm."""

    def __init__(self, scored_text: str) -> None:
        self._words = without_stop_words(find_words(scored_text))
        self._code = frozenset(identifier_tokens(code_words(scored_text)).split())
        self._bigrams = tuple(
            dict.fromkeys(gram for word in self._words for gram in word_tokens(word).cjk.split())
        )
        self._languages: dict[str, _Language] = {}

    def _language(self, analyzer: str) -> _Language:
        found = self._languages.get(analyzer)
        if found is None:
            stems = (stem for word in self._words for stem in word_tokens(word, analyzer).stem.split())
            found = _Language(analyzer, frozenset(stems), self._code)
            self._languages[analyzer] = found
        return found

    def matches(self, text: str, analyzer: str) -> list[Match]:
        """Every place in `text` that matches, in order."""
        language = self._language(analyzer)
        if language.plain and not self._bigrams:
            return language.in_plain(text)
        found = []
        for word in WORD.finditer(text):
            raw = word.group()
            key = language.key(raw)
            if key:
                found.append(Match(word.start(), word.end(), key))
            elif self._bigrams and not raw.isascii():
                found.extend(self._unspaced(raw, word.start()))
        return found

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
        asked = self._language(analyzer).stems | frozenset(self._bigrams)
        return len(asked) > 1 and asked <= {found.key for found in self.matches(text, analyzer)}


class _Language:
    """The asked words in one language, and what was found out about the words of texts so far."""

    def __init__(self, analyzer: str, stems: frozenset[str], code: frozenset[str]) -> None:
        self.stems = stems
        self._analyzer = analyzer
        self._code = code
        self._keys: dict[str, str] = {}
        self._beginnings = _beginnings(stems | code)
        self.plain = all(token.isascii() for token in stems)
        """True when the asked words are ASCII, as most are: then texts are looked through by their beginnings."""

    def key(self, raw: str) -> str:
        """Which of the asked words a word of a text is; empty for none."""
        known = self._keys.get(raw)
        if known is None:
            known = self._keys[raw] = self._find(raw)
        return known

    def _find(self, raw: str) -> str:
        tokens = word_tokens(raw, self._analyzer)
        stem = next((stem for stem in tokens.stem.split() if stem in self.stems), "")
        return stem or next((name for name in tokens.code.split() if name in self._code), "")

    def in_plain(self, text: str) -> list[Match]:
        """The matches of plain words: only words that begin like an asked one, or have accents, are looked at."""
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(low if len(low := character.lower()) == 1 else character for character in text)
        found = self._beginning(text, lower)
        if not text.isascii():
            seen = {match.start for match in found}
            found.extend(match for match in self._accented(text) if match.start not in seen)
            found.sort()
        return found

    def _accented(self, text: str) -> Iterator[Match]:
        """Words with a letter that is not ASCII: "école" does not begin like the "ecole" that was asked."""
        past = 0
        for letter in _NOT_ASCII.finditer(text):
            if letter.start() < past:
                continue
            before = _WORD_BEFORE.search(text, max(past, letter.start() - _LONGEST_NAME), letter.start())
            word = WORD.match(text, before.start() if before else letter.start())
            if word is not None:
                past = word.end()
                key = self.key(word.group())
                if key:
                    yield Match(word.start(), word.end(), key)

    def _beginning(self, text: str, lower: str) -> list[Match]:
        found: list[Match] = []
        past = 0
        for start in self._places(lower):
            if start < past:
                continue
            if start and (lower[start - 1].isalnum() or lower[start - 1] == "_"):
                # Inside a word: only a part of a compound name counts, and then the whole name is meant.
                if lower[start - 1] != "_" and not text[start].isupper():
                    continue
                before = _WORD_BEFORE.search(lower, max(past, start - _LONGEST_NAME), start)
                start = before.start() if before else start
            word = WORD.match(text, start)
            if word is None:
                continue
            past = word.end()
            key = self.key(word.group())
            if key:
                found.append(Match(start, past, key))
        return found

    def _places(self, lower: str) -> list[int]:
        """Where an asked word may begin. A few searches for plain strings: compiling a pattern would cost more."""
        places = []
        find = lower.find
        for beginning in self._beginnings:
            place = find(beginning)
            while place >= 0:
                places.append(place)
                place = find(beginning, place + 1)
        places.sort()
        return places


_LONGEST_NAME = 128
_NOT_ASCII = re.compile(r"[^\W\x00-\x7f]")
_WORD_BEFORE = re.compile(r"\w+\Z")


def _beginnings(tokens: frozenset[str]) -> tuple[str, ...]:
    """What ASCII words that may be one of `tokens` begin with: all but the last letter of a stem."""
    plain = sorted(
        {token if len(token) <= 3 else token[: max(3, len(token) - 1)] for token in tokens if token.isascii()}
    )
    # Sorted, a beginning stands right behind those that it begins with itself.
    shortest: list[str] = []
    for beginning in plain:
        if not shortest or not beginning.startswith(shortest[-1]):
            shortest.append(beginning)
    return tuple(shortest)


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
