"""Every answer that a search can have has a message."""

import pytest

from findspot.errors import Reason
from findspot.v1 import query_pb2
from findspot_query.failures import Degradation, Failure
from findspot_query.handler_search import _degradation
from findspot_query.request import SearchMode


@pytest.mark.parametrize("mode", SearchMode)
def test_a_part_can_be_lost_in_every_mode(mode: SearchMode) -> None:
    lost = Degradation(
        "rerank",
        Failure(Reason.RERANKER_UNAVAILABLE, "none is there", "reranker-unavailable", "operator"),
        mode,
    )
    told = _degradation(lost)
    assert query_pb2.SearchMode.Name(told.effective_mode) == f"SEARCH_MODE_{mode.value.upper()}"
    assert told.failure.name == "reranker-unavailable"
