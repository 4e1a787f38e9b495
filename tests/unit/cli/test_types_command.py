"""`findspot types` marks what configuration added or changed."""

from findspot.cli.types import configured
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
    )


def test_no_type_is_marked_without_configuration() -> None:
    assert {configured(listed(row)) for row in DOCUMENT_TYPES} == {""}


def test_added_and_changed_types_are_marked() -> None:
    tables = {
        "notes": {},
        "pdf": {"size": 900},
        "log": {"extensions": [".log", ".trace"]},
        "html": {"size": 1000},
    }
    marks = {row.name: configured(listed(row)) for row in configured_types(tables).rows}
    assert {name: mark for name, mark in marks.items() if mark} == {
        "notes": "added",
        "pdf": "changed",
        "log": "changed",
    }
