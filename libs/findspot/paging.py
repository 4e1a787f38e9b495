"""Pages of lists: how large they are, and opaque tokens that say where the next one begins.

A token is bound to the other parameters of its request by a hash: with others it is refused. It holds only the
sort key of the last item, so forging one gains nothing that a plain request would not show.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from findspot.errors import FieldViolation, InvalidArgument, Reason


def page_size(asked: int, *, usual: int, most: int) -> int:
    """How many items a page holds: `usual` for 0, at most `most`. Raises InvalidArgument below 0."""
    if asked < 0:
        raise InvalidArgument(
            f"page_size is {asked}; it is 0 (meaning {usual}) or more, and counts up to {most}.",
            fields=[FieldViolation("page_size", "negative")],
        )
    return min(asked or usual, most)


def page_token(position: Sequence[str], bound: Any) -> str:
    """The token of the page behind `position`, for a request whose other parameters are `bound` (JSON values)."""
    whole = json.dumps([*position, _fingerprint(bound)], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(whole.encode()).decode().rstrip("=")


def read_page_token(token: str, bound: Any, parts: int) -> tuple[str, ...]:
    """The position of a token, of so many parts; empty for the first page.

    Raises InvalidArgument PAGE_TOKEN_INVALID when it is none of ours or belongs to another request.
    """
    if not token:
        return ()
    try:
        whole = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (binascii.Error, ValueError) as error:
        raise _invalid("cannot be read") from error
    if not isinstance(whole, list) or len(whole) != parts + 1 or not all(isinstance(p, str) for p in whole):
        raise _invalid("has another shape")
    if whole[-1] != _fingerprint(bound):
        raise _invalid("belongs to a request with other parameters")
    return tuple(whole[:-1])


def _fingerprint(bound: Any) -> str:
    return hashlib.sha256(json.dumps(bound, sort_keys=True).encode()).hexdigest()[:16]


def _invalid(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The page token {why}. Pass it back as it was given, with the same parameters, or begin without one.",
        reason=Reason.PAGE_TOKEN_INVALID,
        fields=[FieldViolation("page_token", why)],
    )
