"""Name and version of every reader, told without loading it: readers bring libraries that one process should not hold.

Raise a version when the same bytes would read differently: documents that were read before are then behind.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType

_READERS = "findspot_extraction.readers."

READER_STAMPS = MappingProxyType(
    {
        "code": "code/2",
        "delimited": "delimited/1",
        "epub": "epub/1",
        "html": "html/2",
        "images": "image/1",
        "mail": "mail/1",
        "markdown": "markdown/1",
        "notebook": "notebook/1",
        "pdf": "pdf/1",
        "sheets": "sheets/2",
        "slides": "pptx/1",
        "text": "text/1",
        "word": "docx/1",
    }
)
"""By the reader's name, the last part of its module."""

UNREAD_STAMP = "empty/1"
"""Of types that nobody reads: a blank file, which needs no reader, is all that can be a document of one."""

_WITH_PICTURES = frozenset({READER_STAMPS["images"], READER_STAMPS["pdf"]})


def reader_stamp(module: str) -> str:
    """The stamp of the reader in a module, as the registry names it; empty for no module."""
    if not module:
        return UNREAD_STAMP
    known = READER_STAMPS.get(module.removeprefix(_READERS))
    # A reader that is not one of these has to be asked.
    return known if known is not None else str(import_module(module).READER.stamp)


def reader_name(module: str) -> str:
    """The last part of the module; empty for no module."""
    return module.rpartition(".")[2]


def has_pictures(stamp: str) -> bool:
    """True for readers of formats whose pages can be pictures: who reads those belongs to a document's stamp."""
    return stamp in _WITH_PICTURES
