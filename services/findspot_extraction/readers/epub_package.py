"""What an EPUB package says about its book: properties, the order of chapters, the table of contents."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborNode

from findspot.errors import InvalidArgument
from findspot.model import Notice, OutlineEntry

from .archive import Archive
from .html_depth import flattened, parsed_page
from .html_nodes import attribute, inline_words
from .ooxml_xml import parse_xml
from .reader import corrupt, encrypted
from .rendering import one_line

_DOCTYPE = re.compile(rb"<!DOCTYPE\s[^<>\[\]]*>")
_CHAPTERS = frozenset(("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml"))
_OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "language": "language",
    "publisher": "publisher",
    "date": "published",
    "description": "description",
    "subject": "keywords",
    "identifier": "identifier",
}
_MANY = frozenset(("author", "keywords"))


@dataclass(frozen=True, slots=True)
class Chapter:
    """One part of the spine, and what the table of contents calls it."""

    part: str
    title: str = ""
    level: int = 1


@dataclass(frozen=True, slots=True)
class Book:
    """A package that was opened; nothing of its chapters is read yet."""

    metadata: Mapping[str, str]
    chapters: tuple[Chapter, ...]
    outline: tuple[OutlineEntry, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def language(self) -> str:
        """As the book states it."""
        return self.metadata.get("language", "")


@dataclass(slots=True)
class _Contents:
    entries: list[tuple[OutlineEntry, str]] = field(default_factory=list)
    """Each entry with the part that it leads to."""
    notices: list[Notice] = field(default_factory=list)


def open_book(archive: Archive) -> Book:
    """Read container, package and table of contents. Raises DOCUMENT_CORRUPT and DOCUMENT_ENCRYPTED."""
    part = _package_part(archive)
    root = _parsed(archive, part)
    folder = posixpath.dirname(part)
    items = {node.get("id", ""): node for node in _named(root, "item")}
    spine = [
        items[node.get("idref", "")] for node in _named(root, "itemref") if node.get("idref", "") in items
    ]
    contents = _contents(archive, items.values(), folder)
    titles: dict[str, OutlineEntry] = {}
    for entry, target in contents.entries:
        titles.setdefault(target, entry)
    chapters = []
    for node in spine:
        properties = node.get("properties", "").split()
        if node.get("media-type", "application/xhtml+xml") not in _CHAPTERS or "nav" in properties:
            continue
        name = _joined(folder, node.get("href", ""))
        named = titles.get(name)
        found = archive.find(name) or name
        chapters.append(Chapter(found, named.title if named else "", named.level if named else 1))
    if not chapters:
        raise corrupt("The book names no chapter that it holds.")
    _refuse_encrypted(archive, {chapter.part for chapter in chapters})
    outline = tuple(entry for entry, _ in contents.entries)
    return Book(_metadata(root), tuple(chapters), outline, tuple(contents.notices))


def _package_part(archive: Archive) -> str:
    container = archive.find("META-INF/container.xml")
    if container:
        for node in _named(_parsed(archive, container), "rootfile"):
            found = archive.find(unquote(node.get("full-path", "")))
            if found:
                return found
    found = next((name for name in archive.names if name.lower().endswith(".opf")), "")
    if not found:
        raise corrupt(
            "The archive holds no EPUB package: neither META-INF/container.xml nor an .opf names one."
        )
    return found


def _parsed(archive: Archive, part: str) -> Element:
    """A part as XML. A document type that only names a public one is passed over, one with entities refused."""
    return parse_xml(_DOCTYPE.sub(b"", archive.read(part), count=1), part)


def _named(root: Element, name: str) -> Iterator[Element]:
    for node in root.iter():
        if isinstance(node.tag, str) and node.tag.rpartition("}")[2] == name:
            yield node


def _joined(folder: str, reference: str) -> str:
    path = unquote(reference.split("#")[0])
    return posixpath.normpath(posixpath.join(folder, path)) if path else ""


def _metadata(root: Element) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for section in _named(root, "metadata"):
        for node in section.iter():
            key = _PROPERTIES.get(node.tag.rpartition("}")[2])
            words = one_line("".join(node.itertext()))
            if key and words:
                found.setdefault(key, []).append(words)
    return {key: ", ".join(words) if key in _MANY else words[0] for key, words in found.items()}


def _contents(archive: Archive, items: Iterable[Element], folder: str) -> _Contents:
    contents = _Contents()
    for node in items:
        name = archive.find(_joined(folder, node.get("href", "")))
        try:
            if "nav" in node.get("properties", "").split() and name:
                contents.entries = list(_from_navigation(archive.read(name), posixpath.dirname(name)))
                return contents
            if node.get("media-type") == "application/x-dtbncx+xml" and name:
                contents.entries = list(_from_ncx(_parsed(archive, name), posixpath.dirname(name)))
        except InvalidArgument as problem:
            contents.notices.append(Notice("CONTENTS_UNREADABLE", problem.message))
    return contents


def _from_navigation(data: bytes, folder: str) -> Iterator[tuple[OutlineEntry, str]]:
    # What of the links stands too deep to count keeps its words: no notice is needed.
    page = parsed_page(flattened(data.decode("utf-8", errors="replace"))[0])
    for nav in page.css("nav"):
        if "toc" not in (attribute(nav, "epub:type") or attribute(nav, "role") or "toc"):
            continue
        for link in nav.css("a[href]"):
            words = inline_words(link)
            if words:
                yield OutlineEntry(_depth(link), words), _joined(folder, attribute(link, "href") or "")
        return


def _depth(link: LexborNode) -> int:
    depth, node = 0, link.parent
    while node is not None and node.tag != "nav" and depth < 64:
        depth += node.tag in ("ol", "ul")
        node = node.parent
    return min(max(depth, 1), 6)


def _from_ncx(root: Element, folder: str) -> Iterator[tuple[OutlineEntry, str]]:
    stack = [(node, 0) for node in list(_named(root, "navMap"))[::-1]]
    while stack:
        node, level = stack.pop()
        children = [child for child in node if child.tag.rpartition("}")[2] == "navPoint"]
        if level:
            label = next((child for child in node if child.tag.endswith("navLabel")), None)
            words = one_line("".join(label.itertext())) if label is not None else ""
            target = next((child.get("src", "") for child in node if child.tag.endswith("content")), "")
            if words:
                yield OutlineEntry(min(level, 6), words), _joined(folder, target)
        stack.extend((child, level + 1) for child in children[::-1])


def _refuse_encrypted(archive: Archive, chapters: set[str]) -> None:
    part = archive.find("META-INF/encryption.xml")
    if not part:
        return
    for data in _named(_parsed(archive, part), "EncryptedData"):
        method = next((node.get("Algorithm", "") for node in _named(data, "EncryptionMethod")), "")
        targets = {unquote(node.get("URI", "")) for node in _named(data, "CipherReference")}
        if method not in _OBFUSCATED_FONTS and targets & chapters:
            raise encrypted(
                "The book is protected: its chapters are encrypted. Add a copy without protection."
            )
