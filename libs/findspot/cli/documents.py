"""Documents as people name them: the path that search shows (`books/rust/ch01.md`), or an id."""

from __future__ import annotations

import contextlib
import re
import unicodedata

from findspot.client import Client
from findspot.client.requests import At
from findspot.errors import InvalidArgument, NotFound, Reason
from findspot.v1 import indexing_pb2

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_id(name: str) -> bool:
    """True when this is an id and no path."""
    return _ID.fullmatch(name) is not None


def splits(path: str, index: int = 0) -> list[At]:
    """Every way to read a path as collection and file, the longest collection first; in form NFC, as paths are kept."""
    parts = unicodedata.normalize("NFC", path).strip("/").split("/")
    return [At("/".join(parts[:cut]), "/".join(parts[cut:]), index) for cut in range(len(parts) - 1, 0, -1)]


def find_document(client: Client, name: str) -> str | At:
    """The document that a name means; NotFound when there is none."""
    if is_id(name):
        return name
    place = find_place(client, name, 0)
    if place is None:
        raise no_document(client, name)
    return place


def find_stored(client: Client, name: str) -> indexing_pb2.Document:
    """The document that a name means, whether or not anything of it can be read; NotFound when there is none."""
    if is_id(name):
        return client.document(name)
    for place in splits(name):
        with contextlib.suppress(NotFound, InvalidArgument):
            return client.document(place)
    raise _unknown(name)


def no_document(client: Client, path: str) -> NotFound:
    """Why nothing can be read at a path: its document failed or holds no text, or there is none."""
    for place in splits(path):
        with contextlib.suppress(NotFound, InvalidArgument):
            document = client.document(place)
            why = document.failure.message or "it holds no text, or is still being read"
            return NotFound(f"nothing can be read of {path!r}: {why}", reason=Reason.CHUNK_NOT_FOUND)
    return _unknown(path)


def _unknown(path: str) -> NotFound:
    return NotFound(
        f"no document {path!r}; name it as `findspot search` shows it: collection, then file",
        reason=Reason.DOCUMENT_NOT_FOUND,
    )


def find_place(client: Client, path: str, index: int) -> At | None:
    """Where a path stands: the one split at which a document is, whether or not it has this chunk."""
    candidates = splits(path, index)
    if not candidates:
        return None
    answers = client.chunks(candidates).chunks
    for place, answer in zip(candidates, answers, strict=True):
        if answer.found or answer.total_chunks:
            return place
    return None
