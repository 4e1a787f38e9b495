"""How two lines of one paragraph are joined: by a space, by nothing, or by nothing and without the hyphen."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

_HYPHENS = "-\u2010"
_DASHES = "\u2011\u2013"
_IDEOGRAPH = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Signs of Chinese and Japanese, which put no space between words; Korean does."""
_URL = re.compile(r"://|www\.")
_CONJUNCTIONS = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "och"))


class Join(StrEnum):
    """What becomes of the line break."""

    SPACE = "space"
    GLUE = "glue"
    DROP_HYPHEN = "drop_hyphen"


def join_lines(last: str, first: str, known: Callable[[str], bool]) -> Join:
    """How to join a line ending with the word `last` to one that begins with `first`.

    `known` tells whether the document holds a word elsewhere, in lower case: it decides between "co-operate",
    which keeps its hyphen, and "trans-late", which was cut only because the line was full.
    """
    if _IDEOGRAPH.match(last[-1]) and _IDEOGRAPH.match(first[0]):
        return Join.GLUE
    if last[-1] == "/" and _URL.search(last):
        return Join.GLUE
    if len(last) < 2 or not last[-2].isalnum() or not first[0].isalnum():
        return Join.SPACE
    if last[-1] in _DASHES:
        # "2018–" + "23"; a dash between words has a space before it.
        return Join.GLUE
    if last[-1] not in _HYPHENS:
        return Join.SPACE
    following = bare(first)
    if following in _CONJUNCTIONS:
        return Join.SPACE
    if not last[-2].isalpha() or not first[0].islower():
        return Join.GLUE
    left = bare(last[:-1])
    if known(left + following):
        return Join.DROP_HYPHEN
    if known(f"{left}-{following}") or "-" in left:
        return Join.GLUE
    return Join.DROP_HYPHEN


def bare(word: str) -> str:
    """A word in lower case without the punctuation around it."""
    return word.lower().strip(".,;:!?()[]{}\"'“”‘’«»…")
