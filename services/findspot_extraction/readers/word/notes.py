"""Footnotes, endnotes and comments of a Word document: in parts of their own, read where they are referred to."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from findspot.model import BlockKind
from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_xml import W
from findspot_extraction.readers.rendering import one_line
from findspot_extraction.readers.word.flow import Flow, Hanging

_KINDS = {
    "footnotes": BlockKind.FOOTNOTE,
    "endnotes": BlockKind.FOOTNOTE,
    "comments": BlockKind.NOTE,
}


class Notes:
    """Gives each note once, at the first place that refers to it."""

    def __init__(self, package: Package, main: str, flow: Flow) -> None:
        self._flow = flow
        self._nodes: dict[tuple[str, str], Element] = {}
        for kind in _KINDS:
            for part in package.related(main, kind):
                root = package.optional(part)
                for node in root if root is not None else ():
                    if node.get(W + "type", "normal") == "normal":
                        self._nodes.setdefault((kind, node.get(W + "id", "")), node)

    def take(self, kind: str, identity: str) -> tuple[BlockKind, str, Hanging] | None:
        """The kind and words of a note; comments begin with their author. None once taken, or for none."""
        node = self._nodes.pop((kind, identity), None)
        if node is None:
            return None
        hanging = Hanging()
        words = "\n".join(one_line(line) for line in self._flow.lines(node, hanging))
        author = one_line(node.get(W + "author", "")) if kind == "comments" else ""
        return _KINDS[kind], f"{author}: {words}" if author and words else words, hanging
