"""What a document is called, and the few words that say what it is about."""

from __future__ import annotations

import re

from findspot.model import BlockKind, ExtractedDocument

SUMMARY_CHARACTERS = 280

_PROSE = (BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.LIST_ITEM)
# Enough source for a summary, whatever markup goes.
_ENOUGH = 8 * SUMMARY_CHARACTERS

_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\[[^\]]*\]")
_TAG = re.compile(r"</?[A-Za-z][^>\n]{0,200}>")
_LINE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def title_of(document: ExtractedDocument, file_path: str) -> str:
    """The title the document states, else its first heading of level 1, else the name of its file."""
    if document.title.strip():
        return document.title.strip()
    for block in document.blocks:
        if block.kind is BlockKind.HEADING and block.level == 1 and block.title.strip():
            return block.title.strip()
    return file_path.rsplit("/", 1)[-1]


def summary_of(document: ExtractedDocument) -> str:
    """The leading prose, without markup, on one line, at most 280 characters and ended at a word.

    Empty for source code and for documents without prose.
    """
    if document.category == "code":
        return ""
    pieces: list[str] = []
    length = 0
    for block in document.blocks:
        if block.kind in _PROSE and length < _ENOUGH:
            pieces.append(document.text[block.start : min(block.end, block.start + _ENOUGH)])
            length += len(pieces[-1])
    source = "\n".join(pieces) if document.blocks else document.text[:_ENOUGH]
    plain = _without_markup(source) if document.document_type == "markdown" else source
    return _cut(" ".join(plain.split()))


def _without_markup(source: str) -> str:
    plain = _IMAGE.sub("", source)
    plain = _LINK.sub(lambda found: found.group(1) or found.group(2) or "", plain)
    plain = _TAG.sub("", plain)
    plain = _LINE_MARK.sub("", plain)
    plain = _CODE.sub(r"\2", plain)
    # Twice: emphasis may stand in emphasis.
    plain = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", plain))
    return _ESCAPE.sub(r"\1", plain)


def _cut(line: str) -> str:
    if len(line) <= SUMMARY_CHARACTERS:
        return line
    cut = line[: SUMMARY_CHARACTERS - 1]
    words, blank, _ = cut.rpartition(" ")
    # A script without blanks, or one very long word, is cut where it must.
    return (words.rstrip(" ,;:-") if blank else cut) + "…"
