"""Who may do what: one place that says what a caller sees and changes. What may not be seen is missing."""

from __future__ import annotations

from findspot.errors import NotFound, PermissionDenied, Reason
from findspot.model import Caller, may_read

_WRITERS = ("writer", "admin")


def require_writer(caller: Caller) -> None:
    """Raise PermissionDenied unless the caller may change anything at all."""
    if caller.role not in _WRITERS:
        raise PermissionDenied(
            f"{caller.subject} has the role {caller.role}; changing documents needs one of {', '.join(_WRITERS)}."
        )


def require_admin(caller: Caller, what: str) -> None:
    """Raise PermissionDenied unless the caller may do what touches the machine itself."""
    if caller.role != "admin":
        raise PermissionDenied(f"{caller.subject} has the role {caller.role}; {what} needs admin.")


def require_collection_in_sight(caller: Caller, path: str) -> None:
    """Raise NotFound as if there were no such collection, unless the caller may see the path."""
    if not may_read(caller, path):
        raise no_collection(path)


def no_collection(path: str) -> NotFound:
    """There is no such collection, or not for this caller."""
    return NotFound(
        f"There is no collection {path}.",
        reason=Reason.COLLECTION_NOT_FOUND,
        metadata={"collection": path},
    )
