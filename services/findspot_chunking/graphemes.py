"""Grapheme clusters by position: whether a cut is between two of them, and where the nearest such cut is.

Whether there is a boundary before a code point depends only on it and on what stands to its left (UAX #29), so
a short slice that begins at a place known to be a boundary decides it; whole documents are never segmented.
"""

from __future__ import annotations

import unicodedata

import unicode_segmentation_rs

_LOOK_BACK = 48
"""Characters to look back for an obvious start of a cluster before everything since the floor is segmented."""


def _surely_starts(text: str, position: int) -> bool:
    """True when a cluster begins at `position`, by its two neighbours; False says it is not obvious."""
    before, here = text[position - 1], text[position]
    if here < "\x80":
        if before < "\x80":
            return (before, here) != ("\r", "\n")
        return _never_prepends(before)
    if "\u4e00" <= here <= "\u9fff" or "\u30a1" <= here <= "\u30fa" or "\u3041" <= here <= "\u3096":
        return before < "\x80" or _never_prepends(before)
    return False


def _never_prepends(character: str) -> bool:
    """True for characters that never take the next one into their cluster, as a few format signs do."""
    return "\u3041" <= character <= "\uffff" or unicodedata.category(character) not in ("Cf", "Lo")


def is_boundary(text: str, position: int, floor: int = 0) -> bool:
    """True when no cluster is cut at `position`; `floor` is a boundary at or before it."""
    if position <= floor or position >= len(text) or _surely_starts(text, position):
        return True
    return boundary_at_or_before(text, position, floor) == position


def boundary_at_or_before(text: str, position: int, floor: int) -> int:
    """The greatest boundary <= `position`; `floor` is a boundary at or before it."""
    if position <= floor or position >= len(text):
        return min(max(position, floor), len(text))
    anchor = position
    nearest = max(floor, position - _LOOK_BACK)
    while anchor > nearest and not _surely_starts(text, anchor):
        anchor -= 1
    if anchor == nearest:
        anchor = floor
    if anchor == position:
        return position
    clusters = unicode_segmentation_rs.graphemes(text[anchor : position + 1], True)
    return position + 1 - len(clusters[-1])


def boundary_after(text: str, position: int) -> int:
    """The end of the cluster that begins at `position`, a boundary before the end of the text."""
    reach = 16
    while True:
        clusters = unicode_segmentation_rs.graphemes(text[position : position + reach], True)
        if len(clusters) > 1 or position + reach >= len(text):
            return position + len(clusters[0])
        reach *= 4
