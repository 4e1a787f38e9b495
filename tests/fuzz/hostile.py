"""Files made to exhaust or mislead a reader: archive bombs, entities, loops, nesting without end, lines without end."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.fuzz.seeds import book
from tests.unit.extraction import ooxml_writing as ooxml
from tests.unit.extraction.pdf_writing import Sheet, Text, pdf_bytes
from tests.unit.extraction.sheet_writing import open_document, part, saved, workbook

MEBI = 1024**2
SECRET = "the-tide-table-is-locked-away"
"""What the file holds that external entities point to."""


@dataclass(frozen=True)
class Hostile:
    """One file, as something that makes it: some are large."""

    name: str
    make: Callable[[Path], bytes]
    """Given the path of a file that holds `SECRET`."""


def _with_member(data: bytes, name: str, content: bytes) -> bytes:
    """The package with this member in place of the one of that name, or besides the others."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for info in old.infolist():
            if info.filename != name:
                new.writestr(info, old.read(info), zipfile.ZIP_STORED)
        new.writestr(name, content, zipfile.ZIP_DEFLATED, 1)
    return stream.getvalue()


def _cells() -> bytes:
    return saved(workbook(("Hour", "Level"), (3, "high")))


_PACKAGES: dict[str, tuple[Callable[[], bytes], str]] = {
    "docx": (lambda: ooxml.word_document(ooxml.paragraph("Tides")), "word/document.xml"),
    "pptx": (lambda: ooxml.presentation(ooxml.shape("Tides")), "ppt/slides/slide1.xml"),
    "xlsx": (_cells, "xl/worksheets/sheet1.xml"),
    "ods": (lambda: open_document("<table:table-row/>"), "content.xml"),
    "epub": (book, "a.xhtml"),
}
"""By format: what makes a small file, and the member that holds its words."""


def _bomb(form: str, *, lying: bool) -> bytes:
    """A package whose main member expands to 64 MiB of blanks; `lying` says in its headers that it does not."""
    make, name = _PACKAGES[form]
    size = 64 * MEBI
    data = _with_member(make(), name, part(make(), name)[:-10] + b" " * size)
    if not lying:
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        told = archive.getinfo(name).file_size
    return data.replace(struct.pack("<I", told), struct.pack("<I", 1000))


_ODS_ROW = (
    '<table:table-row><table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    "</table:table-row>"
)


def _just_below(form: str) -> bytes:
    """A package that expands much, and yet by less than what is taken for a bomb."""
    make, name = _PACKAGES[form]
    chance = random.Random(1)
    one, many = {
        "docx": ("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", 30_000),
        "pptx": ("<a:p><a:r><a:t>{}</a:t></a:r></a:p>", 30_000),
        "xlsx": ('<row><c t="inlineStr"><is><t>{}</t></is></c></row>', 30_000),
        "ods": (_ODS_ROW, 30_000),
        "epub": ("<p>{}</p>", 30_000),
    }[form]
    filled = "".join(one.format(chance.randrange(10_000)) for _ in range(many)).encode()
    old = part(make(), name)
    ends = (b"</w:body>", b"</p:txBody>", b"</sheetData>", b"</table:table>", b"</body>")
    end = next(end for end in ends if end in old)
    return _with_member(make(), name, old.replace(end, filled + end, 1))


def _entities(form: str, name: str, declared: str) -> bytes:
    """A package, one of whose members declares an entity and uses it wherever words are."""
    make, _ = _PACKAGES[form]
    old = part(make(), name).decode()
    rest = old.partition("?>")[2] if old.startswith("<?xml") else old
    body = rest.replace("Tides", "&e;").replace("The Tide", "&e;").replace("</t>", "&e;</t>")
    body = body.replace("</text:p>", "&e;</text:p>").replace("<creator>", "<creator>&e;", 1)
    return _with_member(make(), name, f'<?xml version="1.0"?><!DOCTYPE x [{declared}]>{body}'.encode())


_LAUGHS = '<!ENTITY a "ha ha ha ha ha ha ">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdfghij", "bcdfghije", strict=True)
)
_WITH_ENTITIES = (
    ("docx", "word/document.xml"),
    ("pptx", "ppt/slides/slide1.xml"),
    ("xlsx", "xl/worksheets/sheet1.xml"),
    ("ods", "content.xml"),
    ("epub", "book.opf"),
)


def _pages(kids: Callable[[int], str], count: int) -> bytes:
    """A PDF whose page tree has `count` nodes above one page; `kids` says what each node holds."""
    head = "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
    nodes = "".join(
        f"{node} 0 obj << /Type /Pages /Count 1 /Kids [{kids(node)}] >> endobj\n"
        for node in range(2, count + 2)
    )
    page = f"{count + 2} 0 obj << /Type /Page /MediaBox [0 0 612 792] >> endobj\n"
    return f"{head}{nodes}{page}trailer << /Root 1 0 R /Size {count + 3} >>\n%%EOF".encode()


