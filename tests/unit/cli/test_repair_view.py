"""What `findspot repair --dry-run` promises."""

from __future__ import annotations

import pytest

from findspot.cli.output import out
from findspot.cli.repair import _show_plan
from findspot.v1 import indexing_pb2


@pytest.mark.parametrize(
    ("counts", "remedy"),
    [
        ({}, "nothing to mend"),
        ({"text_missing": 2}, "findspot repair mends them"),
        ({"blobs_missing": 1}, "findspot add --force brings stored files back"),
        (
            {"blobs_missing": 1, "counters_wrong": 3},
            "findspot repair mends the others, findspot add --force brings stored files back",
        ),
    ],
)
def test_no_repair_is_promised_where_a_file_has_to_be_added_again(
    counts: dict[str, int], remedy: str
) -> None:
    with out.capture() as shown:
        _show_plan(indexing_pb2.RepairResponse(counts=counts), as_json=False)
    assert shown.get().splitlines()[-1].strip() == remedy
