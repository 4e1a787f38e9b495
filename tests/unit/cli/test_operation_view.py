"""What people see of operations: one line and the notices, a row each, and an exit code that says the same."""

from __future__ import annotations

import uuid

import pytest
import typer
from google.protobuf.timestamp_pb2 import Timestamp

from findspot.cli import operation_view
from findspot.cli.operation_view import exit_code_of, follow, operations_table, show_end
from findspot.cli.output import err, out
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
        out.print(operations_table([ended("CANCELLED", done_count=1)], 120), width=120)
    row = shown.get().splitlines()[1].split()
    assert row[:4] == ["0192", "reindex", "acme/notes", "cancelled"]
    assert row[4:7] == ["1", "of", "4"]
    assert row[-2:] == ["2.5", "s"]


@pytest.mark.parametrize("width", [80, 120])
def test_an_id_can_be_copied_from_a_narrow_terminal_too(width: int) -> None:
    long = ended("SUCCEEDED", done_count=123_456, failed_count=7)
    long.operation_id, long.scope = str(uuid.uuid4()), "acme/a-collection-with-a-name/that-is-rather-long"
    with out.capture() as shown:
        out.print(operations_table([long], width), width=width)
    assert long.operation_id in shown.get()
    assert all(words in shown.get() for words in ("succeeded", "2.5 s", "7"))
    assert max(map(len, shown.get().splitlines())) <= width


class Following:
    """A client whose operation comes to its end with the third look."""

    def __init__(self, failure: BaseException | None = None) -> None:
        self.looks = 0
        self.failure = failure

    def operation(self, operation_id: str) -> indexing_pb2.Operation:
        self.looks += 1
        if self.failure and self.looks == 2:
            raise self.failure
        return ended("SUCCEEDED" if self.looks == 3 else "RUNNING", done_count=self.looks)


def test_an_operation_is_followed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation_view, "_LOOK_SECONDS", 0.0)
    client = Following()
    assert follow(client, "0192", quiet=True).done_count == client.looks == 3  # type: ignore[arg-type]


def test_ctrl_c_ends_the_watching_and_tells_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation_view, "_LOOK_SECONDS", 0.0)
    with err.capture() as said, pytest.raises(typer.Exit) as left:
        follow(Following(KeyboardInterrupt()), "0192", quiet=True)  # type: ignore[arg-type]
    assert left.value.exit_code == 130
    assert "operations --watch 0192" in said.get()
