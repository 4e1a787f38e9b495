"""The context of a chunk: title, headings, sheet, caption, columns, cut back to a third of the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from findspot.model import Span
from findspot.payload import JOINT
from findspot_chunking.levels import Sentences, Words
from findspot_chunking.plan import ContextParts, Source
from findspot_chunking.window import Context, Window

HEADING_JOINT = " > "
COLUMN_JOINT = " | "
LINE_JOINT = "\n"
SHARE = 3
"""A context takes at most one part in this many of the window."""


def parts_to_count(source: Source) -> Iterator[str]:
    """Every string that a context of this document can be made of, joints included."""
    yield from (HEADING_JOINT, COLUMN_JOINT, LINE_JOINT, JOINT)
    yield flat(source.title)
    for page in source.pages:
        yield flat(page.label)
    for segment in source.segments:
        yield flat(segment.title)
        yield from map(flat, segment.symbol_path)
        if segment.table is not None:
            yield flat(segment.table.caption)
            yield from map(flat, segment.table.columns)


def flat(words: str) -> str:
    """Words on one line."""
    return " ".join(words.split())


@dataclass(slots=True)
class _Room:
    characters: int
    tokens: int | None

    def takes(self, characters: int, tokens: int) -> bool:
        return characters <= self.characters and (self.tokens is None or tokens <= self.tokens)

    def take(self, characters: int, tokens: int) -> None:
        self.characters -= characters
        if self.tokens is not None:
            self.tokens -= tokens

    def part(self, numerator: int, denominator: int) -> _Room:
        tokens = None if self.tokens is None else self.tokens * numerator // denominator
        return _Room(self.characters * numerator // denominator, tokens)


def _filled(parts: ContextParts) -> list[object]:
    return [part for part in (parts.headings, parts.labels, parts.columns, parts.before) if part]


@dataclass(slots=True)
class ContextBuilder:
    """Builds contexts for one document and remembers them; `cut` counts those that lost a part."""

    source: Source
    window: Window
    cut: set[str] = field(default_factory=set)
    _made: dict[ContextParts, Context] = field(default_factory=dict)

    def build(self, parts: ContextParts) -> Context:
        """The context, whole or cut back at a whole heading or column."""
        made = self._made.get(parts)
        if made is None:
            made = self._made[parts] = self._compose(parts)
        return made

    def forget(self) -> None:
        """Drop what is remembered: token counts have changed."""
        self._made.clear()
        self.cut.clear()

    def _compose(self, parts: ContextParts) -> Context:
        counter = self.window.counter
        cap = self.window.token_cap - self.window.special_tokens
        # What joins context and text is part of the share.
        room = _Room(self.window.size // SHARE - len(JOINT), None if counter is None else cap // SHARE)
        lines: list[str] = []
        tokens = 0
        line_joint = self._tokens(LINE_JOINT)
        for line, cost in self._lines(parts, room):
            if line:
                lines.append(line)
                tokens += cost + line_joint
                room.take(len(line) + len(LINE_JOINT), cost + line_joint)
        text = LINE_JOINT.join(lines)
        if counter is not None and text:
            tokens = max(tokens + counter.part(JOINT), counter.known(text))
        return Context(text, tokens)

    def _lines(self, parts: ContextParts, room: _Room) -> Iterator[tuple[str, int]]:
        """One line after the other with its tokens; each fits what the ones before have left of `room`."""
        # Headings leave room for columns: without those a row of a table says nothing.
        share = room.part(1, 2) if self._too_long(parts, room) and len(_filled(parts)) > 1 else room
        yield self._headings(parts.headings, share)
        for label in parts.labels:
            yield self._label(label, room)
        yield self._columns(parts.columns, room)
        yield self._before(parts.before, room)

    def _too_long(self, parts: ContextParts, room: _Room) -> bool:
        pieces = [*parts.headings, *parts.labels, *parts.columns]
        characters = sum(len(flat(piece)) + 3 for piece in pieces)
        if parts.before is not None:
            characters += parts.before.end - parts.before.start
        tokens = sum(self._tokens(flat(piece)) + 1 for piece in pieces)
        return not room.takes(characters, tokens)

    def _tokens(self, part: str) -> int:
        return 0 if self.window.counter is None else self.window.counter.part(part)

    def _joined(self, names: Sequence[str], joint: str) -> tuple[str, int]:
        cost = self._tokens(joint) * max(len(names) - 1, 0)
        return joint.join(names), cost + sum(self._tokens(name) for name in names)

    def _headings(self, headings: Sequence[str], room: _Room) -> tuple[str, int]:
        """The innermost headings that fit: they say most about what follows."""
        names = [name for name in map(flat, headings) if name]
        for index in range(len(names) + 1):
            line, cost = self._joined(names[index:], HEADING_JOINT)
            if room.takes(len(line), cost):
                self._note_cut(index > 0, names)
                return line, cost
        self._note_cut(bool(names), names)
        return "", 0

    def _label(self, label: str, room: _Room) -> tuple[str, int]:
        name = flat(label)
        if room.takes(len(name), self._tokens(name)):
            return name, self._tokens(name)
        self._note_cut(True, [name])
        return "", 0

    def _columns(self, columns: Sequence[str], room: _Room) -> tuple[str, int]:
        """The first columns that fit, whole."""
        names = list(map(flat, columns))
        if not any(names):
            return "", 0
        characters = tokens = count = 0
        for name in names:
            more = len(name) + (len(COLUMN_JOINT) if count else 0)
            cost = self._tokens(name) + (self._tokens(COLUMN_JOINT) if count else 0)
            if not room.takes(characters + more, tokens + cost):
                self._note_cut(True, names)
                break
            characters, tokens, count = characters + more, tokens + cost, count + 1
        return COLUMN_JOINT.join(names[:count]), tokens

    def _before(self, span: Span | None, room: _Room) -> tuple[str, int]:
        """The end of the paragraph before, from a sentence or else a word on."""
        if span is None or room.characters < 1:
            return "", 0
        text = self.source.text
        sentences = Sentences(text, span.start, span.end, self.source.language)
        place: int | None = span.start
        for level in (None, sentences, Words(text)):
            if level is not None:
                low = max(span.start, span.end - room.characters - 1)
                place = level.first(low, span.end - 1)
            while place is not None:
                line = flat(text[place : span.end])
                cost = self._span_tokens(place, span.end)
                if room.takes(len(line), cost):
                    self._note_cut(place > span.start, [line])
                    return line, cost
                if level is None:
                    break
                place = level.first(place, span.end - 1)
        return "", 0

    def _span_tokens(self, start: int, end: int) -> int:
        return 0 if self.window.counter is None else self.window.counter.count(start, end)

    def _note_cut(self, cut: bool, names: Sequence[str]) -> None:
        if cut:
            self.cut.add("\n".join(names))
