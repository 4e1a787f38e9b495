"""What people see of operations: one line and the notices, a row each, and an exit code that says the same."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from findspot.cli.operation_view import exit_code_of, operations_table, show_end
from findspot.cli.output import out
from findspot.v1 import common_pb2, indexing_pb2


def ended(state: str, **values: object) -> indexing_pb2.Operation:
    return indexing_pb2.Operation(
        operation_id="0192",
        kind="reindex",
        scope="acme/notes",
        state=f"OPERATION_STATE_{state}",
        total_count=4,
        started_time=Timestamp(seconds=1_000_000),
        ended_time=Timestamp(seconds=1_000_002, nanos=500_000_000),
        **values,
    )


@pytest.mark.parametrize(
    ("state", "failed", "code"),
    [("SUCCEEDED", 0, 0), ("SUCCEEDED", 1, 3), ("FAILED", 0, 1), ("CANCELLED", 0, 1)],
)
def test_the_exit_code_says_how_it_ended(state: str, failed: int, code: int) -> None:
    assert exit_code_of(ended(state, failed_count=failed)) == code


def test_the_end_names_what_was_done_and_what_failed() -> None:
    notices = [
        common_pb2.Notice(code="DOCUMENT_CORRUPT", message=f"acme/{n}.pdf: torn [x]") for n in range(12)
    ]
    operation = ended("SUCCEEDED", done_count=3, failed_count=1, counts={"cut": 3}, notices=notices)
    with out.capture() as shown:
        show_end(operation)
    said = shown.get()
    assert said.startswith("succeeded   reindex acme/notes   3 of 4 done, 1 failed   3 cut")
    assert "acme/9.pdf: torn [x]" in said
    assert "acme/10.pdf" not in said
    assert "and 2 more" in said


def test_a_row_holds_all_that_following_and_cancelling_need() -> None:
    with out.capture() as shown:
        out.print(operations_table([ended("CANCELLED", done_count=1)]))
    row = shown.get().splitlines()[1].split()
    assert row[:4] == ["0192", "reindex", "acme/notes", "cancelled"]
    assert row[4:7] == ["1", "of", "4"]
    assert row[-2:] == ["2.5", "s"]
