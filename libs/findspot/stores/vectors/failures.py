"""Failures of calls to the vector store as errors of the suite, in one table."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from findspot.errors import (
    AlreadyExists,
    DataLoss,
    FindspotError,
    Internal,
    InvalidArgument,
    NotFound,
    Reason,
    ResourceExhausted,
    Unavailable,
)

_RETRY_AFTER = 0.5


def vector_store_error(failure: grpc.RpcError, url: str, doing: str) -> FindspotError:
    """What a failed call means; `doing` is a phrase as in "searching findspot-ab12". Loses nothing the
    server said."""
    code, said = failure.code(), (failure.details() or "").rstrip(".")
    make = _BY_CODE.get(code, _internal)
    return make(f"The vector store at {url} failed while {doing}: {said} ({code.name}).")


def _unavailable(message: str) -> FindspotError:
    return Unavailable(
        f"{message} Check that it runs; the same call may work later.",
        reason=Reason.VECTOR_STORE_UNAVAILABLE,
        retry_after=_RETRY_AFTER,
    )


def _refused(message: str) -> FindspotError:
    return Unavailable(
        f"{message} Check the API key that is configured for it.", reason=Reason.VECTOR_STORE_UNAVAILABLE
    )


def _not_found(message: str) -> FindspotError:
    missing = Reason.CHUNK_NOT_FOUND if "No point" in message else Reason.COLLECTION_NOT_FOUND
    return NotFound(message, reason=missing)


def _internal(message: str) -> FindspotError:
    return Internal(message)


_BY_CODE: dict[grpc.StatusCode, Callable[[str], FindspotError]] = {
    grpc.StatusCode.UNAVAILABLE: _unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: _unavailable,
    grpc.StatusCode.CANCELLED: _unavailable,
    grpc.StatusCode.ABORTED: _unavailable,
    grpc.StatusCode.UNAUTHENTICATED: _refused,
    grpc.StatusCode.PERMISSION_DENIED: _refused,
    grpc.StatusCode.RESOURCE_EXHAUSTED: lambda m: ResourceExhausted(m, retry_after=_RETRY_AFTER),
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.NOT_FOUND: _not_found,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.DATA_LOSS: DataLoss,
}
