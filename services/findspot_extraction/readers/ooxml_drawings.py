"""Text of drawings that lives in parts of its own: charts as tables, SmartArt as lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from .ooxml import Package
from .ooxml_xml import A, R, whole_number
from .rendering import one_line

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
CHART = _C + "chart"
DIAGRAM = _DGM + "relIds"
_GENERATED = re.compile(
    r"\s*(?:Description automatically generated.*|Automatisch generierte Beschreibung.*|AI-generated content.*)",
    re.S,
)
_ADDRESS = re.compile(r"\S+://\S+|[A-Za-z]:\\.*|\S*\.(?:png|jpe?g|gif|tiff?|bmp|svg|[ew]mf|webp)", re.I)
_LONG_NUMBER = re.compile(r"-?\d{1,15}\.\d{12,20}")
_MOST_POINTS = 20_000
"""Points of one chart; more is a drawing, not something to read."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, and its data as a table with the names of the series in the first row."""

    title: str
    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class DiagramItem:
    """One entry of a diagram and how deep it stands, from 1."""

    words: str
    level: int


def chart_of(package: Package, owner: str, node: Element) -> Chart | None:
    """The chart that an element of a part refers to; None when it has no text."""
    name = package.target(owner, node.get(R + "id"))
    root = package.optional(name) if name else None
    if root is None:
        return None
    title = root.find(f"{_C}chart/{_C}title")
    words = "" if title is None else _words(title)
    series = list(root.iter(_C + "ser"))
    rows = _rows(series)
    return Chart(words, rows) if words or rows else None


def diagram_of(package: Package, owner: str, node: Element) -> list[DiagramItem]:
    """The entries of the SmartArt that an element of a part refers to, in the order of its outline."""
    name = package.target(owner, node.get(R + "dm"))
    root = package.optional(name) if name else None
    if root is None:
        return []
    points = {point.get("modelId", ""): point for point in root.iter(_DGM + "pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(_DGM + "cxn"):
        if link.get("type", "parOf") == "parOf":
            place = (whole_number(link.get("srcOrd")), link.get("destId", ""))
            below.setdefault(link.get("srcId", ""), []).append(place)
    tops = [identity for identity, point in points.items() if point.get("type") == "doc"]
    return _outline(points, below, tops)


def description(words: str) -> str:
    """What an author wrote about a picture; empty for what a program put there: a file name, an address."""
    words = one_line(_GENERATED.sub("", words))
    return "" if _ADDRESS.fullmatch(words) else words


def _outline(
    points: dict[str, Element], below: dict[str, list[tuple[int, str]]], tops: list[str]
) -> list[DiagramItem]:
    found: list[DiagramItem] = []
    seen: set[str] = set()
    # Points that nothing leads to are shown too: they stand at the end, at the first level.
    stack = [(identity, 1) for identity in reversed(points)] + [(top, 0) for top in reversed(tops)]
    while stack:
        identity, level = stack.pop()
        point = points.get(identity)
        if identity in seen or point is None:
            continue
        seen.add(identity)
        words = _words(point) if point.get("type", "node") in ("node", "asst") else ""
        if words:
            found.append(DiagramItem(words, max(level, 1)))
        children = sorted(below.get(identity, ()), reverse=True)
        stack.extend((child, level + 1 if words or level == 0 else level) for _, child in children)
    return found


def _words(node: Element) -> str:
    paragraphs = ("".join(text.text or "" for text in p.iter(A + "t")) for p in node.iter(A + "p"))
    return one_line(" ".join(paragraphs))


def _rows(series: list[Element]) -> list[list[str]]:
    names: list[str] = []
    columns: list[dict[int, str]] = []
    categories: dict[int, str] = {}
    for number, one in enumerate(series):
        name = one.find(_C + "tx")
        names.append(one_line(" ".join(_points(name).values())) or f"Series {number + 1}")
        for tag in ("cat", "xVal"):
            for index, words in _points(one.find(_C + tag)).items():
                categories.setdefault(index, words)
        columns.append(_points(one.find(_C + "val")) or _points(one.find(_C + "yVal")))
    indexes = sorted({index for column in [categories, *columns] for index in column})
    if not indexes or len(indexes) * (len(columns) + 1) > _MOST_POINTS:
        return []
    rows = [[categories.get(index, ""), *(column.get(index, "") for column in columns)] for index in indexes]
    return [["", *names], *rows]


def _points(node: Element | None) -> dict[int, str]:
    if node is None:
        return {}
    found: dict[int, str] = {}
    for point in node.iter(_C + "pt"):
        words = _rounded(point.findtext(_C + "v") or "")
        place = whole_number(point.get("idx"))
        # Several levels of categories state an index each: they are one name.
        found[place] = one_line(f"{words} {found[place]}" if place in found else words)
    if not found and node.findtext(_C + "v"):
        found[0] = one_line(node.findtext(_C + "v") or "")
    return found


def _rounded(words: str) -> str:
    """Numbers are stored with all bits: 4.4000000000000004 is shown as 4.4."""
    if not _LONG_NUMBER.fullmatch(words):
        return words
    return f"{float(words):.15g}"
