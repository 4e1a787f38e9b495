"""What begins an item of a list."""

from __future__ import annotations

import re

_BULLET = re.compile(r"[•◦▪▫‣●○■□–—\-*·∙➢➤✓✔❖]")
_NUMBER = re.compile(
    r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\([A-Z]\)|\d{1,2}(?:\.\d{1,2}){1,3}\.?\)|\.\d{1,2}"
)


def is_marker(word: str) -> bool:
    """True for a bullet, or a number or letter as lists are numbered with."""
    return is_bullet(word) or is_number(word)


def is_bullet(word: str) -> bool:
    """True for a bullet on its own."""
    return bool(_BULLET.fullmatch(word))


def is_number(word: str) -> bool:
    """True for "1.", "(a)", "iv)" and their like."""
    return bool(_NUMBER.fullmatch(word))
