"""What people see when a sync has ended."""

from __future__ import annotations

from findspot.cli.output import err, out
from findspot.cli.sync_view import SHOWN, Outcome, show
from findspot.v1 import common_pb2, errors_pb2, indexing_pb2


def failed(name: str) -> indexing_pb2.Document:
    why = common_pb2.Failure(reason=errors_pb2.ERROR_REASON_DOCUMENT_CORRUPT, message="torn [x]")
    return indexing_pb2.Document(file_path=name, failure=why)


def test_a_file_that_could_not_be_read_is_named_with_the_reason() -> None:
    notices = [common_pb2.Notice(code="NOT_A_FILE", message="pipe is no regular file.")]
    with out.capture() as shown, err.capture() as said:
        show(
            "acme",
            Outcome("1", "SUCCEEDED", {"added": 2}, notices, 0.5, None, [failed("a.pdf")]),
            dry_run=False,
        )
    assert [line.split() for line in shown.get().splitlines()[1:3]] == [["added", "2"], ["changed", "0"]]
    assert said.get().splitlines() == [
        "1 could not be read",
        "DOCUMENT_CORRUPT a.pdf: torn [x]",
        "NOT_A_FILE pipe is no regular file.",
    ]


def test_of_many_the_rest_is_counted() -> None:
    many = [failed(f"{n}.pdf") for n in range(SHOWN + 3)]
    with out.capture(), err.capture() as said:
        show("acme", Outcome("1", "SUCCEEDED", {}, (), 0.5, None, many), dry_run=False)
    assert said.get().splitlines()[0] == f"{SHOWN + 3} could not be read"
    assert said.get().splitlines()[-1] == "and 3 more; --json lists them"
