"""List labels of Word documents, counted as Word counts them: shared, restarted and nested numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_numbers import written_number
from findspot_extraction.readers.ooxml_xml import W, is_on, whole_number
from findspot_extraction.readers.word.styles import VALUE, Styles

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
BULLET = "-"


@dataclass(frozen=True, slots=True)
class _Level:
    format: str = "decimal"
    text: str = ""
    start: int = 1
    restart: int = -1
    """0: never; n: only after a paragraph of level n (from 1) or above; -1: after any level above."""
    legal: bool = False


@dataclass(slots=True)
class _List:
    """The levels and running numbers that all lists made from one definition share."""

    levels: dict[int, _Level]
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


class Numbering:
    """The lists of one document. Labels must be asked for in the order of the paragraphs."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[int, _List] = {}
        self._style_levels: dict[int, dict[str, int]] = {}
        self._definitions: dict[int, Element] = {}
        self._instances: dict[int, Element] = {}
        self._overridden: set[tuple[int, int]] = set()
        self._own_levels: dict[int, dict[int, _Level]] = {}
        for node in root if root is not None else ():
            if node.tag == W + "abstractNum":
                self._definitions[whole_number(node.get(W + "abstractNumId"), -1)] = node
            elif node.tag == W + "num":
                self._instances[whole_number(node.get(W + "numId"), -1)] = node

    def label(self, list_id: int, level: int) -> str | None:
        """The label of the next paragraph of a list, `2.1.`; BULLET, empty for none; None for no list."""
        instance = self._instances.get(list_id)
        if instance is None:
            return None
        definition = self._definition(instance)
        shared = self._shared(definition)
        levels = self._levels(list_id, instance, shared)
        self._count(list_id, instance, shared, levels, level)
        return _label(levels, shared.counts, level)

    def level_of_style(self, list_id: int, style_id: str) -> int:
        """The level that a list ties to a paragraph style; 0 when it ties none."""
        instance = self._instances.get(list_id)
        if instance is None:
            return 0
        number = self._definition(instance)
        if number not in self._style_levels:
            node = self._definitions.get(number)
            tied = {}
            for level in node.findall(W + "lvl") if node is not None else ():
                style = level.find(W + "pStyle")
                if style is not None:
                    tied[style.get(VALUE, "")] = whole_number(level.get(W + "ilvl"))
            self._style_levels[number] = tied
        return min(_LEVELS - 1, max(0, self._style_levels[number].get(style_id, 0)))

    def _definition(self, instance: Element) -> int:
        """The definition of a list; one that only names a numbering style is followed to that style's list."""
        number = _stated(instance, "abstractNumId")
        node = self._definitions.get(number)
        link = None if node is None else node.find(W + "numStyleLink")
        if link is not None:
            linked = self._instances.get(self._styles.list_of(link.get(VALUE, "")) or -1)
            return number if linked is None else _stated(linked, "abstractNumId")
        return number

    def _shared(self, number: int) -> _List:
        if number not in self._lists:
            node = self._definitions.get(number)
            self._lists[number] = _List({} if node is None else _read_levels(node))
        return self._lists[number]

    def _levels(self, list_id: int, instance: Element, shared: _List) -> dict[int, _Level]:
        if list_id not in self._own_levels:
            own = dict(shared.levels)
            for override in instance.findall(W + "lvlOverride"):
                own |= _read_levels(override)
            self._own_levels[list_id] = own
        return self._own_levels[list_id]

    def _count(
        self, list_id: int, instance: Element, shared: _List, levels: dict[int, _Level], level: int
    ) -> None:
        counts = shared.counts
        for above in range(level):
            if counts[above] is None:
                counts[above] = levels.get(above, _Level()).start
        start = self._restart(list_id, instance, level)
        current = counts[level]
        if start is not None:
            counts[level] = start
        else:
            counts[level] = levels.get(level, _Level()).start if current is None else current + 1
        for below in range(level + 1, _LEVELS):
            restart = levels.get(below, _Level()).restart
            if restart < 0 or level < restart:
                counts[below] = None

    def _restart(self, list_id: int, instance: Element, level: int) -> int | None:
        """The number at which this list starts anew at a level, the first time it is used there."""
        if (list_id, level) in self._overridden:
            return None
        self._overridden.add((list_id, level))
        for override in instance.findall(W + "lvlOverride"):
            start = override.find(W + "startOverride")
            if start is not None and whole_number(override.get(W + "ilvl")) == level:
                return whole_number(start.get(VALUE), 1)
        return None


def _stated(node: Element, name: str) -> int:
    found = node.find(W + name)
    return -1 if found is None else whole_number(found.get(VALUE), -1)


def _read_levels(node: Element) -> dict[int, _Level]:
    found: dict[int, _Level] = {}
    for level in node.findall(W + "lvl"):
        style, text = level.find(W + "numFmt"), level.find(W + "lvlText")
        start, restart = level.find(W + "start"), level.find(W + "lvlRestart")
        found[whole_number(level.get(W + "ilvl"))] = _Level(
            "decimal" if style is None else style.get(VALUE, "decimal"),
            "" if text is None else text.get(VALUE, ""),
            0 if start is None else whole_number(start.get(VALUE)),
            -1 if restart is None else whole_number(restart.get(VALUE), -1),
            is_on(level.find(W + "isLgl"), VALUE),
        )
    return found


def _label(levels: dict[int, _Level], counts: list[int | None], level: int) -> str:
    own = levels.get(level, _Level())
    if own.format == "bullet":
        return BULLET
    if own.format == "none" and "%" not in own.text:
        return own.text.strip()

    def number(place: re.Match[str]) -> str:
        above = int(place.group(1)) - 1
        style = levels.get(above, _Level()).format
        return written_number(counts[above] or 0, "decimal" if own.legal else style)

    return " ".join(_PLACE.sub(number, own.text).split())
