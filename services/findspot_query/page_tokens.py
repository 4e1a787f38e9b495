"""Page tokens: the window itself, signed, so that any replica serves the next page of exactly this answer."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from findspot.errors import InvalidArgument, Reason

LIFETIME_SECONDS = 15 * 60
MAX_GROUPS = 200
MAX_TOKEN_CHARACTERS = 6 * 1024
_VERSION = 1
_HEAD = struct.Struct(">BIHHB8s16s8s")
_ENTRY = struct.Struct(">16sf")
_MAC_BYTES = 16


@dataclass(frozen=True, slots=True)
class PinnedWindow:
    """The order of an answer: the best chunk of each group with its score, and where the next page begins."""

    offset: int
    entries: tuple[tuple[str, float], ...]
    count_is_lower_bound: bool = False


@dataclass(frozen=True, slots=True)
class TokenSubject:
    """What a token is good for: the request, the caller and the embedding identity that it was made for."""

    request_hash: bytes
    """16 bytes."""
    caller: str
    identity_key: str = ""


class PageTokens:
    """Makes and reads page tokens with a key that all replicas share."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock

    def seal(self, window: PinnedWindow, subject: TokenSubject) -> str:
        """The token for the page that begins at `window.offset`; at most 200 groups, 6 KiB."""
        expiry = int(self._clock()) + LIFETIME_SECONDS
        entries = window.entries[:MAX_GROUPS]
        head = _HEAD.pack(
            _VERSION,
            expiry,
            window.offset,
            len(entries),
            window.count_is_lower_bound,
            _short_hash(subject.identity_key),
            subject.request_hash,
            _short_hash(subject.caller),
        )
        body = head + b"".join(
            [_ENTRY.pack(bytes.fromhex(chunk.replace("-", "")), score) for chunk, score in entries]
        )
        return base64.urlsafe_b64encode(body + self._mac(body)).decode().rstrip("=")

    def unseal(self, token: str, subject: TokenSubject) -> PinnedWindow:
        """The window of a token. InvalidArgument PAGE_TOKEN_INVALID when it is changed, expired or not for this."""
        body = self._checked(token)
        version, expiry, offset, count, lower_bound, identity, request, caller = _HEAD.unpack_from(body)
        if version != _VERSION or len(body) != _HEAD.size + count * _ENTRY.size:
            raise _invalid("has a form that this version does not read")
        if self._clock() > expiry:
            raise _invalid(f"is older than {LIFETIME_SECONDS // 60} minutes")
        if request != subject.request_hash:
            raise _invalid("belongs to another request: all fields but page_size have to be the same")
        if caller != _short_hash(subject.caller):
            raise _invalid("belongs to another caller")
        if identity != _short_hash(subject.identity_key):
            raise _invalid("was made before the embedding model was switched")
        entries = tuple(
            (str(uuid.UUID(bytes=chunk)), score) for chunk, score in _ENTRY.iter_unpack(body[_HEAD.size :])
        )
        return PinnedWindow(offset, entries, bool(lower_bound))

    def _checked(self, token: str) -> bytes:
        if len(token) > MAX_TOKEN_CHARACTERS:
            raise _invalid(f"has {len(token)} characters, more than any token has")
        try:
            raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise _invalid("is damaged") from None
        body, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if len(body) < _HEAD.size or not hmac.compare_digest(mac, self._mac(body)):
            raise _invalid("is damaged")
        return body

    def _mac(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, hashlib.sha256).digest()[:_MAC_BYTES]


def _short_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:8]


def _invalid(what: str) -> InvalidArgument:
    return InvalidArgument(
        f"The page token {what}. Search again from the first page.", reason=Reason.PAGE_TOKEN_INVALID
    )
