"""Whether a directory may be the source of a collection."""

from __future__ import annotations

import asyncio
import os

from findspot.errors import FailedPrecondition, FieldViolation, InvalidArgument, Reason
from findspot.model import Caller
from findspot.stores.manifest.collections import DIRECTORY, Collection, CollectionSettings
from findspot_indexing import rights
from findspot_indexing.directories.reading import inside
from findspot_indexing.directories.root import require_allowed, require_root
from findspot_indexing.service import Indexing


def is_same_source(one: CollectionSettings, other: CollectionSettings) -> bool:
    """True when the documents come from the same place, whatever is left out there."""
    return (one.source_kind, one.source_root) == (other.source_kind, other.source_root)


def require_uploads(collection: Collection) -> None:
    """Raise FailedPrecondition OTHER_SOURCE when the documents of a collection come from a directory."""
    settings = collection.settings
    if settings.source_kind == DIRECTORY:
        raise FailedPrecondition(
            f"Collection {collection.path} holds the files of {settings.source_root!r}: the next look at the directory "
            "would take an upload out again. Put the file into the directory, or upload it elsewhere.",
            reason=Reason.OTHER_SOURCE,
            metadata={"root": ascii(settings.source_root)},
        )


async def check_source(
    caller: Caller, indexing: Indexing, settings: CollectionSettings, before: CollectionSettings | None
) -> None:
    """Raise unless a collection may take its documents from there; a source that stays the same may be away now.

    PermissionDenied: whoever names a directory has the suite read it, so only admins may, and only within
    `source_roots`. InvalidArgument: the
    suite's own data. FailedPrecondition SOURCE_UNREADABLE: there is no such directory.
    """
    if settings.source_kind != DIRECTORY or (before is not None and is_same_source(settings, before)):
        return
    rights.require_admin(caller, "having the suite read a directory")
    if not indexing.membership.owner:
        # It is on the machine of the owner, who says in the status if it is not there.
        return
    await asyncio.to_thread(_check_root, settings.source_root, indexing)


def _check_root(root: str, indexing: Indexing) -> None:
    own_data = indexing.own_data
    require_allowed(root, indexing.limits.source_roots)
    require_root(root)
    if own_data and inside(own_data, os.path.realpath(root)):
        what = f"{root!r} is or lies in the suite's own data folder, {own_data!r}. Choose another directory."
        raise InvalidArgument(what, fields=[FieldViolation("source.directory.root", what)])
