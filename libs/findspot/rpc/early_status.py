"""Keeps the status of a server that ends an upload early, which the asyncio API of gRPC may overwrite.

When a server answers before the caller has sent everything (a document that is too large, a full queue), a
write under way fails, and gRPC reports INTERNAL "Internal error from Core" in place of the status that has
arrived: https://github.com/grpc/grpc/issues/36066. Without this, one upload in some would fail with the wrong
reason.
"""

from __future__ import annotations

import asyncio
from typing import Any

WAIT_SECONDS = 1.0
"""How long the status of a call may follow a failed write; gRPC itself promises none after some failures."""


def keep_early_status(call: Any) -> Any:
    """The same call, which reports what the server said even if that came during a write."""
    inner = getattr(call, "_cython_call", None)
    if inner is not None and hasattr(call, "_write"):
        call._cython_call = _StatusFirst(inner)
    return call


class _StatusFirst:
    """gRPC's own call object, except that a failed write does not replace a status that is there or on its
    way."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def set_internal_error(self, description: str) -> None:
        """Called when a write failed."""
        if not self._inner.done():
            asyncio.get_running_loop().call_later(WAIT_SECONDS, self._give_up, description)

    def _give_up(self, description: str) -> None:
        if not self._inner.done():
            self._inner.set_internal_error(description)
