"""From what the recognition model says of each column of a line to words and where they are.

The model is sure of letters and shy of spaces: in small print it runs words together, although a space is
its second thought between them. So the second thought counts here, where the letters stand apart as well or
where punctuation makes a space likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

_CERTAIN = 0.07
"""Probability of a space, in any column between two characters, that needs no other sign of it."""
_POSSIBLE = 0.02
"""The same where the two stand apart, or one of them is punctuation that often has a space on this side."""
_WIDE_STEP = 1.15
"""Times the usual distance between two characters: they stand apart."""
_UNLIKELY = 0.5
"""The probability that is needed before a closing sign, and between two characters of full width."""
_CLOSING = ",.;:!?)]}%"
_OPENING = "([{"
_BULLETS = "-*•·‣–"
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_WIDE = "\u2e80", "\ud7ff"
"""Scripts that are written without spaces and in full width."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A word and its extent on its line, 0 at the line's beginning and 1 at its end."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class _Seen:
    character: str
    column: float
    probability: float
    space: float
    """Highest probability of a space since the character before."""


def words_of_line(
    probabilities: Any, alphabet: Sequence[str], used: float
) -> tuple[tuple[Stretch, ...], float]:
    """The words of a line and the mean probability of their characters; no words where nothing was seen.

    `probabilities` is an array of columns by characters of the alphabet, whose first entry stands for "no
    character" and one of which is a space. `used` is the share of the columns that the line fills.
    """
    seen = list(_characters(probabilities, alphabet))
    if not seen:
        return (), 0.0
    columns = max(1.0, used * len(probabilities))
    confidence = sum(item.probability for item in seen) / len(seen)
    steps = [after.column - before.column for before, after in pairwise(seen) if after.space < _CERTAIN]
    usual = median(steps) if steps else columns / len(seen)
    words = [[seen[0]]]
    for place, (before, item) in enumerate(pairwise(seen)):
        if _is_apart(before, item, usual, place == 0):
            words.append([item])
        else:
            words[-1].append(item)
    latin = not any(_is_wide(item.character) for item in seen)
    return tuple(_stretch(word, usual / 2, columns, latin) for word in words), confidence


def _characters(probabilities: Any, alphabet: Sequence[str]) -> Iterable[_Seen]:
    """Characters that are the first choice of a column and not of the column before."""
    space = alphabet.index(" ")
    best = probabilities.argmax(axis=1).tolist()
    sure = probabilities.max(axis=1).tolist()
    spaces = probabilities[:, space].tolist()
    before, gap = 0, 0.0
    for column, choice in enumerate(best):
        gap = max(gap, spaces[column])
        if choice not in (before, 0, space):
            yield _Seen(alphabet[choice], column + 0.5, sure[column], gap)
            gap = 0.0
        before = choice


def _is_apart(before: _Seen, item: _Seen, usual: float, is_first: bool) -> bool:
    """True when there is a space between two characters."""
    first, second = before.character.translate(_FULL_WIDTH), item.character.translate(_FULL_WIDTH)
    if second in _CLOSING or (_is_wide(first) and _is_wide(second)):
        return item.space >= _UNLIKELY
    likely = second in _OPENING or (first in _CLOSING and second.isalpha())
    if is_first and first in _BULLETS and second.isalpha():
        return True
    wide = item.column - before.column >= _WIDE_STEP * usual
    return item.space >= (_POSSIBLE if likely or wide else _CERTAIN)


def _stretch(word: Sequence[_Seen], half: float, columns: float, latin: bool) -> Stretch:
    text = "".join(item.character for item in word)
    start, end = word[0].column - half, word[-1].column + half
    return Stretch(
        text.translate(_FULL_WIDTH) if latin else text,
        min(1.0, max(0.0, start / columns)),
        min(1.0, max(0.0, end / columns)),
    )


def _is_wide(character: str) -> bool:
    return _WIDE[0] <= character <= _WIDE[1]
