"""The files that are damaged: real ones by format where there are any, and ones made here for every format."""

from __future__ import annotations

import functools
import io
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from PIL import Image

from tests.conformance.built_files import boxed_words, cropped, grouped_shapes
from tests.unit.extraction import ooxml_writing as ooxml
from tests.unit.extraction.pdf_writing import Mark, Sheet, Text, pdf_bytes
from tests.unit.extraction.picture_writing import encoded, picture, scanned
from tests.unit.extraction.sheet_writing import open_document, saved, workbook

LARGEST = 100_000
"""Bytes of a real file that is taken: the time goes into many files, not into large ones."""
_SUFFIXES = {".jpg": "jpeg", ".docm": "docx", ".xlsm": "xlsx"}
_CONTAINER = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
_PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>The Tide</dc:title></metadata><manifest><item id="n" href="nav.xhtml" properties="nav"
 media-type="application/xhtml+xml"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/></spine></package>"""
_NAVIGATION = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>
<li><a href="a.xhtml">Flood</a><ol><li><a href="a.xhtml#s">Ebb</a></li></ol></li></ol></nav></body></html>"""
_CHAPTER = """<html><head><title>Flood</title></head><body><h1>Flood</h1><p>The water <b>rises</b>.</p>
<h2 id="s">Ebb</h2><ul><li>Low<ul><li>Lower</li></ul></li></ul><table><tr><th rowspan="2">Hour</th><td>3</td></tr>
<tr><td colspan="2">4</td></tr></table><pre><code class="language-c">int tide;</code></pre></body></html>"""


@functools.cache
def built(form: str) -> tuple[bytes, ...]:
    """Files of a format made here."""
    return tuple(make() for make in _BUILT[form])


def collected(folders: Iterable[Path], forms: Iterable[str]) -> dict[str, tuple[bytes, ...]]:
    """The seeds of each format by name: built ones, and what the folders hold, without what cannot be unpacked."""
    found = {form: list(built(form)) for form in forms}
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            form = _SUFFIXES.get(file.suffix.lower(), file.suffix.lower().lstrip("."))
            if form in found and file.is_file() and 0 < file.stat().st_size <= LARGEST:
                data = file.read_bytes()
                if form not in ("docx", "pptx", "xlsx", "ods", "epub") or _unpacks(data):
                    found[form].append(data)
    return {form: tuple(files) for form, files in found.items()}


def _unpacks(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.testzip() is None
    except zipfile.BadZipFile:
        return False


def book(chapter: str = _CHAPTER) -> bytes:
    """An EPUB of one chapter."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        package.writestr("META-INF/container.xml", _CONTAINER)
        package.writestr("book.opf", _PACKAGE)
        package.writestr("nav.xhtml", _NAVIGATION)
        package.writestr("a.xhtml", chapter)
    return file.getvalue()


def _pages() -> bytes:
    lines = [Text(72, 700 - 14 * line, f"Line {line}: the tank holds {line} cm.") for line in range(30)]
    sheets = [Sheet([Text(72, 740, f"Part {page}", 18, "F2"), *lines], rotate=90 * page) for page in range(3)]
    fields = Sheet(
        tagged=[("H1", Text(72, 700, "Form", 16)), ("P", Text(72, 650, "Name"))],
        fields=[Text(72, 600, "Ann")],
    )
    outline = [Mark("Part 0", 0, 740, [Mark("Part 1", 1)]), Mark("Form", 3)]
    return pdf_bytes([*sheets, fields], outline, {"Title": "Tanks"}, "0 << /S /r >>", "en")


def _word() -> bytes:
    cells = ooxml.table(
        ooxml.row("Hour", "Level", properties="<w:tblHeader/>"),
        ooxml.row(ooxml.cell("3", '<w:gridSpan w:val="2"/>')),
        ooxml.row(ooxml.cell("4", '<w:vMerge w:val="restart"/>'), "5"),
    )
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        '<w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    body = ooxml.styled("Tides", "Heading1") + ooxml.paragraph("Water.") + ooxml.listed("one", 1) + cells
    return ooxml.word_document(
        body + '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
        numbering=numbering,
        footnotes=f'<w:footnote w:id="2">{ooxml.paragraph("Noted.")}</w:footnote>',
        header=ooxml.paragraph("Harbour"),
    )


def _slides() -> bytes:
    place = ooxml.transform(100, 100, 300, 100)
    return ooxml.presentation(
        ooxml.shape("Tides", place, 'type="title"') + ooxml.group("", ooxml.shape("High", place)),
        ooxml.shape("Low", place),
    )


def _cells() -> bytes:
    book = workbook(("Hour", "Level", "Sum"), *((hour, hour / 3, f"=A{hour}+1") for hour in range(1, 30)))
    book.active.merge_cells("A5:B6")
    book.create_sheet("Second").append([True, None, "text"])
    return saved(book)


_ROWS = (
    '<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-spanned="2" '
    'office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell></table:table-row>'
    '<table:table-row><table:table-cell office:value-type="string"><text:p>High</text:p></table:table-cell>'
    "</table:table-row>"
)


def _picture(form: str, mode: str = "RGB") -> bytes:
    image: Image.Image = picture([("HARBOUR TIDES", 28), ("High at three", 20)])
    return encoded(image.convert(mode), form)


_BUILT: dict[str, tuple[Callable[[], bytes], ...]] = {
    "pdf": (_pages, lambda: cropped(90), lambda: scanned([picture([("TIDES", 28)])])),
    "docx": (_word, boxed_words),
    "pptx": (_slides, grouped_shapes),
    "xlsx": (_cells,),
    "ods": (lambda: open_document(_ROWS),),
    "epub": (book,),
    "png": (lambda: _picture("PNG"), lambda: _picture("PNG", "P")),
    "jpeg": (lambda: _picture("JPEG"), lambda: _picture("JPEG", "L")),
}
FORMATS = tuple(_BUILT)
"""Every format that is damaged."""
