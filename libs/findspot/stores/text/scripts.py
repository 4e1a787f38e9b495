"""Which characters make a word in which script: words, runs written without spaces, and their bigrams."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise


def _marks() -> str:
    """The combining marks of planes 0 and 1 as the inside of a character class.

    Python's `\\w` leaves them out, so it cuts Hindi, Thai and Arabic words at every vowel sign.
    """
    ranges: list[tuple[int, int]] = []
    for code in range(0x300, 0x20000):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


MARKS = _marks()
"""Combining marks, to be put inside a character class."""

# Zero-width joiners stand inside words of Persian, Hindi and others.
_JOINERS = "\u200c\u200d"
WORD = re.compile(rf"\w[\w{MARKS}{_JOINERS}]*")
"""One word: letters, digits and underscores of any script, with their marks."""

# Han, kana, Hangul, bopomofo; Thai, Lao, Khmer, Burmese: no space, or not every space, ends a word there.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3040-\u30ff\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
UNSPACED_RUN = re.compile(rf"[{_UNSPACED}][{_UNSPACED}{MARKS}]*")
"""A run of characters of scripts that are written without spaces between words."""
_CLUSTER = re.compile(rf"[^{MARKS}{_JOINERS}][{MARKS}{_JOINERS}]*|[{MARKS}{_JOINERS}]+")


def clusters(run: str) -> list[str]:
    """The characters of a run, each with the marks that belong to it."""
    return _CLUSTER.findall(run)


def bigrams(run: str) -> list[str]:
    """Each two neighbouring characters of a run; a character that stands alone is kept as it is."""
    characters = clusters(run)
    return [a + b for a, b in pairwise(characters)] if len(characters) > 1 else characters


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """A word of a Latin script without its accents ("café" gives "cafe"); any other word as it is."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    if not any(character.isascii() and character.isalpha() for character in decomposed):
        return word
    return "".join(character for character in decomposed if not unicodedata.combining(character))
