"""EPUB books: the chapters in the order of the spine, each as an HTML page, and the book's own contents."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from findspot.errors import InvalidArgument
from findspot.model import Block, BlockKind, ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .archive import Archive
from .epub_package import Chapter, open_book
from .html import READER as HTML
from .joining import Joining
from .reader import ReadLimits, Source, corrupt, too_large

_CLOSED = re.compile(rb"<([a-zA-Z][\w:.-]*)((?:\s[^<>]*?)?)\s*/>")
_VOID = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())


class EpubReader:
    """Reads EPUB 2 and 3. Raises DOCUMENT_CORRUPT, DOCUMENT_ENCRYPTED and DOCUMENT_TOO_LARGE."""

    stamp = READER_STAMPS["epub"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """A chapter that cannot be read costs a warning; the page of contents becomes the outline."""
        archive = Archive(source.data, limits, "book")
        book = open_book(archive)
        if len(book.chapters) > limits.max_pages:
            raise too_large(
                f"The book has {len(book.chapters):,} chapters; the limit is {limits.max_pages:,}."
            )
        out = Joining(limits)
        notices: Counter[Notice] = Counter()
        read = 0
        for chapter in book.chapters:
            read += _add(chapter, archive, replace(source, language=book.language), limits, out, notices)
        if book.chapters and not read:
            raise corrupt(f"None of the {len(book.chapters):,} chapters of the book can be read.")
        return ExtractedDocument(
            text=out.text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=book.metadata.get("title", ""),
            language=source.language or book.language,
            blocks=tuple(out.blocks),
            outline=book.outline,
            metadata=book.metadata,
            warnings=(*book.notices, *notices),
            extractor_stamp=self.stamp,
        )


READER = EpubReader()


def _add(
    chapter: Chapter,
    archive: Archive,
    source: Source,
    limits: ReadLimits,
    out: Joining,
    notices: Counter[Notice],
) -> bool:
    """True when the chapter was read."""
    try:
        data = archive.read(chapter.part)
    except InvalidArgument as problem:
        notices[Notice("CHAPTER_UNREADABLE", problem.message)] += 1
        return False
    page = HTML.read(
        replace(source, data=_as_html(data), media_type="text/html", document_type="html"), limits
    )
    for notice in page.warnings:
        notices[replace(notice, message=f"{chapter.part}: {notice.message}")] += 1
    named = any(block.kind is BlockKind.HEADING for block in page.blocks)
    if page.blocks and chapter.title and not named:
        # The book names the chapter in its contents only: without its name nothing would say where a passage is.
        title = chapter.title
        out.add(title, (Block(BlockKind.HEADING, 0, len(title), level=chapter.level, title=title),))
    out.add(page.text, page.blocks)
    return True


def _as_html(data: bytes) -> bytes:
    """XHTML closes empty elements in their tag, which a reader of HTML takes for open ones."""

    def opened(found: re.Match[bytes]) -> bytes:
        name = found.group(1)
        if name.lower() in _VOID:
            return found.group()
        return b"<%b%b></%b>" % (name, found.group(2), name)

    return _CLOSED.sub(opened, data)