def _outline_loop() -> bytes:
    """Every entry of the outline is followed by itself and holds itself."""
    plain = pdf_bytes([Sheet([Text(72, 700, "Tides")])])
    entry = b"900 0 obj << /Title (Tides) /First 900 0 R /Next 900 0 R /Parent 900 0 R >> endobj\n"
    return (
        b"%PDF-1.7\n"
        + entry
        + plain.replace(b"/Type /Catalog", b"/Type /Catalog /Outlines 900 0 R").replace(
            b"startxref", b"startxref-"
        )
    )


def _form_loop() -> bytes:
    """Content that draws itself, nested arrays without end, and a page of a million operators."""
    return pdf_bytes([Sheet(drawing="[" * 200_000 + "q " * 100_000 + "BT (x) Tj ET " * 100_000)])


def _long_line(words: str, size: int) -> bytes:
    return (words * (size // len(words) + 1))[:size].encode()


_PLAIN: dict[str, Callable[[], bytes]] = {
    "page tree loop.pdf": lambda: _pages(lambda node: f"{node % 3 + 2} 0 R {node} 0 R 2 0 R", 3),
    "page tree 20,000 deep.pdf": lambda: _pages(lambda node: f"{node + 1} 0 R", 20_000),
    "outline loop.pdf": _outline_loop,
    "operators without end.pdf": _form_loop,
    "nested 10,000 deep.html": lambda: b"<div>" * 10_000 + b"tides",
    "nested tables.html": lambda: b"<table><tr><td>" * 5_000 + b"tides",
    "nested lists.html": lambda: b"<ul><li>x" * 40_000,
    "open fonts.html": lambda: b"".join(b"<font size=%d><p>x" % size for size in range(10_000)),
    "cells without end.html": lambda: (
        b"<table>" + b'<tr><td rowspan="65534" colspan="1000">x</td></tr>' * 300 + b"</table>"
    ),
    "nested 10,000 deep.epub": lambda: book("<html><body>" + "<div>" * 10_000 + "tides"),
    "nested quotes.md": lambda: b">" * 50_000 + b" tides",
    "nested lists.md": lambda: "".join(f"{'  ' * depth}- x\n" for depth in range(2_000)).encode(),
    "brackets without end.md": lambda: b"[" * 100_000 + b"](" * 50_000,
    "emphasis without end.md": lambda: b"*a **b " * 50_000,
    "nested parentheses.py": lambda: b"x = " + b"(" * 100_000,
    "nested braces.rs": lambda: b"fn a() {" * 30_000,
    "nested arrays.json": lambda: b"[" * 200_000,
    "nested elements.xml": lambda: b"<a>" * 200_000,
    "nested arrays.ipynb": lambda: b'{"cells": ' + b"[" * 200_000,
    "quotes without end.csv": lambda: b'"' * 3_000_001 + b"a,b\n" * 10,
    "columns without end.csv": lambda: b"a," * 200_000 + b"\n" + b"b\n" * 3_000,
    "parts without end.eml": lambda: "".join(
        f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n" for depth in range(3_000)
    ).encode(),
    "one line of 50 MB.txt": lambda: _long_line("the tide rises and falls ", 50_000_000),
    "one word of 50 MB.txt": lambda: _long_line("tide", 50_000_000),
    "one line of 5 MB.md": lambda: _long_line("the *tide* rises and `falls` ", 5_000_000),
    "one line of 5 MB.html": lambda: _long_line("<b>the</b> tide rises and ", 5_000_000),
    "one line of 10 MB.py": lambda: _long_line("x = 1; ", 10_000_000),
    "rows repeated.ods": lambda: open_document(
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell '
        'table:number-columns-repeated="16384" office:value-type="float" office:value="3"/></table:table-row>'
    ),
    "far corner.xlsx": lambda: _with_member(
        _cells(),
        "xl/worksheets/sheet1.xml",
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b'<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
        b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>',
    ),
}


def _external(form: str, name: str, secret: Path) -> bytes:
    """A package with an entity that stands for another file."""
    return _entities(form, name, f'<!ENTITY e SYSTEM "{secret.as_uri()}">')


def _alone(make: Callable[[], bytes]) -> Callable[[Path], bytes]:
    """For files that point to no other."""
    return lambda secret: make()


def generated() -> list[Hostile]:
    """All of them, by name."""
    found = [Hostile(name, _alone(make)) for name, make in _PLAIN.items()]
    for form in _PACKAGES:
        found += [
            Hostile(f"bomb.{form}", _alone(partial(_bomb, form, lying=False))),
            Hostile(f"bomb with false sizes.{form}", _alone(partial(_bomb, form, lying=True))),
            Hostile(f"just below a bomb.{form}", _alone(partial(_just_below, form))),
        ]
    for form, name in _WITH_ENTITIES:
        found += [
            Hostile(f"billion laughs.{form}", _alone(partial(_entities, form, name, _LAUGHS))),
            Hostile(f"external entity.{form}", partial(_external, form, name)),
        ]
    return found
