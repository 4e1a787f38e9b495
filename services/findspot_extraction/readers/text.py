"""Plain text, logs and data that reads as text: the decoded file unchanged, one block a paragraph."""

from __future__ import annotations

from findspot.model import Block, BlockKind, ExtractedDocument
from findspot_extraction.readers.stamps import READER_STAMPS

from .decoding import decode
from .lines import paragraphs
from .reader import ReadLimits, Source, check_length


class TextReader:
    """Reads anything that is text by content. Code without a grammar becomes code blocks, else prose."""

    stamp = READER_STAMPS["text"]

    def read(self, source: Source, limits: ReadLimits) -> ExtractedDocument:
        """Never fails on content: what cannot be decoded becomes U+FFFD with a warning that counts it."""
        decoded = decode(source.data, language=source.language)
        check_length(decoded.text, limits)
        profile = source.profile
        is_code = profile.category == "code"
        kind = BlockKind.CODE if is_code else BlockKind.PARAGRAPH
        language = profile.document_type if is_code else ""
        return ExtractedDocument(
            text=decoded.text if decoded.text.strip() else "",
            document_type=source.document_type,
            media_type=source.media_type,
            category=profile.category,
            language=source.language,
            blocks=tuple(
                Block(kind, start, end, language=language) for start, end in paragraphs(decoded.text)
            ),
            warnings=decoded.warnings,
            extractor_stamp=self.stamp,
        )


READER = TextReader()
