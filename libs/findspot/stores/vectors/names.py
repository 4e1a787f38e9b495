"""Names of physical collections: one for each embedding identity."""

from __future__ import annotations

import hashlib

_HEX_DIGITS = 32


def collection_name(identity_key: str) -> str:
    """The collection that holds the vectors of one embedding identity: `findspot-` and 32 hex digits of
    its SHA-256.

    A changed model or dimension is another identity, so its vectors never share a collection with the old
    ones.
    """
    return f"findspot-{hashlib.sha256(identity_key.encode()).hexdigest()[:_HEX_DIGITS]}"
