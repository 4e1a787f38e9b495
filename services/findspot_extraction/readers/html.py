"""HTML pages: the words a reader of the page sees, without scripts, styles, navigation and page frame."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from findspot.model import ExtractedDocument, Notice
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import decode
from .html_depth import flattened, parsed_page
from .html_nodes import attribute, inline_words
from .html_walk import HtmlWalk
from .reader import ReadLimits, Source, check_length
from .rendering import one_line

_CHARSET = re.compile(
    rb"""<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)|<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.I
)
_META = {
    "description": "description",
    "og:description": "description",
    "author": "author",
    "keywords": "keywords",
    "article:published_time": "published",
    "date": "published",
}


class HtmlReader:
    """Reads HTML and XHTML as a browser would build it, then renders its content."""

    stamp = READER_STAMPS["html"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Every sequence of bytes is some HTML: nothing here fails on content but its length and its elements."""
        declared = _CHARSET.search(source.data[:4096])
        charset = b"".join(group or b"" for group in declared.groups()).decode() if declared else ""
        decoded = decode(source.data, declared=charset, language=source.language)
        check_length(decoded.text, limits)
        source_text, flattening = flattened(decoded.text)
        page = parsed_page(source_text)
        walk = _rendered(page)
        metadata = _metadata(page)
        text = walk.out.text
        return ExtractedDocument(
            text=text,
            document_type=source.document_type,
            media_type=source.media_type,
            category=source.profile.category,
            title=walk.first_heading or metadata.get("title", ""),
            language=source.language or metadata.get("lang", ""),
            blocks=tuple(walk.out.blocks),
            metadata=metadata,
            warnings=decoded.warnings + flattening + _notices(walk),
            extractor_stamp=self.stamp,
        )


READER = HtmlReader()


def _rendered(page: LexborHTMLParser) -> HtmlWalk:
    walk = HtmlWalk()
    root = page.body or page.root
    if root is None:
        return walk
    walk.render(root)
    if not walk.out.blocks and walk.left_out.total():
        # A page that is nothing but its frame: then the frame is what it says.
        walk = HtmlWalk(keep_chrome=True)
        walk.render(root)
    return walk


def _metadata(page: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    title = page.css_first("head > title")
    if title is not None and inline_words(title):
        found["title"] = inline_words(title)
    language = page.css_first("html[lang]")
    if language is not None and (attribute(language, "lang") or "").strip():
        found["lang"] = one_line(attribute(language, "lang") or "")
    for meta in page.css("meta[content]"):
        key = _META.get((attribute(meta, "name") or attribute(meta, "property") or "").lower())
        value = one_line(attribute(meta, "content") or "")
        if key and value and not value.startswith("data:"):
            found.setdefault(key, value)
    return found


def _notices(walk: HtmlWalk) -> tuple[Notice, ...]:
    parts = [f"{tag} ({count:,})" for tag, count in sorted(walk.left_out.items()) if count]
    if not parts:
        return ()
    message = f"Left out as navigation, page frame or hidden, characters by element: {', '.join(parts)}."
    return (Notice("PAGE_FRAME_LEFT_OUT", message),)
