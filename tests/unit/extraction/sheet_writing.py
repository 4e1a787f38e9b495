"""Workbooks made for tests: by openpyxl, and by hand where a part has to be wrong."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import openpyxl

ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="{name}">{rows}</table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
)


def workbook(*rows: Sequence[Any], title: str = "Sheet") -> Any:
    """A workbook with one sheet; None is an empty cell."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    return book


def saved(book: Any) -> bytes:
    """The bytes of a workbook."""
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_parts(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The package with some parts replaced or added."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in changed:
                new.writestr(name, old.read(name))
        for name, content in changed.items():
            new.writestr(name, content)
    return stream.getvalue()


def part(data: bytes, name: str) -> bytes:
    """One part of a package."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return package.read(name)


def open_document(rows: str, name: str = "Data") -> bytes:
    """An OpenDocument spreadsheet with rows as XML."""
    stream = io.BytesIO()
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS_TYPE}"/></manifest:manifest>'
    )
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr("mimetype", ODS_TYPE)
        package.writestr("content.xml", _ODS.format(name=name, rows=rows))
        package.writestr("META-INF/manifest.xml", manifest)
    return stream.getvalue()
