"""Writes small Office packages from the XML of their parts, so that tests can hold what no library writes."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Mapping, Sequence

_NAMES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
}
SPACES = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in _NAMES.items())


def part(root: str, inside: str, attributes: str = "") -> bytes:
    """A part with one root element and every name space declared."""
    return f'<?xml version="1.0" encoding="UTF-8"?><{root} {SPACES} {attributes}>{inside}</{root}>'.encode()


def package(
    parts: Mapping[str, bytes],
    relations: Mapping[str, Sequence[tuple[str, str]]],
    compression: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """A ZIP package. `relations` has the (kind, target part) of each owner; their ids are rId1, rId2, ..."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
        for owner, related in relations.items():
            folder, base = posixpath.split(owner)
            entries = "".join(
                f'<Relationship Id="rId{number}" Type="{_NAMES["r"]}/{kind}" Target="/{target}"/>'
                for number, (kind, target) in enumerate(related, 1)
            )
            archive.writestr(
                posixpath.join(folder, "_rels", base + ".rels"), f"<Relationships>{entries}</Relationships>"
            )
    return buffer.getvalue()


def word_document(body: str, **parts: str) -> bytes:
    """A DOCX with this body. Other parts by kind: `styles`, `numbering`, `footnotes`, `header`, ...

    Their relations have the ids rId1, rId2, ... in the order given.
    """
    roots = {"header": "w:hdr", "footer": "w:ftr", "chart": "c:chartSpace"}
    written = {
        f"word/{kind}.xml": part(roots.get(kind, f"w:{kind}"), inside) for kind, inside in parts.items()
    }
    main = {"word/document.xml": part("w:document", f"<w:body>{body}</w:body>")}
    relations = {
        "": [("officeDocument", "word/document.xml")],
        "word/document.xml": [(kind, f"word/{kind}.xml") for kind in parts],
    }
    return package(main | written, relations)


def paragraph(words: str, properties: str = "") -> str:
    """A paragraph of Word with one run."""
    shown = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f'<w:p>{shown}<w:r><w:t xml:space="preserve">{words}</w:t></w:r></w:p>'


def styled(words: str, style: str) -> str:
    """A paragraph of Word in a style."""
    return paragraph(words, f'<w:pStyle w:val="{style}"/>')


def listed(words: str, list_id: int, level: int = 0) -> str:
    """A paragraph of Word in a list."""
    return paragraph(words, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def table(*rows: str) -> str:
    """A table of Word."""
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str, properties: str = "") -> str:
    """A row of Word: cells are words, or elements when they begin with `<`."""
    shown = f"<w:trPr>{properties}</w:trPr>" if properties else ""
    inside = "".join(
        cell if cell.startswith("<w:tc>") else f"<w:tc>{cell if cell[:1] == '<' else paragraph(cell)}</w:tc>"
        for cell in cells
    )
    return f"<w:tr>{shown}{inside}</w:tr>"


def cell(words: str, properties: str) -> str:
    """A cell of Word with properties."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(words)}</w:tc>"


def presentation(*slides: str, size: tuple[int, int] = (1000, 500), **more: Mapping[str, bytes]) -> bytes:
    """A PPTX of these shape trees on slides of this size (in English metric units).

    `more` has parts by kind for the first slide, `notesSlide={"ppt/n.xml": ...}`: its relations rId1, rId2, ...
    """
    entries = "".join(f'<p:sldId id="{256 + n}" r:id="rId{n}"/>' for n in range(1, len(slides) + 1))
    main = f'<p:sldIdLst>{entries}</p:sldIdLst><p:sldSz cx="{size[0]}" cy="{size[1]}"/>'
    parts = {"ppt/presentation.xml": part("p:presentation", main)}
    for number, tree in enumerate(slides, 1):
        if tree:
            parts[f"ppt/slides/slide{number}.xml"] = part(
                "p:sld", f"<p:cSld><p:spTree>{tree}</p:spTree></p:cSld>"
            )
    for given in more.values():
        parts |= given
    relations = {
        "": [("officeDocument", "ppt/presentation.xml")],
        "ppt/presentation.xml": [("slide", f"ppt/slides/slide{n}.xml") for n in range(1, len(slides) + 1)],
        "ppt/slides/slide1.xml": [(kind, name) for kind, given in more.items() for name in given],
    }
    return package(parts, relations)


def transform(x: int, y: int, width: int, height: int, attributes: str = "", inside: str = "") -> str:
    """The place of a shape or group."""
    return (
        f'<a:xfrm {attributes}><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>{inside}</a:xfrm>'
    )


def shape(words: str, place: str = "", placeholder: str = "") -> str:
    """A shape of a slide: one paragraph, or paragraphs when the words begin with `<`."""
    filled = f"<p:ph {placeholder}/>" if placeholder else ""
    text = words if words[:1] == "<" else f"<a:p><a:r><a:t>{words}</a:t></a:r></a:p>"
    return (
        f"<p:sp><p:nvSpPr><p:nvPr>{filled}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody>{text}</p:txBody></p:sp>"
    )


def group(place: str, *shapes: str) -> str:
    """A group of shapes."""
    return f"<p:grpSp><p:grpSpPr>{place}</p:grpSpPr>{''.join(shapes)}</p:grpSp>"
