"""`findspot types` marks what configuration added or changed."""

from dataclasses import replace

from findspot.cli.output import out
from findspot.cli.types import configured, show_stamps
from findspot.configured_types import configured_types
from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.rpc.peers.extraction import DocumentTypeRow


def listed(row: DocumentType) -> DocumentTypeRow:
    """The row as the service lists it."""
    profile = row.profile
    return DocumentTypeRow(
        row.name,
        profile.category,
        row.extensions,
        row.file_names,
        row.media_types,
        profile.strategy,
        profile.size,
        profile.overlap,
        profile.grammar,
        row.readable,
        row.reader.rpartition(".")[2],
    )


def test_no_type_is_marked_without_configuration() -> None:
    assert {configured(listed(row)) for row in DOCUMENT_TYPES} == {""}


def test_added_and_changed_types_are_marked() -> None:
    tables = {
        "notes": {},
        "pdf": {"size": 900},
        "log": {"extensions": [".log", ".trace"]},
        "html": {"size": 1000},
        "org": {"like": "markdown"},
    }
    marks = {row.name: configured(listed(row)) for row in configured_types(tables).rows}
    assert {name: mark for name, mark in marks.items() if mark} == {
        "notes": "added",
        "pdf": "changed",
        "log": "changed",
        "org": "changed",
    }


def test_who_reads_is_shown_and_whose_place_that_is() -> None:
    rows = [
        replace(listed(row), extractor_stamp=f"{row.name}/7")
        for row in configured_types({"notes": {}, "org": {"like": "markdown"}}).rows
        if row.name in ("notes", "org", "pdf")
    ]
    with out.capture() as shown:
        show_stamps(rows)
    lines = [" ".join(line.split()) for line in shown.get().splitlines()]
    assert sorted(lines) == [
        "notes * text notes/7",
        "org markdown * instead of text org/7",
        "pdf pdf pdf/7",
        "type read by stamp",
    ]
