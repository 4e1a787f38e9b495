"""Page headers and footers of a Word document."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from findspot.model import Marginalia, MarginaliaKind
from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_xml import R, W
from findspot_extraction.readers.rendering import one_line
from findspot_extraction.readers.word.flow import Flow, Hanging

_REFERENCES = {
    W + "headerReference": MarginaliaKind.HEADER,
    W + "footerReference": MarginaliaKind.FOOTER,
}


def marginalia(package: Package, main: str, root: Element, flow: Flow) -> tuple[Marginalia, ...]:
    """Each different header and footer once, in the order of the sections; pages are not known (0)."""
    found: dict[tuple[MarginaliaKind, str], Marginalia] = {}
    for kind, part in dict.fromkeys(_referred(package, main, root)):
        content = package.optional(part)
        if content is None:
            continue
        lines = flow.lines(content, Hanging())
        words = "\n".join(filter(None, map(one_line, lines)))
        if not words:
            continue
        shown = MarginaliaKind.PAGE_NUMBER if words.strip("-–— ").isdigit() else kind
        found.setdefault((shown, words), Marginalia(0, shown, words))
    return tuple(found.values())


def _referred(package: Package, main: str, root: Element) -> Iterator[tuple[MarginaliaKind, str]]:
    for section in root.iter(W + "sectPr"):
        for node in section:
            part = package.target(main, node.get(R + "id")) if node.tag in _REFERENCES else ""
            if part:
                yield _REFERENCES[node.tag], part
