"""Chunks keep their id through edits exactly as long as kind, hash and occurrence stay the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from findspot.ids import text_hash
from findspot.model import Chunk, ChunkKind
from findspot_indexing.compose.reconcile import name_chunks, reconcile

DOCUMENT = "0190a000-0000-7000-8000-000000000001"

# Few texts and kinds, so that equal chunks and small differences both happen often.
chunks = st.builds(
    lambda text, context, kind: Chunk(0, 0, 0, len(text), text, context, kind),
    st.sampled_from(["a", "b", "c", "ab"]),
    st.sampled_from(["", "a"]),
    st.sampled_from(list(ChunkKind)),
)
documents = st.lists(chunks, max_size=12)


def keys(found: list[Chunk]) -> list[tuple[str, str]]:
    return [(chunk.kind.value, text_hash(chunk.context, chunk.text)) for chunk in found]


@given(documents)
def test_ids_are_unique_and_say_nothing_of_position(found: list[Chunk]) -> None:
    named = name_chunks(DOCUMENT, found)
    assert len({chunk.id for chunk in named}) == len(found)
    moved = [replace(chunk, index=9, start=7, end=8, page=3, heading_path=("x",)) for chunk in found]
    assert [chunk.id for chunk in name_chunks(DOCUMENT, moved)] == [chunk.id for chunk in named]


@given(documents, documents)
def test_an_edit_keeps_the_id_of_what_it_did_not_touch(before: list[Chunk], after: list[Chunk]) -> None:
    old = name_chunks(DOCUMENT, before)
    new = name_chunks(DOCUMENT, after)
    kept = {chunk.id for chunk in old} & {chunk.id for chunk in new}
    # As many of each (kind, hash) survive as both versions hold of it.
    common = Counter(keys(before)) & Counter(keys(after))
    assert len(kept) == common.total()
    result = reconcile(new, {chunk.id: "LIVE" for chunk in old})
    assert {chunk.id for chunk in result.kept} == kept
    assert {chunk.id for chunk in result.added} == {chunk.id for chunk in new} - kept
    assert set(result.retired) == {chunk.id for chunk in old} - kept
    assert result.revived == ()
    assert result.dropped == ()


@given(documents, st.data())
def test_every_chunk_has_exactly_one_fate(after: list[Chunk], data: st.DataObject) -> None:
    new = name_chunks(DOCUMENT, after)
    others = name_chunks(DOCUMENT, data.draw(documents))
    states = {
        chunk.id: data.draw(st.sampled_from(["LIVE", "RETIRED", "STAGED"])) for chunk in (*new, *others)
    }
    known = {key: state for key, state in states.items() if data.draw(st.booleans())}
    result = reconcile(new, known)
    fates = [chunk.id for chunk in (*result.added, *result.kept, *result.revived)]
    assert sorted(fates) == sorted(chunk.id for chunk in new)
    assert all(known.get(chunk.id) in (None, "STAGED") for chunk in result.added)
    assert all(known[chunk.id] == "LIVE" for chunk in result.kept)
    assert all(known[chunk.id] == "RETIRED" for chunk in result.revived)
    gone = set(known) - set(fates)
    assert set(result.retired) == {key for key in gone if known[key] == "LIVE"}
    assert set(result.dropped) == {key for key in gone if known[key] == "STAGED"}


def test_other_documents_never_share_ids() -> None:
    one = name_chunks(DOCUMENT, [Chunk(0, 0, 0, 1, "a")])
    other = name_chunks(DOCUMENT.replace("1", "2"), [Chunk(0, 0, 0, 1, "a")])
    assert one[0].id != other[0].id
