"""How texts are compared: compatibility forms, direction marks and white space do not count."""

from __future__ import annotations

import re
import unicodedata

_IGNORED = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff\u00ad]")


def fold(text: str) -> str:
    """NFKC without marks, white space collapsed to single spaces."""
    return " ".join(_IGNORED.sub("", unicodedata.normalize("NFKC", text)).split())


def holds(text: str, wanted: str) -> bool:
    """True when `wanted` stands in `text`; else once more without any white space, for right-to-left and vertical text."""
    folded, sought = fold(text), fold(wanted)
    return sought in folded or sought.replace(" ", "") in folded.replace(" ", "")
