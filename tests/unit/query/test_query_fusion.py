"""Fusion and grouping: order does not depend on the order of arrival, weights count, absent is not zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.stores.manifest.stored import ChunkPosition
from findspot_query.candidates import ArmHit, Candidate
from findspot_query.fusion import RANK_BOOST, fuse, merge
from findspot_query.grouping import group, regroup, shown
from findspot_query.request import Formula, Fusion, GroupBy

_IDS = [f"id{number}" for number in range(12)]
_SCORES = st.floats(0.01, 50, allow_nan=False)


@st.composite
def arms(draw: st.DrawFn) -> tuple[list[ArmHit], list[ArmHit]]:
    def arm(scores: st.SearchStrategy[float]) -> list[ArmHit]:
        ids = draw(st.lists(st.sampled_from(_IDS), unique=True))
        hits = [ArmHit(identifier, draw(scores)) for identifier in ids]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))

    return arm(_SCORES), arm(st.floats(-1, 1, allow_nan=False))


def positions() -> dict[str, ChunkPosition]:
    return {
        identifier: ChunkPosition(f"doc{number // 3}", number % 3, f"section{number // 2}")
        for number, identifier in enumerate(_IDS)
    }


def fused(text: list[ArmHit], vector: list[ArmHit], fusion: Fusion) -> list[Candidate]:
    return fuse(merge(text, vector, positions()), fusion)


@given(arms(), st.sampled_from(list(Formula)), st.randoms())
def test_the_order_of_arrival_does_not_matter(
    found: tuple[list[ArmHit], list[ArmHit]], formula: Formula, random: object
) -> None:
    merged = merge(*found, positions())
    shuffled = list(merged)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fuse(merged, Fusion(formula)) == fuse(shuffled, Fusion(formula))


@given(arms(), st.sampled_from(list(Formula)))
def test_every_candidate_is_ranked_once_and_ties_go_by_document_and_index(
    found: tuple[list[ArmHit], list[ArmHit]], formula: Formula
) -> None:
    ranked = fused(*found, Fusion(formula))
    assert sorted(candidate.id for candidate in ranked) == sorted({hit.id for arm in found for hit in arm})
    keys = [(-candidate.score, candidate.document_id, candidate.chunk_index) for candidate in ranked]
    assert keys == sorted(keys)


@given(arms())
def test_ranks_are_those_of_the_arms_and_absent_means_not_in_it(
    found: tuple[list[ArmHit], list[ArmHit]],
) -> None:
    by_id = {candidate.id: candidate for candidate in fused(*found, Fusion())}
    for arm, rank, score in ((found[0], "text_rank", "text_score"), (found[1], "vector_rank", "similarity")):
        for number, hit in enumerate(arm, 1):
            assert getattr(by_id[hit.id], rank) == number
            assert getattr(by_id[hit.id], score) == hit.score
        absent = by_id.keys() - {hit.id for hit in arm}
        assert all(getattr(by_id[identifier], rank) is None for identifier in absent)
        assert all(getattr(by_id[identifier], score) is None for identifier in absent)


@given(arms())
def test_one_arm_alone_keeps_its_order(found: tuple[list[ArmHit], list[ArmHit]]) -> None:
    text, _ = found
    order = [hit.id for hit in text]
    for formula in (Formula.RRF, Formula.WEIGHTED_RRF):
        assert [candidate.id for candidate in fused(text, [], Fusion(formula))] == order


@given(arms(), st.sampled_from([Formula.WEIGHTED_RRF, Formula.RELATIVE_SCORE, Formula.MAX_BONUS]))
def test_a_weight_of_nothing_takes_an_arm_out(
    found: tuple[list[ArmHit], list[ArmHit]], formula: Formula
) -> None:
    text, vector = found
    weighted = {candidate.id: candidate.score for candidate in fused(text, vector, Fusion(formula, 60, 1, 0))}
    for hit in vector:
        if hit.id not in {other.id for other in text}:
            assert weighted[hit.id] == 0.0


def test_weights_are_applied() -> None:
    text, vector = [ArmHit("id0", 9.0), ArmHit("id1", 8.0)], [ArmHit("id1", 0.9), ArmHit("id0", 0.5)]
    for formula in (Formula.WEIGHTED_RRF, Formula.RELATIVE_SCORE, Formula.MAX_BONUS):
        assert fused(text, vector, Fusion(formula, 60, 3, 1))[0].id == "id0"
        assert fused(text, vector, Fusion(formula, 60, 1, 3))[0].id == "id1"


def test_the_published_numbers() -> None:
    text, vector = [ArmHit("id0", 2.0)], [ArmHit("id1", 0.9), ArmHit("id2", 0.8), ArmHit("id0", 0.7)]
    best = fused(text, vector, Fusion())[0]
    assert (best.id, best.score) == ("id0", pytest.approx(1 / 61 + 1 / 63))
    (alone,) = fused([ArmHit("id0", 3.0)], [], Fusion(Formula.MAX_BONUS))
    assert alone.score == pytest.approx(1.0)
    (both,) = fused([ArmHit("id0", 3.0)], [ArmHit("id0", 1.0)], Fusion(Formula.MAX_BONUS))
    assert both.score == pytest.approx(1.3)


def test_a_shared_identifier_is_worth_a_little_more_than_a_first_place() -> None:
    merged = merge([ArmHit("id0", 2.0), ArmHit("id1", 1.0)], [], positions())
    ranked = fuse(merged, Fusion(), {"id1"})
    assert [(found.id, found.identifier_match) for found in ranked] == [("id1", True), ("id0", False)]
    assert ranked[0].score == pytest.approx(1 / 62 + RANK_BOOST)


@given(arms(), st.sampled_from(list(GroupBy)), st.integers(1, 4))
def test_grouping_loses_nothing_and_keeps_the_order(
    found: tuple[list[ArmHit], list[ArmHit]], by: GroupBy, most: int
) -> None:
    ranked = fused(*found, Fusion())
    groups = group(ranked, by)
    assert len({each.key for each in groups}) == len(groups)
    assert sorted(member.id for each in groups for member in each.members) == sorted(c.id for c in ranked)
    assert [each.best for each in groups] == sorted((each.best for each in groups), key=ranked.index)
    for each in groups:
        assert list(each.members) == sorted(each.members, key=ranked.index)
        assert len(shown(each, most, expand=False)) == min(most, len(each.members))
        assert shown(each, most, expand=True) == each.members
    assert regroup(groups, (), by) == groups
    if by is GroupBy.NONE:
        assert len(groups) == len(ranked)
