"""Paragraphs of shapes: words with line breaks, list levels and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_math import equation_text
from findspot_extraction.readers.ooxml_numbers import written_number
from findspot_extraction.readers.ooxml_xml import ALTERNATE, A, chosen, whole_number
from findspot_extraction.readers.slides.layouts import Bullet, stated_bullet

_ESCAPED_BREAK = re.compile(r"_x000[ABDabd]_|[\x0b\n\r\u2028]")
_SCHEME = re.compile(r"(arabic|alphaLc|alphaUc|romanLc|romanUc)\w*?(Period|ParenR|ParenBoth|Plain)")
_STYLES = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_MARKS = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}
_EQUATION = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_LEVELS = 9


@dataclass(frozen=True, slots=True)
class SlideParagraph:
    """The words of a paragraph; `label` is None outside of lists, `level` counts from 1."""

    words: str
    level: int = 1
    label: str | None = None


def read_paragraphs(
    body: Element, bullets: Sequence[Bullet], languages: Counter[str]
) -> list[SlideParagraph]:
    """The paragraphs of a text body that have words. `languages` counts characters by language."""
    found: list[SlideParagraph] = []
    counts: dict[int, tuple[Bullet, int]] = {}
    for node in body.iter(A + "p"):
        words = paragraph_words(node, languages)
        if not words:
            continue
        properties = node.find(A + "pPr")
        level = 0 if properties is None else max(0, min(whole_number(properties.get("lvl")), _LEVELS - 1))
        bullet = stated_bullet(properties) or (bullets[level] if bullets else Bullet())
        label = _label(bullet, level, counts)
        found.append(SlideParagraph(words, level + 1, label))
    return found


def paragraph_words(paragraph: Element, languages: Counter[str] | None = None) -> str:
    """The words of a paragraph: lines without white space at their ends, blank lines left out."""
    parts: list[str] = []
    _collect(paragraph, parts, languages if languages is not None else Counter())
    return "\n".join(filter(None, map(str.strip, "".join(parts).replace("\xad", "").split("\n"))))


def _collect(parent: Element, parts: list[str], languages: Counter[str]) -> None:
    for node in parent:
        tag = node.tag
        if tag in (A + "r", A + "fld"):
            words = _ESCAPED_BREAK.sub("\n", node.findtext(A + "t") or "")
            parts.append(words)
            properties = node.find(A + "rPr")
            language = "" if properties is None else properties.get("lang", "")
            languages[language] += len(words)
        elif tag == A + "br":
            parts.append("\n")
        elif tag == ALTERNATE:
            shown = chosen(node)
            if shown is not None:
                _collect(shown, parts, languages)
        elif tag == _EQUATION:
            parts.extend(map(equation_text, node))


def _label(bullet: Bullet, level: int, counts: dict[int, tuple[Bullet, int]]) -> str | None:
    for deeper in range(level + 1, _LEVELS):
        counts.pop(deeper, None)
    if bullet.scheme in ("none", "char"):
        counts.pop(level, None)
        return "-" if bullet.scheme == "char" else None
    before = counts.get(level)
    number = before[1] + 1 if before is not None and before[0] == bullet else bullet.start
    counts[level] = bullet, number
    scheme = _SCHEME.fullmatch(bullet.scheme)
    if scheme is None:
        return f"{number}."
    return _MARKS[scheme.group(2)].format(written_number(number, _STYLES[scheme.group(1)]))
