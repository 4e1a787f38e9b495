"""What a paragraph is beyond text: a caption or a footnote."""

from __future__ import annotations

import re

from findspot.model import BlockKind
from findspot_extraction.readers.pdf.paragraphs import Piece, Shape

_CAPTION = re.compile(
    r"(?:figure|fig\.|table|tab\.|listing|chart|exhibit|abbildung|abb\.|tabelle|tableau|figura|tabla|tabella)"
    r"\s*[\dA-Z]{1,3}(?:[.\-]\d+)*\s*(?:[.:–—-]|\s\S)",
    re.IGNORECASE,
)
_LONGEST_CAPTION = 400
_MOST_LINES = 6
_NOTE_MARK = re.compile(r"(?:\d{1,3}(?![\d.,:/–-])|[*†‡§]{1,3}|\[\d{1,3}\])\S*")
_SMALLER = 0.92


def kind_of_paragraph(piece: Piece, body: float) -> BlockKind:
    """CAPTION for "Table 3: ...", FOOTNOTE for a marked paragraph in small type, else PARAGRAPH."""
    if is_footnote(piece, body):
        return BlockKind.FOOTNOTE
    text = piece.text
    if len(piece.lines) <= _MOST_LINES and len(text) <= _LONGEST_CAPTION and _CAPTION.match(text):
        return BlockKind.CAPTION
    return BlockKind.PARAGRAPH


def is_footnote(piece: Piece, body: float) -> bool:
    """True for a paragraph in smaller type than the body that begins with a mark and goes on after it."""
    if piece.shape is not Shape.PARAGRAPH or piece.lines[0].font.size > _SMALLER * body:
        return False
    head = piece.lines[0].fragments[0].words
    return bool(_NOTE_MARK.fullmatch(head[0])) and len(piece.text) > len(head[0])
