"""`findspot.errors` <-> `google.rpc.Status`: the one table of status codes, and both directions.

A failed call carries ErrorInfo (reason, domain "findspot", metadata) always, BadRequest where fields are
wrong, and RetryInfo where trying again helps, so that a caller in any language switches on constants and
loses nothing.
"""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from findspot.errors import (
    Aborted,
    AlreadyExists,
    Cancelled,
    DataLoss,
    DeadlineExceeded,
    FailedPrecondition,
    FieldViolation,
    FindspotError,
    Internal,
    InvalidArgument,
    NotFound,
    NotYetAvailable,
    PermissionDenied,
    Reason,
    ResourceExhausted,
    Unauthenticated,
    Unavailable,
)

DOMAIN = "findspot"
"""The domain of every ErrorInfo: reasons are unique within it."""

DETAILS_KEY = "grpc-status-details-bin"
"""The trailer in which gRPC carries a serialised `google.rpc.Status`."""

WIRE_BUDGET = 5_000
"""Bytes a status may take in the trailers. gRPC clients refuse metadata from 8 KiB on by default, and both
the message (percent-encoded) and the details (base64) are counted there."""

STATUS_CODES: dict[type[FindspotError], grpc.StatusCode] = {
    InvalidArgument: grpc.StatusCode.INVALID_ARGUMENT,
    Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    NotFound: grpc.StatusCode.NOT_FOUND,
    AlreadyExists: grpc.StatusCode.ALREADY_EXISTS,
    FailedPrecondition: grpc.StatusCode.FAILED_PRECONDITION,
    Aborted: grpc.StatusCode.ABORTED,
    ResourceExhausted: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Unavailable: grpc.StatusCode.UNAVAILABLE,
    DeadlineExceeded: grpc.StatusCode.DEADLINE_EXCEEDED,
    Cancelled: grpc.StatusCode.CANCELLED,
    NotYetAvailable: grpc.StatusCode.UNIMPLEMENTED,
    DataLoss: grpc.StatusCode.DATA_LOSS,
    Internal: grpc.StatusCode.INTERNAL,
}

_ERROR_CLASSES: dict[int, type[FindspotError]] = {
    **{code.value[0]: error for error, code in STATUS_CODES.items()},
    grpc.StatusCode.UNKNOWN.value[0]: Internal,
    grpc.StatusCode.OUT_OF_RANGE.value[0]: InvalidArgument,
}


def status_code(error: FindspotError) -> grpc.StatusCode:
    """The gRPC status code of an error: that of the nearest class in the table, INTERNAL for the root
    itself."""
    for branch in type(error).__mro__:
        if branch in STATUS_CODES:
            return STATUS_CODES[branch]
    return grpc.StatusCode.INTERNAL


def to_status(error: FindspotError) -> Status:
    """The whole error as a `google.rpc.Status`. File names that are not Unicode come out with backslash
    escapes."""
    status = Status(code=status_code(error).value[0], message=_utf8(error.message))
    info = ErrorInfo(reason=error.reason.value, domain=DOMAIN)
    info.metadata.update({_utf8(key): _utf8(value) for key, value in error.metadata.items()})
    status.details.add().Pack(info)
    if error.fields:
        violations = [
            BadRequest.FieldViolation(field=_utf8(wrong.field), description=_utf8(wrong.description))
            for wrong in error.fields
        ]
        status.details.add().Pack(BadRequest(field_violations=violations))
    if error.retry_after is not None:
        status.details.add().Pack(RetryInfo(retry_delay=_duration(error.retry_after)))
    return status


