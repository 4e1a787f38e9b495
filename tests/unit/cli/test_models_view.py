"""What `findspot models` shows of an answer."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from findspot.cli.models import coverage_bar, models_table
from findspot.v1 import common_pb2, indexing_pb2


def identity(
    name: str, state: int, counts: tuple[int, int, int], loaded: bool
) -> indexing_pb2.IdentityStatus:
    embedded, pending, failed = counts
    return indexing_pb2.IdentityStatus(
        identity=common_pb2.EmbeddingIdentity(key=name * 16, display=f"{name}@8", name=name, dimension=8),
        state=state,  # type: ignore[arg-type]
        embedded_chunk_count=embedded,
        pending_chunk_count=pending,
        failed_chunk_count=failed,
        loaded=loaded,
    )


def test_each_model_shows_its_state_how_full_it_is_and_whether_it_is_loaded() -> None:
    answer = indexing_pb2.GetStatusResponse(
        identities=[
            identity("old", indexing_pb2.IDENTITY_STATE_ACTIVE, (100, 0, 0), False),
            identity("n\x1bew", indexing_pb2.IDENTITY_STATE_FILLING, (25, 74, 1), True),
        ]
    )
    page = io.StringIO()
    Console(file=page, width=160, color_system=None).print(models_table(answer, 160))
    _, old, new = page.getvalue().splitlines()
    assert "serves" in old
    assert "100 of 100" in old
    assert " no " in old
    assert "is being filled" in new
    assert "25 of 100, 1 failed" in new
    assert " yes " in new
    assert "\x1b" not in new


@pytest.mark.parametrize("width", [80, 120])
def test_a_model_can_be_named_as_it_is_shown(width: int) -> None:
    item = identity("all-MiniLM-L6-v2-int8", indexing_pb2.IDENTITY_STATE_FILLING, (123_456, 77_000, 0), True)
    page = io.StringIO()
    table = models_table(indexing_pb2.GetStatusResponse(identities=[item]), width)
    Console(file=page, width=width, color_system=None).print(table)
    assert len(page.getvalue().splitlines()) == 2
    for shown in ("all-MiniLM-L6-v2-int8@8 ", "is being filled", "123456 of 200456", item.identity.key[:6]):
        assert shown in page.getvalue()


def test_a_bar_is_always_as_long() -> None:
    for counts in ((0, 0, 0), (1, 1_000_000, 1), (3, 0, 0)):
        item = identity("m", indexing_pb2.IDENTITY_STATE_FILLING, counts, True)
        assert len(coverage_bar(item, "yellow")) == 24
