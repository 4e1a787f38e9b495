"""A wider window only adds: what a smaller page shows is what a larger one begins with."""

from hypothesis import given
from hypothesis import strategies as st

from findspot.stores.manifest.stored import ChunkPosition
from findspot_query.candidates import ArmHit
from findspot_query.fusion import fuse, merge
from findspot_query.grouping import group
from findspot_query.rankings import Ranking, widened
from findspot_query.request import Fusion, GroupBy

IDS = [f"chunk{number:02d}" for number in range(40)]
DOCUMENTS = 7


def position(identifier: str) -> ChunkPosition:
    number = int(identifier[-2:])
    document = f"document{number % DOCUMENTS}"
    return ChunkPosition(document_id=document, chunk_index=number, section_id=f"{document}/{number // 10}")


def ranking(text: list[str], vector: list[str], by: GroupBy) -> Ranking:
    arms = [[ArmHit(name, 1.0 - rank / 100) for rank, name in enumerate(names)] for names in (text, vector)]
    merged = merge(arms[0], arms[1], {name: position(name) for name in IDS})
    return Ranking(groups=tuple(group(fuse(merged, Fusion()), by)))


@given(
    text=st.permutations(IDS),
    vector=st.permutations(IDS),
    depth=st.integers(1, 20),
    by=st.sampled_from(list(GroupBy)),
)
def test_a_wider_window_keeps_the_order_and_loses_nothing(
    text: list[str], vector: list[str], depth: int, by: GroupBy
) -> None:
    narrow = ranking(text[:depth], vector[:depth], by)
    wide = ranking(text[: 2 * depth], vector[: 2 * depth], by)
    both = widened(narrow, wide, by)
    keys = [found.key for found in both.groups]
    assert keys[: len(narrow.groups)] == [found.key for found in narrow.groups]
    assert [found.best for found in both.groups[: len(narrow.groups)]] == [
        found.best for found in narrow.groups
    ]
    members = [member.id for found in both.groups for member in found.members]
    assert sorted(members) == sorted({*text[: 2 * depth], *vector[: 2 * depth]})
    scores = [found.best.score for found in both.groups]
    assert scores == sorted(scores, reverse=True)
