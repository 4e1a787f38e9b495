"""The table of status codes and the round trip of errors through google.rpc.Status."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from hypothesis import given
from hypothesis import strategies as st

from findspot import errors
from findspot.errors import FieldViolation, FindspotError, Reason
from findspot.rpc import status

CLASSES = sorted(FindspotError.__subclasses__(), key=lambda error: error.__name__)

TABLE = [
    (errors.InvalidArgument, "INVALID_ARGUMENT"),
    (errors.Unauthenticated, "UNAUTHENTICATED"),
    (errors.PermissionDenied, "PERMISSION_DENIED"),
    (errors.NotFound, "NOT_FOUND"),
    (errors.AlreadyExists, "ALREADY_EXISTS"),
    (errors.FailedPrecondition, "FAILED_PRECONDITION"),
    (errors.Aborted, "ABORTED"),
    (errors.ResourceExhausted, "RESOURCE_EXHAUSTED"),
    (errors.Unavailable, "UNAVAILABLE"),
    (errors.DeadlineExceeded, "DEADLINE_EXCEEDED"),
    (errors.Cancelled, "CANCELLED"),
    (errors.NotYetAvailable, "UNIMPLEMENTED"),
    (errors.DataLoss, "DATA_LOSS"),
    (errors.Internal, "INTERNAL"),
]

TEXT = st.text(max_size=60)
ERRORS = st.builds(
    lambda cls, message, **rest: cls(message, **rest),
    st.sampled_from(CLASSES),
    TEXT,
    reason=st.sampled_from(Reason),
    metadata=st.dictionaries(TEXT, TEXT, max_size=4),
    fields=st.lists(st.builds(FieldViolation, TEXT, TEXT), max_size=4),
    retry_after=st.none() | st.floats(0, 86_400).map(lambda seconds: round(seconds, 6)),
)


class PlainCall(grpc.RpcError):
    """A failed call without details, as gRPC itself or a foreign server ends it."""

    def __init__(
        self, code: grpc.StatusCode, details: str = "", trailers: tuple[tuple[str, bytes], ...] = ()
    ):
        super().__init__()
        self._code, self._details, self._trailers = code, details, trailers

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        return self._trailers


@pytest.mark.parametrize(("error", "code"), TABLE)
def test_each_class_has_its_code(error: type[FindspotError], code: str) -> None:
    assert status.status_code(error("x")).name == code


def test_the_table_names_every_class() -> None:
    assert {error for error, _ in TABLE} == set(CLASSES) == set(status.STATUS_CODES)
    assert len(set(status.STATUS_CODES.values())) == len(CLASSES)


def test_a_subclass_takes_the_code_of_its_branch_and_the_root_is_internal() -> None:
    class IndexLocked(errors.FailedPrecondition):
        pass

    assert status.status_code(IndexLocked("x")) is grpc.StatusCode.FAILED_PRECONDITION
    assert status.status_code(FindspotError("x")) is grpc.StatusCode.INTERNAL


@given(ERRORS)
def test_a_round_trip_loses_nothing(error: FindspotError) -> None:
    wire = status.to_status(error).SerializeToString()
    back = status.from_status(status_pb2.Status.FromString(wire))
    assert back is not None
    assert type(back) is type(error)
    assert (back.message, back.reason, back.metadata) == (error.message, error.reason, error.metadata)
    assert back.fields == error.fields
    assert back.retry_after == pytest.approx(error.retry_after, abs=1e-9)


@given(ERRORS)
def test_from_rpc_error_reads_the_trailers(error: FindspotError) -> None:
    trailers = ((status.DETAILS_KEY, status.to_status(error).SerializeToString()),)
    back = status.from_rpc_error(PlainCall(status.status_code(error), error.message, trailers))
    assert (type(back), back.reason, back.message) == (type(error), error.reason, error.message)


def test_a_file_name_that_is_not_unicode_is_escaped() -> None:
    back = status.from_status(
        status.to_status(errors.NotFound("no file caf\udce9.txt", metadata={"p": "\udce9"}))
    )
    assert back is not None
    assert back.message == r"no file caf\udce9.txt"
    assert back.metadata == {"p": r"\udce9"}


def test_a_reason_of_a_newer_server_keeps_its_name() -> None:
    wire = status.to_status(errors.Aborted("x"))
    del wire.details[:]
    wire.details.add().Pack(error_details_pb2.ErrorInfo(reason="FROM_THE_FUTURE", domain=status.DOMAIN))
    back = status.from_status(wire)
    assert isinstance(back, errors.Aborted)
    assert back.metadata == {"reason": "FROM_THE_FUTURE"}
    assert back.reason is errors.Aborted.default_reason


@pytest.mark.parametrize(
    ("code", "details", "error", "reason"),
    [
        ("UNAVAILABLE", "failed to connect", errors.Unavailable, Reason.SERVICE_UNAVAILABLE),
        ("DEADLINE_EXCEEDED", "Deadline Exceeded", errors.DeadlineExceeded, Reason.DEADLINE_EXCEEDED),
        ("CANCELLED", "", errors.Cancelled, Reason.CANCELLED),
        ("UNIMPLEMENTED", "Method not found!", errors.NotYetAvailable, Reason.NOT_YET_AVAILABLE),
        ("UNKNOWN", "boom", errors.Internal, Reason.INTERNAL),
        ("OUT_OF_RANGE", "", errors.InvalidArgument, Reason.INVALID_FIELD),
        ("UNAUTHENTICATED", "", errors.Unauthenticated, Reason.UNAUTHENTICATED),
        ("RESOURCE_EXHAUSTED", "slow down", errors.ResourceExhausted, Reason.OVERLOADED),
        (
            "RESOURCE_EXHAUSTED",
            "CLIENT: Received message larger than max (5242885 vs. 4194304)",
            errors.ResourceExhausted,
            Reason.MESSAGE_TOO_LARGE,
        ),
    ],
)
def test_plain_codes(code: str, details: str, error: type[FindspotError], reason: Reason) -> None:
    back = status.from_rpc_error(PlainCall(grpc.StatusCode[code], details))
    assert type(back) is error
    assert back.reason is reason
    if details and code not in ("DEADLINE_EXCEEDED",):
        assert details in back.message


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_every_plain_code_becomes_an_error(code: grpc.StatusCode) -> None:
    assert isinstance(status.from_rpc_error(PlainCall(code)), FindspotError)


def test_details_that_cannot_be_read_or_are_foreign_leave_the_plain_code() -> None:
    code = grpc.StatusCode.NOT_FOUND
    broken = PlainCall(code, "gone", ((status.DETAILS_KEY, b"\xff\xff\xff"),))
    foreign = status_pb2.Status(code=code.value[0], message="gone")
    foreign.details.add().Pack(error_details_pb2.ErrorInfo(reason="X", domain="example.com"))
    for call in (broken, PlainCall(code, "gone", ((status.DETAILS_KEY, foreign.SerializeToString()),))):
        assert status.findspot_error(call) is None
        assert isinstance(status.from_rpc_error(call), errors.NotFound)


@given(ERRORS)
def test_what_fits_is_left_alone(error: FindspotError) -> None:
    assert status.fit(error, budget=100_000) is error


def test_what_does_not_fit_is_shortened_and_says_so() -> None:
    fields = [FieldViolation(f"chunks[{n}].text", "é" * 300) for n in range(500)]
    error = errors.InvalidArgument("m" * 9_000, fields=fields, metadata={"k": "v" * 9_000}, retry_after=1)
    short = status.fit(error)
    assert status.to_status(short).ByteSize() <= status.WIRE_BUDGET
    assert "more bytes" in short.message
    assert (
        short.fields[:-1] == tuple(fields[: len(short.fields) - 1])
        or "more bytes" in short.fields[0].description
    )
    assert short.fields[-1].description == f"and {500 - (len(short.fields) - 1)} more, left out here"
    assert (short.reason, short.retry_after) == (error.reason, 1)
