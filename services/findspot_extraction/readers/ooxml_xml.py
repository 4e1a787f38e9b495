"""XML parts of Office packages: parsed without document types, entities and bottomless nesting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, fromstring
from xml.parsers import expat

from .reader import corrupt

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
ALTERNATE = _MC + "AlternateContent"
_CHOICE = _MC + "Choice"
_FALLBACK = _MC + "Fallback"

_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
_DEEPEST = 256
"""Elements inside each other: no Office program writes more, and walks may recurse by level."""
_NUMBER = re.compile(r"\s*([+-]?\d{1,15})(?:\.\d*)?\s*")
_OFF = frozenset(("0", "false", "off", "none"))


class _RootReached(Exception):
    """The document type would have stood before this."""


def parse_xml(data: bytes, name: str) -> Element:
    """The root of a part; names of the strict variant of the format become those of the usual one.

    Raises DOCUMENT_CORRUPT. The format forbids document types, and with them entities go: none is expanded,
    nothing outside of the part is read.
    """
    _refuse_document_type(data, name)
    if b"http://purl.oclc.org/ooxml/" in data:
        data = _STRICT.sub(_USUAL, data)
    try:
        root = fromstring(data)
    except (ParseError, ValueError, LookupError) as problem:
        raise corrupt(f"Part {name!r} is not well-formed XML: {problem}.", part=name) from problem
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise corrupt(f"Part {name!r} nests elements more than {_DEEPEST} deep.", part=name)
        level = [child for element in level for child in element]
    return root


def _refuse_document_type(data: bytes, name: str) -> None:
    def refuse(*_: object) -> NoReturn:
        raise corrupt(
            f"Part {name!r} declares a document type, which the format forbids: entities are never expanded.",
            part=name,
        )

    def stop(*_: object) -> NoReturn:
        raise _RootReached

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = stop
    try:
        parser.Parse(data, True)
    except (_RootReached, expat.ExpatError, ValueError, LookupError):
        # What is wrong with the part, if anything, the real parser says better.
        return


def chosen(alternate: Element) -> Element | None:
    """What to show of an element that holds the same thing twice: the first choice, else the fallback."""
    for tag in (_CHOICE, _FALLBACK):
        node = alternate.find(tag)
        if node is not None and len(node):
            return node
    return None


def outermost(root: Element, tags: frozenset[str]) -> Iterator[Element]:
    """Elements of these tags below a root in document order, those inside each other and fallbacks left out."""
    stack = list(reversed(root))
    while stack:
        node = stack.pop()
        if node.tag in tags:
            yield node
        elif node.tag == ALTERNATE:
            shown = chosen(node)
            stack.extend(reversed(shown) if shown is not None else ())
        else:
            stack.extend(reversed(node))


def whole_number(value: str | None, default: int = 0) -> int:
    """The number that an attribute states; the default when it states none or an absurdly long one."""
    match = _NUMBER.fullmatch(value or "")
    return int(match.group(1)) if match else default


def is_on(node: Element | None, value_name: str) -> bool:
    """True for an on-off property that is there and not switched off."""
    return node is not None and node.get(value_name, "1").lower() not in _OFF
