"""Books: chapters in the order of the spine, contents as outline, properties, damage and protection typed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest
from reading_checks import headings, read, words

from findspot.errors import FindspotError, Reason
from findspot.model import OutlineEntry
from findspot_extraction.readers.reader import ReadLimits
from findspot_extraction.reading import Upload, read_document
from findspot_extraction.registry import Registry

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
OPF = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The  Tide</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>
<dc:language>en</dc:language></metadata>
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="text/t%20wo.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></package>"""
NAV = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body>
<nav epub:type="landmarks"><ol><li><a href="x">no</a></li></ol></nav>
<nav epub:type="toc"><ol><li><a href="text/t%20wo.xhtml">Ebb</a><ol><li><a href="text/t%20wo.xhtml#s">Low</a></li></ol></li>
<li><a href="text/one.xhtml">Flood</a></li></ol></nav></body></html>"""
NCX = """<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Ebb</text></navLabel>
<content src="text/t%20wo.xhtml"/><navPoint><navLabel><text>Low</text></navLabel>
<content src="text/t%20wo.xhtml#s"/></navPoint></navPoint></navMap></ncx>"""
ONE = """<html><head><title/><script src='x'/></head><body><h1>Flood</h1>
<table><tr><th>Hour</th></tr><tr><td>3</td></tr></table></body></html>"""
TWO = '<html><body><p>Water <a id="s"/>falls.</p></body></html>'
PARTS = {"META-INF/container.xml": CONTAINER, "OPS/book.opf": OPF, "OPS/nav.xhtml": NAV, "OPS/toc.ncx": NCX}
PARTS |= {"OPS/text/one.xhtml": ONE, "OPS/text/t wo.xhtml": TWO}


def book(changed: Mapping[str, str | None] | None = None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in {**PARTS, **(changed or {})}.items():
            if content is not None:
                package.writestr(name, content)
    return stream.getvalue()


def reason(data: bytes) -> Reason:
    with pytest.raises(FindspotError) as caught:
        read(data, "a.epub")
    return caught.value.reason


def test_chapters_in_the_order_of_the_spine() -> None:
    document = read(book(), "a.epub")
    assert document.text == "Ebb\n\nWater falls.\n\nFlood\n\nHour\n3"
    assert headings(document) == [(1, "Ebb"), (1, "Flood")]
    table = document.blocks[-1]
    assert table.table is not None
    assert words(document, table) == "Hour\n3"
    assert (document.title, document.language, document.metadata["author"]) == ("The Tide", "en", "Ann, Bob")
    assert document.outline == (OutlineEntry(1, "Ebb"), OutlineEntry(2, "Low"), OutlineEntry(1, "Flood"))
    assert document.document_type == "epub"


def test_contents_of_the_second_format() -> None:
    opf = OPF.replace(' properties="nav"', "").replace('<itemref idref="n"/>', "")
    document = read(book({"OPS/book.opf": opf, "OPS/nav.xhtml": None}), "a.epub")
    assert document.outline == (OutlineEntry(1, "Ebb"), OutlineEntry(2, "Low"))
    assert headings(document) == [(1, "Ebb"), (1, "Flood")]


def test_a_chapter_that_is_not_there_costs_a_warning() -> None:
    document = read(book({"OPS/text/one.xhtml": None}), "a.epub")
    assert document.text == "Ebb\n\nWater falls."
    assert [notice.code for notice in document.warnings] == ["CHAPTER_UNREADABLE"]


def test_damage_and_protection() -> None:
    assert reason(book({"OPS/text/one.xhtml": None, "OPS/text/t wo.xhtml": None})) is Reason.DOCUMENT_CORRUPT
    assert reason(book({"OPS/book.opf": "<package>"})) is Reason.DOCUMENT_CORRUPT
    assert reason(book({"META-INF/container.xml": None, "OPS/book.opf": None})) is Reason.DOCUMENT_CORRUPT
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa">]>' + OPF.partition("?>")[2]
    assert reason(book({"OPS/book.opf": bomb})) is Reason.DOCUMENT_CORRUPT
    locked = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/><CipherData>'
    locked += '<CipherReference URI="OPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>'
    part = {"META-INF/encryption.xml": locked.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")}
    assert reason(book(part)) is Reason.DOCUMENT_ENCRYPTED


@pytest.mark.parametrize(
    "limits", [ReadLimits(max_characters=20), ReadLimits(max_pages=1), ReadLimits(max_expanded_bytes=99)]
)
def test_limits_hold(limits: ReadLimits) -> None:
    with pytest.raises(FindspotError) as caught:
        read_document(book(), Upload(file_name="a.epub"), Registry(), limits)
    assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE


def test_an_archive_bomb_is_refused() -> None:
    data = book({"OPS/text/one.xhtml": "<p>" + "a" * 20_000_000})
    assert reason(data) is Reason.DOCUMENT_TOO_LARGE


def test_external_entities_of_a_chapter_stay_text() -> None:
    chapter = (
        '<!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/passwd">]><html><body><p>x &e;</p></body></html>'
    )
    assert "root:" not in read(book({"OPS/text/one.xhtml": chapter}), "a.epub").text
