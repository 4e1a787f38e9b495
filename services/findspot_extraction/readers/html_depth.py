"""Bounds how deep the elements of a page stand in one another, before a parser sees it.

The rules by which every browser builds a page ask at most tags for elements that are open above: a page of n levels
takes n * n steps, and unclosed type settings are even repeated in each paragraph. Browsers stop at some hundred
levels as well, and put what stands deeper beside its parent.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from findspot.model import Notice

from .html_nodes import names
from .reader import too_large

_LEVELS = 512
_SETTINGS = 32
"""Type settings such as `font` that may be open at the same time."""
_TYPE = names("b big code em font i nobr s small strike strong tt u")
_BOXES = names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header"
    " hgroup main menu nav ol search section summary ul"
)
"""Elements that only their end tag ends: counting tags tells how deep they stand."""
_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_BOXES | _TYPE))})(?=[\s/>])", re.IGNORECASE)


def flattened(page: str) -> tuple[str, tuple[Notice, ...]]:
    """The page with the tags of deeper levels turned into such that hold nothing: all text stays, boxes still part it."""
    if page.count("<") <= _SETTINGS:
        return page, ()
    depth = Depth()
    found = _TAG.sub(depth.tag, page)
    if not depth.flattened:
        return page, ()
    message = (
        f"{depth.flattened:,} elements stand deeper than {_LEVELS:,} levels, or in more than {_SETTINGS} unclosed type "
        "settings; they were read as if they stood beside what holds them."
    )
    return found, (Notice("NESTING_FLATTENED", message),)


def parsed_page(page: str) -> LexborHTMLParser:
    """The tree that a browser would build. Raises DOCUMENT_TOO_LARGE."""
    try:
        return LexborHTMLParser(page)
    except SelectolaxError as problem:
        # Any text is some page: the parser only fails where its memory ends.
        raise too_large(
            "The page builds more elements than fit into the memory that one document may use. Split it."
        ) from problem


class Depth:
    """Counts open elements, tag by tag."""

    def __init__(self) -> None:
        self.flattened = 0
        self._boxes = 0
        self._settings = 0

    def tag(self, match: re.Match[str]) -> str:
        """What shall stand in the place of the beginning of a tag; its attributes follow."""
        ends = bool(match[1])
        if match[2].lower() in _TYPE:
            deep = self._settings + (not ends) > _SETTINGS
            self._settings = _moved(self._settings, ends)
            instead = "wbr"
        else:
            deep = self._boxes + (not ends) > _LEVELS
            self._boxes = _moved(self._boxes, ends)
            instead = "hr"
        if not deep:
            return match[0]
        self.flattened += not ends
        # An end tag of an element that holds nothing is passed over by parsers.
        return f"<{match[1]}{instead}"


def _moved(depth: int, ends: bool) -> int:
    return max(0, depth - 1) if ends else depth + 1
