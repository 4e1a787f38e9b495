"""The shapes of a slide with their places, groups opened at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from findspot_extraction.readers.ooxml_xml import ALTERNATE, A, P, chosen
from findspot_extraction.readers.slides.geometry import Frame, Placing, group_placing, stated_frame, turned
from findspot_extraction.readers.slides.layouts import Layout, Placeholder, placeholder_of

GROUP = P + "grpSp"
SHAPE = P + "sp"
PICTURE = P + "pic"
GRAPHIC = P + "graphicFrame"
_LEAVES = frozenset((SHAPE, PICTURE, GRAPHIC))


@dataclass(slots=True)
class Shape:
    """A shape, picture, graphic or group on a slide; `inside` holds what a group groups."""

    node: Element
    frame: Frame | None
    """Where it lies, as an upright rectangle; None when neither it nor its layout says."""
    placeholder: Placeholder | None = None
    inside: list[Shape] = field(default_factory=list)


def read_shapes(tree: Element, layout: Layout, placing: Placing | None = None) -> list[Shape]:
    """The shapes of a tree in the order of the file, which is the order of drawing."""
    placing = placing or Placing()
    found: list[Shape] = []
    for node in _shown(tree):
        if node.tag == GROUP:
            transform = node.find(f"{P}grpSpPr/{A}xfrm")
            inside = read_shapes(node, layout, placing.after(group_placing(transform)))
            frame = _around([shape.frame for shape in inside if shape.frame is not None])
            found.append(Shape(node, frame, inside=inside))
            continue
        placeholder = placeholder_of(node)
        transform = node.find(P + "xfrm") if node.tag == GRAPHIC else node.find(f"{P}spPr/{A}xfrm")
        if transform is None and placeholder is not None:
            transform = layout.transform(placeholder)
        frame = stated_frame(transform)
        if frame is not None and transform is not None:
            frame = placing.after(turned(transform, frame)).frame(frame)
        found.append(Shape(node, frame, placeholder))
    return found


def _shown(tree: Element) -> Iterator[Element]:
    for node in tree:
        if node.tag == GROUP or node.tag in _LEAVES:
            yield node
        elif node.tag == ALTERNATE:
            shown = chosen(node)
            if shown is not None:
                yield from _shown(shown)


def _around(frames: list[Frame]) -> Frame | None:
    if not frames:
        return None
    left, top = min(frame.x for frame in frames), min(frame.y for frame in frames)
    right, bottom = max(frame.right for frame in frames), max(frame.bottom for frame in frames)
    return Frame(left, top, right - left, bottom - top)
