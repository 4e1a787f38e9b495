"""Styles of a Word document: what a paragraph is, by its own properties and those that it inherits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from findspot.model import BlockKind
from findspot_extraction.readers.ooxml_xml import W, is_on, whole_number

_HEADING = re.compile(
    r"(?:heading|(?:ü|u|ue)?berschrift|titre|t[ií]tulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis"
    r"|заголовок|标题|標題|見出し|제목)[ _-]*([1-9])",
    re.I,
)
_CODE = re.compile(
    r"(?:source|program)?[ -]?code(?:[ -]?(?:block|listing|snippet))?|html preformatted|preformatted text|verbatim"
    r"|macro text?",
    re.I,
)
_QUOTE = re.compile(r"(?:intense |block ?)?quot(?:e|ation)s?|block text", re.I)
_CAPTION = re.compile(r"caption|image caption|table caption|figure caption|beschriftung|légende", re.I)
_HEADING_LEVELS = 9
VALUE = W + "val"


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """What decides the block that a paragraph becomes; None where nothing states it."""

    kind: BlockKind | None = None
    level: int | None = None
    """Heading level from 1; 0 for body text that says so."""
    is_title: bool = False
    list_id: int | None = None
    list_level: int | None = None
    language: str = ""

    def over(self, below: ParagraphFormat) -> ParagraphFormat:
        """This format, and where it states nothing the one below."""
        return ParagraphFormat(
            self.kind if self.kind is not None else below.kind,
            self.level if self.level is not None else below.level,
            self.is_title or below.is_title,
            self.list_id if self.list_id is not None else below.list_id,
            self.list_level if self.list_level is not None else below.list_level,
            self.language or below.language,
        )


class Styles:
    """The styles of one document, with inheritance resolved when a style is first asked for."""

    def __init__(self, root: Element | None) -> None:
        self._nodes: dict[str, Element] = {}
        self._resolved: dict[str, ParagraphFormat] = {}
        self.default_id = ""
        self.default_language = ""
        self.default_east_asian = ""
        for node in root if root is not None else ():
            if node.tag == W + "style":
                identity = node.get(W + "styleId", "")
                self._nodes.setdefault(identity, node)
                is_default = node.get(W + "default", "0") not in ("0", "false", "off")
                if is_default and node.get(W + "type") == "paragraph":
                    self.default_id = identity
        language = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}lang")
        if language is not None:
            self.default_language = language.get(VALUE, "")
            self.default_east_asian = language.get(W + "eastAsia", "")

    def paragraph(self, properties: Element | None) -> ParagraphFormat:
        """The format of a paragraph with these direct properties (`w:pPr`)."""
        named = None if properties is None else properties.find(W + "pStyle")
        style = self.style(self.default_id if named is None else named.get(VALUE, ""))
        return style if properties is None else direct_format(properties).over(style)

    def style(self, identity: str) -> ParagraphFormat:
        """The format of a style and of all that it is based on."""
        known = self._resolved.get(identity)
        if known is None:
            known = self._resolve(identity)
            self._resolved[identity] = known
        return known

    def list_of(self, identity: str) -> int | None:
        """The list that a numbering style stands for."""
        return self.style(identity).list_id

    def _resolve(self, identity: str) -> ParagraphFormat:
        found = ParagraphFormat()
        seen: set[str] = set()
        while identity and identity not in seen:
            seen.add(identity)
            node = self._nodes.get(identity)
            if node is None:
                return found.over(_named_format(identity))
            name = node.find(W + "name")
            properties = node.find(W + "pPr")
            own = ParagraphFormat() if properties is None else direct_format(properties)
            own = replace(own, language=_language(node.find(W + "rPr")))
            if own.list_id is not None and own.list_level is None:
                own = replace(own, list_level=-1)
            found = found.over(own).over(_named_format("" if name is None else name.get(VALUE, "")))
            base = node.find(W + "basedOn")
            identity = "" if base is None else base.get(VALUE, "")
        return found


def direct_format(properties: Element) -> ParagraphFormat:
    """What the properties of a paragraph or a style state themselves."""
    outline = properties.find(W + "outlineLvl")
    level = None
    if outline is not None:
        stated = whole_number(outline.get(VALUE), _HEADING_LEVELS)
        level = stated + 1 if 0 <= stated < _HEADING_LEVELS else 0
    numbering = properties.find(W + "numPr")
    list_id = list_level = None
    if numbering is not None:
        stated_id, stated_level = numbering.find(W + "numId"), numbering.find(W + "ilvl")
        list_id = None if stated_id is None else whole_number(stated_id.get(VALUE))
        list_level = None if stated_level is None else min(8, max(0, whole_number(stated_level.get(VALUE))))
    return ParagraphFormat(level=level, list_id=list_id, list_level=list_level)


def mark_is_deleted(properties: Element | None) -> bool:
    """True when the end of the paragraph is a deleted one: its words go on in the next."""
    run = None if properties is None else properties.find(W + "rPr")
    return run is not None and (run.find(W + "del") is not None or run.find(W + "moveFrom") is not None)


def is_hidden(run_properties: Element | None) -> bool:
    """True for text that Word does not show."""
    return run_properties is not None and is_on(run_properties.find(W + "vanish"), VALUE)


def _language(run_properties: Element | None) -> str:
    node = None if run_properties is None else run_properties.find(W + "lang")
    return "" if node is None else node.get(VALUE, "")


def _named_format(name: str) -> ParagraphFormat:
    """What the name of a built-in style says where its definition is silent, or is not there."""
    heading = _HEADING.fullmatch(name)
    if heading:
        return ParagraphFormat(level=int(heading.group(1)))
    if name.lower() == "title":
        return ParagraphFormat(is_title=True)
    for kind, pattern in ((BlockKind.CAPTION, _CAPTION), (BlockKind.QUOTE, _QUOTE), (BlockKind.CODE, _CODE)):
        if pattern.fullmatch(name):
            return ParagraphFormat(kind=kind)
    return ParagraphFormat()
