"""The root of a directory collection: there and readable, or nothing is done."""

from __future__ import annotations

import os
from collections.abc import Sequence

from findspot.errors import FailedPrecondition, PermissionDenied, Reason
from findspot_indexing.directories.reading import inside


def require_root(root: str) -> os.stat_result:
    """What the root is. Raises FailedPrecondition SOURCE_UNREADABLE unless it is a directory that can be read."""
    try:
        facts = os.stat(root)
        with os.scandir(root):
            pass
    except NotADirectoryError as error:
        raise unreadable_root(root, "is no directory") from error
    except FileNotFoundError as error:
        raise unreadable_root(root, "is not there") from error
    except OSError as error:
        raise unreadable_root(root, f"cannot be read ({error.strerror})") from error
    return facts


def require_allowed(root: str, allowed: Sequence[str]) -> None:
    """Raise PermissionDenied unless the root lies in one of the allowed directories; none at all allows every one."""
    if allowed and not any(inside(os.path.realpath(each), os.path.realpath(root)) for each in allowed):
        raise PermissionDenied(
            f"The directory {root!r} lies in none of those that the setting source_roots of the indexing service "
            "allows. Choose one of them, or have the operator add it.",
            metadata={"root": ascii(root)},
        )


def unreadable_root(root: str, what: str) -> FailedPrecondition:
    """The root is not as it has to be; nothing was pruned."""
    return FailedPrecondition(
        f"The directory {root!r} {what}: nothing was done. Is a disk not mounted? Bring the directory back, or give "
        "the collection another source.",
        reason=Reason.SOURCE_UNREADABLE,
        metadata={"root": ascii(root)},
    )
