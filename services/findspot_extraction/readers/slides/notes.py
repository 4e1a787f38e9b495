"""What hangs on a slide: the speaker's notes and the comments of reviewers."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_xml import A, P
from findspot_extraction.readers.rendering import one_line
from findspot_extraction.readers.slides.layouts import MARGINS, placeholder_of
from findspot_extraction.readers.slides.paragraphs import paragraph_words

_NOT_NOTES = MARGINS | {"sldImg"}


def speaker_notes(package: Package, slide: str) -> Iterator[str]:
    """The words of each notes page of a slide; slide image, page number and page frame left out."""
    for part in package.related(slide, "notesSlide"):
        root = package.optional(part)
        lines: list[str] = []
        for shape in root.iter(P + "sp") if root is not None else ():
            placeholder = placeholder_of(shape)
            if placeholder is None or placeholder.type not in _NOT_NOTES:
                lines.extend(paragraph_words(paragraph) for paragraph in shape.iter(A + "p"))
        words = "\n".join(filter(None, lines))
        if words:
            yield words


class Comments:
    """The comments of a presentation, of the old kind and the new; each begins with its author."""

    def __init__(self, package: Package, main: str) -> None:
        self._package = package
        self._authors: dict[str, str] = {}
        for kind in ("commentAuthors", "authors"):
            for part in package.related(main, kind):
                root = package.optional(part)
                for node in root if root is not None else ():
                    self._authors[node.get("id", "")] = one_line(node.get("name", ""))

    def on(self, slide: str) -> Iterator[str]:
        """The comments of a slide, replies behind what they answer."""
        for part in self._package.related(slide, "comments"):
            root = self._package.optional(part)
            for node in root.iter() if root is not None else ():
                if node.tag.rpartition("}")[2] in ("cm", "reply"):
                    words = _words(node)
                    author = self._authors.get(node.get("authorId", ""), "")
                    if words:
                        yield f"{author}: {words}" if author else words


def _words(comment: Element) -> str:
    for node in comment:
        name = node.tag.rpartition("}")[2]
        if name == "text":
            return one_line(node.text or "")
        if name == "txBody":
            return one_line(" ".join(paragraph_words(paragraph) for paragraph in node.iter(A + "p")))
    return ""
