"""Invariants of cutting, over composed documents, every strategy, and every size and overlap that is allowed."""

from __future__ import annotations

import pytest
from chunk_invariants import assert_invariants, assert_no_heading_alone
from composed_documents import documents
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from findspot.model import ExtractedDocument, Strategy
from findspot_chunking.chunker import chunk_document
from findspot_chunking.options import ResolvedOptions

_SIZES = st.one_of(st.integers(1, 400), st.sampled_from([800, 1000, 20_000]))


def _options(strategy: Strategy, size: int, share: float, cap: int | None = None) -> ResolvedOptions:
    return ResolvedOptions(strategy, size, int((size - 1) * share), token_cap=cap)


@settings(max_examples=70, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents(), st.sampled_from(Strategy), _SIZES, st.floats(0, 1))
def test_every_document_is_cut_whole_and_within_the_size(
    document: ExtractedDocument, strategy: Strategy, size: int, share: float
) -> None:
    options = _options(strategy, size, share)
    cut = chunk_document(document, options)
    assert_invariants(document, cut)
    assert cut == chunk_document(document, options)
    if strategy is not Strategy.SLIDING_WINDOW:
        assert_no_heading_alone(document, cut)


@settings(max_examples=60, deadline=None)
@given(
    st.text("ab \n\r\u0301👩‍🔧🇩🇪ก\u0e33\u1100\u1161", max_size=400),
    st.sampled_from(Strategy),
    st.integers(1, 60),
)
def test_text_of_hostile_clusters_is_cut_at_any_size(text: str, strategy: Strategy, size: int) -> None:
    document = ExtractedDocument(text, "text", "text/plain")
    assert_invariants(document, chunk_document(document, ResolvedOptions(strategy, size, size // 2)))


@pytest.mark.parametrize("strategy", Strategy)
def test_blank_documents_have_no_chunks(strategy: Strategy) -> None:
    document = ExtractedDocument(" \n\t\n", "text", "text/plain")
    cut = chunk_document(document, ResolvedOptions(strategy, 1000, 100))
    assert (cut.sections, cut.chunks, cut.warnings) == ((), (), ())
