"""What a paragraph is beyond text: a caption or a footnote."""

from __future__ import annotations

import re

from findspot.model import BlockKind
from findspot_extraction.readers.pdf.paragraphs import Piece

_CAPTION = re.compile(
    r"(?:figure|fig\.|table|tab\.|listing|chart|exhibit|abbildung|abb\.|tabelle|tableau|figura|tabla|tabella)"
    r"\s*[\dA-Z]{1,3}(?:[.\-]\d+)*\s*(?:[.:–—-]|\s\S)",
    re.IGNORECASE,
)
_LONGEST_CAPTION = 400
_NOTE_MARK = re.compile(r"(?:\d{1,3}|[*†‡§]{1,3}|\[\d{1,3}\])\S*")
_SMALLER = 0.92


def kind_of_paragraph(piece: Piece, body: float) -> BlockKind:
    """CAPTION for "Table 3: ...", FOOTNOTE for a marked paragraph in small type, else PARAGRAPH."""
    text = piece.text
    if len(text) <= _LONGEST_CAPTION and _CAPTION.match(text) and len(piece.lines) <= 6:
        return BlockKind.CAPTION
    words = piece.lines[0].fragments[0].words
    if (
        piece.lines[0].font.size <= _SMALLER * body
        and _NOTE_MARK.fullmatch(words[0])
        and len(text) > len(words[0])
    ):
        return BlockKind.FOOTNOTE
    return BlockKind.PARAGRAPH