def from_status(status: Status) -> FindspotError | None:
    """The error that `to_status` wrote, or None when the status is not one of Findspot's."""
    info, bad, retry = ErrorInfo(), BadRequest(), RetryInfo()
    present = {
        part.DESCRIPTOR.name
        for detail in status.details
        for part in (info, bad, retry)
        if detail.Unpack(part)
    }
    if "ErrorInfo" not in present or info.domain != DOMAIN:
        return None
    metadata = dict(info.metadata)
    reason = _known_reason(info.reason)
    if reason is None:
        # A newer server may use a reason that this version does not know: keep its name.
        metadata.setdefault("reason", info.reason)
    return _ERROR_CLASSES.get(status.code, Internal)(
        status.message,
        reason=reason,
        metadata=metadata,
        fields=[FieldViolation(wrong.field, wrong.description) for wrong in bad.field_violations],
        retry_after=_seconds(retry.retry_delay) if "RetryInfo" in present else None,
    )


def from_rpc_error(exc: grpc.RpcError) -> FindspotError:
    """The FindspotError that a failed call stands for, with or without Findspot's details, from either kind
    of channel.

    A status without details comes from gRPC itself (nobody listens, time ran out, message too large) or from
    a server that is not Findspot's; it becomes the class of its code with the reason that fits.
    """
    return findspot_error(exc) or _from_plain(exc)


def findspot_error(exc: grpc.RpcError) -> FindspotError | None:
    """The error that a Findspot service raised, or None when the status carries no details of Findspot's."""
    trailers: Any = exc.trailing_metadata() or ()
    for key, value in trailers:
        if key == DETAILS_KEY and isinstance(value, bytes):
            try:
                status = Status.FromString(value)
            except DecodeError:
                return None
            return from_status(status) if status.code == exc.code().value[0] else None
    return None


def fit(error: FindspotError, budget: int = WIRE_BUDGET) -> FindspotError:
    """The error, shortened where it would not fit into the trailers of a call, saying how much was left
    out."""
    if to_status(error).ByteSize() <= budget:
        return error
    message = _shorten(error.message, budget // 4)
    shown = [FieldViolation(_shorten(f.field, 200), _shorten(f.description, 500)) for f in error.fields]
    metadata = {_shorten(key, 100): _shorten(value, 200) for key, value in list(error.metadata.items())[:5]}
    while True:
        left_out = len(error.fields) - len(shown)
        fields = [*shown, FieldViolation("", f"and {left_out} more, left out here")] if left_out else shown
        shorter = type(error)(
            message, reason=error.reason, metadata=metadata, fields=fields, retry_after=error.retry_after
        )
        if not shown or to_status(shorter).ByteSize() <= budget:
            return shorter
        shown = shown[: len(shown) * 3 // 4]


def _from_plain(exc: grpc.RpcError) -> FindspotError:
    code, details = exc.code(), exc.details() or ""
    error = _ERROR_CLASSES.get(code.value[0], Internal)
    said = f"{code.name}: {details}" if details else code.name
    if code is grpc.StatusCode.UNAVAILABLE:
        return Unavailable(f"The service does not answer ({said}). Is it running, and is the address right?")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in details:
        return ResourceExhausted(
            f"A message is too large ({details}); send less in one call.", reason=Reason.MESSAGE_TOO_LARGE
        )
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return NotYetAvailable(f"The service does not know this method ({said}).")
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded("The call did not finish in the time it was given.")
    return error(f"The call failed with {said}.")


def _known_reason(name: str) -> Reason | None:
    return Reason(name) if name in Reason.__members__ else None


def _utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _shorten(text: str, limit: int) -> str:
    """`limit` counts bytes, since that is what trailers are measured in."""
    data = _utf8(text).encode()
    if len(data) <= limit:
        return text
    return f"{data[:limit].decode(errors='ignore')}... ({len(data) - limit} more bytes)"


def _duration(seconds: float) -> Duration:
    nanoseconds = round(max(0.0, seconds) * 1_000_000_000)
    return Duration(seconds=nanoseconds // 1_000_000_000, nanos=nanoseconds % 1_000_000_000)


def _seconds(duration: Duration) -> float:
    return float(duration.seconds + duration.nanos / 1_000_000_000)
