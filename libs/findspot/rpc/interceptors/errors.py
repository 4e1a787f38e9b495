"""Every failure of a handler as one honest status: ours with all details, others without their text."""

from __future__ import annotations

import contextlib
import logging
import uuid
from collections.abc import AsyncIterator

import grpc
from grpc_status import rpc_status  # type: ignore[import-untyped, unused-ignore]

from findspot.errors import Cancelled, DeadlineExceeded, FindspotError, Internal, NotYetAvailable, Unavailable
from findspot.rpc.interceptors.handlers import AroundInterceptor, Context
from findspot.rpc.status import findspot_error, fit, to_status

log = logging.getLogger(__name__)


class ErrorInterceptor(AroundInterceptor):
    """Maps what a handler raises to a status. It must see the exceptions of all other interceptors but
    tracing."""

    @contextlib.asynccontextmanager
    async def around(self, method: str, context: Context) -> AsyncIterator[None]:
        """Cancellation and aborts pass; everything else ends the call with a `google.rpc.Status`."""
        try:
            yield
        except grpc.aio.AbortError:
            raise
        except Exception as exc:  # noqa: BLE001 - the boundary: whatever a handler raises becomes a status here
            if isinstance(exc, NotImplementedError) and _said_unimplemented(context):
                exc = _not_yet(method)
            error = fit(as_findspot_error(exc, method))
            await context.abort_with_status(rpc_status.to_status(to_status(error)))


def as_findspot_error(exc: BaseException, method: str) -> FindspotError:
    """What the caller is told about an exception that a handler of `method` raised; logs what it is not
    told."""
    if isinstance(exc, FindspotError):
        return exc
    if isinstance(exc, BaseExceptionGroup):
        return _from_group(exc, method)
    if isinstance(exc, grpc.RpcError):
        return _from_peer(exc, method)
    return _unexpected(exc, method)


def _said_unimplemented(context: Context) -> bool:
    """True for the generated base class of a service, which sets the code before it raises; a bug does
    not."""
    return context.code() in (grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNIMPLEMENTED.value[0])


def _not_yet(method: str) -> NotYetAvailable:
    name = method.removeprefix("/")
    return NotYetAvailable(
        f"{name} is not available in this version of the service.", metadata={"method": name}
    )


def _from_group(group: BaseExceptionGroup[BaseException], method: str) -> FindspotError:
    """A task group that failed for one known reason fails for that reason; unknown ones win, since they are
    bugs."""
    errors = [as_findspot_error(exc, method) for exc in group.exceptions]
    return next((error for error in errors if isinstance(error, Internal)), errors[0])


def _from_peer(exc: grpc.RpcError, method: str) -> FindspotError:
    """A failed call to another service that nobody translated: addresses and foreign texts stay in the
    log."""
    known = findspot_error(exc)
    if known is not None:
        return known
    code = exc.code()
    if code is grpc.StatusCode.UNAVAILABLE:
        log.warning("%s: a service that it needs does not answer: %s", method, exc.details())
        return Unavailable("A service that this call needs does not answer now; try again.", retry_after=0.5)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded("A service that this call needs did not answer in the time that was left.")
    if code is grpc.StatusCode.CANCELLED:
        return Cancelled("A call to a service that this call needs was cancelled.")
    return _unexpected(exc, method)


def _unexpected(exc: BaseException, method: str) -> Internal:
    incident = uuid.uuid4().hex[:12]
    log.error("%s: unexpected failure (incident %s)", method, incident, exc_info=exc)
    return Internal(
        f"The service failed in a way it should not; its log has the details under incident {incident}.",
        metadata={"incident": incident},
    )
