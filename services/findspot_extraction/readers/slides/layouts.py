"""What shapes of a slide inherit from its layout and master: their place, and whether text has bullets."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml import Package
from findspot_extraction.readers.ooxml_xml import A, P, whole_number

TITLES = frozenset(("title", "ctrTitle"))
MARGINS = frozenset(("dt", "ftr", "sldNum", "hdr"))
_MASTER_TYPES = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
_UNLISTED = frozenset(("buNone",))
_BULLETS = frozenset(("buChar", "buBlip"))


@dataclass(frozen=True, slots=True)
class Placeholder:
    """How a shape names the placeholder that it fills."""

    type: str
    """`title`, `body`, `dt`, ...; empty for one that holds any content."""
    index: str


@dataclass(frozen=True, slots=True)
class Bullet:
    """How the paragraphs of one level are listed: `char`, `none`, or the name of a numbering scheme."""

    scheme: str = "none"
    start: int = 1


def placeholder_of(shape: Element) -> Placeholder | None:
    """The placeholder that a shape fills; None for a shape of its own."""
    for properties in shape:
        node = properties.find(f"{P}nvPr/{P}ph")
        if node is not None:
            return Placeholder(node.get("type", ""), node.get("idx", ""))
    return None


class Layout:
    """A layout and its master, as far as slides inherit from them."""

    def __init__(self, layout: Element | None, master: Element | None) -> None:
        self._layout = _placeholders(layout)
        self._master = _placeholders(master)
        self._parents: dict[Placeholder, list[Element]] = {}
        self._styles = None if master is None else master.find(P + "txStyles")

    def parents(self, placeholder: Placeholder) -> list[Element]:
        """The shapes that a placeholder inherits from, the nearest first."""
        if placeholder not in self._parents:
            self._parents[placeholder] = self._find_parents(placeholder)
        return self._parents[placeholder]

    def _find_parents(self, placeholder: Placeholder) -> list[Element]:
        found = []
        candidates = [shape for known, shape in self._layout if known.index == placeholder.index != ""]
        candidates += [shape for known, shape in self._layout if known.type == placeholder.type]
        kind = placeholder.type
        if candidates:
            found.append(candidates[0])
            inherited = placeholder_of(candidates[0])
            kind = inherited.type if inherited is not None and inherited.type else kind
        kind = _MASTER_TYPES.get(kind, kind)
        found.extend([shape for known, shape in self._master if known.type == kind][:1])
        return found

    def transform(self, placeholder: Placeholder) -> Element | None:
        """The nearest inherited place."""
        for shape in self.parents(placeholder):
            transform = shape.find(f"{P}spPr/{A}xfrm")
            if transform is not None:
                return transform
        return None

    def bullets(self, placeholder: Placeholder | None, body: Element) -> list[Bullet]:
        """How each level, from the first, is listed in a text of this placeholder."""
        styles = [body.find(A + "lstStyle")]
        if placeholder is not None:
            styles.extend(shape.find(f"{P}txBody/{A}lstStyle") for shape in self.parents(placeholder))
            if self._styles is not None:
                kind = _MASTER_TYPES.get(placeholder.type, placeholder.type)
                name = {"title": "titleStyle", "body": "bodyStyle"}.get(kind, "otherStyle")
                styles.append(self._styles.find(P + name))
        return [_first_bullet(styles, level) for level in range(1, 10)]


class Layouts:
    """The layouts of one presentation, each read once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._layouts: dict[str, Layout] = {}

    def of(self, slide: str) -> Layout:
        """The layout of a slide; one without anything where the slide names none."""
        name = next(iter(self._package.related(slide, "slideLayout")), "")
        if name not in self._layouts:
            root = self._package.optional(name) if name else None
            masters = self._package.related(name, "slideMaster") if name else []
            self._layouts[name] = Layout(root, self._package.optional(masters[0]) if masters else None)
        return self._layouts[name]


def stated_bullet(properties: Element | None) -> Bullet | None:
    """What the properties of a paragraph say about its bullet; None when nothing."""
    for node in properties if properties is not None else ():
        name = node.tag.rpartition("}")[2]
        if name in _UNLISTED:
            return Bullet()
        if name in _BULLETS:
            return Bullet("char")
        if name == "buAutoNum":
            return Bullet(node.get("type", "arabicPeriod"), max(0, whole_number(node.get("startAt"), 1)))
    return None


def _placeholders(root: Element | None) -> list[tuple[Placeholder, Element]]:
    if root is None:
        return []
    shapes = ((placeholder_of(shape), shape) for shape in root.iter(P + "sp"))
    return [(known, shape) for known, shape in shapes if known is not None]


def _first_bullet(styles: list[Element | None], level: int) -> Bullet:
    for style in styles:
        properties = None if style is None else style.find(f"{A}lvl{level}pPr")
        found = stated_bullet(properties)
        if found is not None:
            return found
    return Bullet()
