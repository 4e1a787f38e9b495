"""Who asks: the caller of the call being served."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextvars import ContextVar

from findspot.model import EVERYTHING, Caller
from findspot.rpc.interceptors.handlers import AroundInterceptor, Context

_caller: ContextVar[Caller] = ContextVar("findspot_caller", default=EVERYTHING)


class AccessInterceptor(AroundInterceptor):
    """Gives every call its caller, before the handler runs."""

    @contextlib.asynccontextmanager
    async def around(self, method: str, context: Context) -> AsyncIterator[None]:
        """The caller is set in the context of the call's own task, so it ends with the call."""
        _caller.set(self.identify(context))
        yield

    def identify(self, context: Context) -> Caller:
        """The caller behind a call. Without auth a service listens on loopback only, and its callers may do
        all."""
        return EVERYTHING


def current_caller() -> Caller:
    """The caller of the call being served; outside of a call the local administrator."""
    return _caller.get()
