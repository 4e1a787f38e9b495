"""A minimal PDF writer for tests: text at given points in the standard fonts, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

FONTS = {
    "F1": "Helvetica",
    "F2": "Helvetica-Bold",
    "F3": "Courier",
    "F4": "Times-Roman",
}
_LATIN = "/Encoding /WinAnsiEncoding"


@dataclass(frozen=True)
class Text:
    """A string whose baseline starts at x, y in user space (points, y upwards); `turn` in quarters."""

    x: float
    y: float
    text: str
    size: float = 10.0
    font: str = "F1"
    turn: int = 0

    def operators(self) -> str:
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[self.turn % 4]
        escaped = self.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        matrix = f"{cos} {sin} {-sin} {cos} {self.x} {self.y} Tm"
        return f"BT /{self.font} {self.size} Tf {matrix} ({escaped}) Tj ET"


@dataclass(frozen=True)
class Sheet:
    """One page."""

    texts: Sequence[Text] = ()
    media: tuple[float, float, float, float] = (0, 0, 612, 792)
    crop: tuple[float, float, float, float] | None = None
    rotate: int = 0
    drawing: str = ""
    """Further content operators."""
    tagged: Sequence[tuple[str, Text]] = ()
    """Texts in structure elements of these types ("H1", "P"), written after `texts`."""
    fields: Sequence[Text] = ()
    """Filled form fields of 200 by 20 points, whose text is in their appearance and not in the page's content."""


@dataclass(frozen=True)
class Mark:
    """An entry of the outline: page index from 0, `top` in user space or None for the page only."""

    title: str
    page: int
    top: float | None = None
    children: Sequence[Mark] = field(default=())


def pdf_bytes(
    sheets: Sequence[Sheet],
    outline: Sequence[Mark] = (),
    info: dict[str, str] | None = None,
    labels: str = "",
    lang: str = "",
) -> bytes:
    """The file. `labels` is the /Nums array of the page labels, as written in PDF."""
    writer = _Objects()
    catalog, pages = writer.reserve(), writer.reserve()
    fonts = " ".join(
        f"/{key} {writer.add(f'<< /Type /Font /Subtype /Type1 /BaseFont /{name} {_LATIN} >>')} 0 R"
        for key, name in FONTS.items()
    )
    kids = [writer.reserve() for _ in sheets]
    for number, sheet in zip(kids, sheets, strict=True):
        marked = (
            f"/{kind} << /MCID {place} >> BDC {text.operators()} EMC"
            for place, (kind, text) in enumerate(sheet.tagged)
        )
        content = "\n".join([*(text.operators() for text in sheet.texts), *marked, sheet.drawing])
        stream = writer.add_stream(content.encode("cp1252"))
        crop = f"/CropBox [{_numbers(sheet.crop)}]" if sheet.crop else ""
        annotations = " ".join(f"{_field(writer, text, fonts)} 0 R" for text in sheet.fields)
        writer.put(
            number,
            f"<< /Type /Page /Parent {pages} 0 R /MediaBox [{_numbers(sheet.media)}] {crop}"
            f" /Rotate {sheet.rotate} /Resources << /Font << {fonts} >> >>"
            f" /Contents {stream} 0 R /Annots [{annotations}] /StructParents {kids.index(number)} >>",
        )
    writer.put(pages, f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{k} 0 R' for k in kids)}] >>")
    extra = f" /PageLabels << /Nums [{labels}] >>" if labels else ""
    extra += f" /Lang ({lang})" if lang else ""
    if any(sheet.tagged for sheet in sheets):
        extra += f" /MarkInfo << /Marked true >> /StructTreeRoot {_structure(writer, sheets, kids)} 0 R"
    if outline:
        extra += f" /Outlines {_outline(writer, outline, kids)} 0 R"
    writer.put(catalog, f"<< /Type /Catalog /Pages {pages} 0 R{extra} >>")
    entries = "".join(f" /{key} ({value})" for key, value in (info or {}).items())
    return writer.file(catalog, writer.add(f"<<{entries} >>"))


def _structure(writer: _Objects, sheets: Sequence[Sheet], kids: Sequence[int]) -> int:
    root = writer.reserve()
    elements: list[int] = []
    parents = ""
    for index, (sheet, page) in enumerate(zip(sheets, kids, strict=True)):
        own = [
            writer.add(f"<< /Type /StructElem /S /{kind} /P {root} 0 R /Pg {page} 0 R /K {place} >>")
            for place, (kind, _) in enumerate(sheet.tagged)
        ]
        parents += f" {index} [{' '.join(f'{number} 0 R' for number in own)}]"
        elements += own
    children = " ".join(f"{number} 0 R" for number in elements)
    writer.put(root, f"<< /Type /StructTreeRoot /K [{children}] /ParentTree << /Nums [{parents}] >> >>")
    return root


def _field(writer: _Objects, text: Text, fonts: str) -> int:
    content = Text(2, 5, text.text, text.size, text.font).operators().encode("cp1252")
    head = f"/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << {fonts} >> >> "
    look = writer.add_stream(content, head)
    box = _numbers((text.x, text.y, text.x + 200, text.y + 20))
    return writer.add(
        f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V ({text.text}) /F 4 /Rect [{box}]"
        f" /AP << /N {look} 0 R >> >>"
    )


def _numbers(values: Sequence[float]) -> str:
    return " ".join(map(str, values))


def _outline(writer: _Objects, marks: Sequence[Mark], kids: Sequence[int]) -> int:
    root = writer.reserve()
    first, last = _level(writer, marks, kids, root)
    writer.put(root, f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(marks)} >>")
    return root


def _level(writer: _Objects, marks: Sequence[Mark], kids: Sequence[int], parent: int) -> tuple[int, int]:
    numbers = [writer.reserve() for _ in marks]
    for index, (number, mark) in enumerate(zip(numbers, marks, strict=True)):
        place = "/Fit" if mark.top is None else f"/XYZ 0 {mark.top} 0"
        links = f" /Prev {numbers[index - 1]} 0 R" if index else ""
        links += f" /Next {numbers[index + 1]} 0 R" if index + 1 < len(numbers) else ""
        if mark.children:
            first, last = _level(writer, mark.children, kids, number)
            links += f" /First {first} 0 R /Last {last} 0 R /Count {len(mark.children)}"
        title = mark.title.encode("utf-16-be").hex()
        writer.put(
            number,
            f"<< /Title <FEFF{title}> /Parent {parent} 0 R /Dest [{kids[mark.page]} 0 R {place}]{links} >>",
        )
    return numbers[0], numbers[-1]


class _Objects:
    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        self._bodies.append(b"null")
        return len(self._bodies)

    def put(self, number: int, body: str) -> None:
        self._bodies[number - 1] = body.encode("latin-1")

    def add(self, body: str) -> int:
        number = self.reserve()
        self.put(number, body)
        return number

    def add_stream(self, data: bytes, entries: str = "") -> int:
        number = self.reserve()
        head = f"<< {entries}/Length {len(data)} >>\nstream\n".encode()
        self._bodies[number - 1] = head + data + b"\nendstream"
        return number

    def file(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, body in enumerate(self._bodies, 1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        table = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        out += f"trailer\n<< /Size {len(places) + 1} /Root {root} 0 R /Info {info} 0 R >>\n".encode()
        out += f"startxref\n{table}\n%%EOF\n".encode()
        return bytes(out)
