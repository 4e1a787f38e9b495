"""Records that need a suite: their notation, and that nothing of them which the runner does not know is passed over."""

from __future__ import annotations

import pytest
from tests.conformance import fused
from tests.conformance.notation import described, files, spread
from tests.conformance.suite_case import Case, Done, Unknown
from tests.conformance.suite_checks import made
from tests.conformance.suite_records import needs_own, steps_of
from tests.conformance.suite_steps import search_options
from tests.e2e.suite_process import Suite

from findspot.client import AsyncClient
from findspot.errors import Internal, InvalidArgument
from findspot.v1 import query_pb2


def test_a_range_in_a_name_makes_files_whose_text_is_numbered() -> None:
    assert spread("a{9..11}.md") == [("a9.md", "9"), ("a10.md", "10"), ("a11.md", "11")]
    made_of = files(
        {"put": "w{1..2}.txt", "text": ["word {i}", {"repeat": "!", "times": 3}], "metadata": {"n": 1}}
    )
    assert [(file.name, file.data) for file in made_of] == [
        ("w1.txt", b"word 1!!!"),
        ("w2.txt", b"word 2!!!"),
    ]
    assert made_of[0].metadata == {"n": "1"}
    assert files({"put": "n.txt", "bytes_b64": "AAE="})[0].data == b"\0\1"
    assert [file.name for file in files({"put": "v{i}.txt", "times": 2, "text": "x"})] == ["v1.txt", "v2.txt"]


def test_documents_are_made_as_a_sentence_says() -> None:
    tagged = described("20 documents about valves with tag=a; 5 documents about seats with tag=b")
    assert [file.metadata["tag"] for file in tagged] == ["a"] * 20 + ["b"] * 5
    assert b"seats" in tagged[-1].data
    assert b"valve" not in tagged[-1].data
    long = described("30 chunks, ten of them 8000 characters")
    assert sorted(len(file.data) >= 8000 for file in long) == [False] * 20 + [True] * 10
    with pytest.raises(LookupError, match="a few gnus"):
        described("3 documents; a few gnus")


def test_every_kind_of_input_becomes_steps() -> None:
    def verbs(source: dict[str, object]) -> list[str]:
        return [verb for verb, _ in steps_of(source)]

    document = {"name": "a.txt", "text": ["a"]}
    assert verbs({"op": "index_search", "docs": [document], "query": "a"}) == ["put", "search"]
    assert verbs({"op": "search", "docs": [document], "queries": ["a", "b"]}) == ["put", "search", "search"]
    assert verbs({"op": "index", "docs_gen": "3 documents"}) == ["put_files"]
    assert verbs({"op": "concurrent", "calls": [{"put": "w{1..3}.txt", "text": "x"}, {"delete": "w1.txt"}]}) == [
        "put", "put", "put", "delete",
    ]  # fmt: skip
    assert verbs({"op": "embed", "text": "x"}) == ["embed"]
    assert verbs({"op": "rpc", "call": "IndexDocument", "bytes": 1}) == ["put_bytes"]


def test_what_is_unknown_is_named() -> None:
    with pytest.raises(Unknown, match="levitate"):
        list(steps_of({"op": "lifecycle", "steps": [{"levitate": "a.txt"}]}))
    with pytest.raises(Unknown, match="sideways"):
        search_options({"sideways": True})
    with pytest.raises(Unknown, match="DoNothing"):
        list(steps_of({"op": "rpc", "call": "DoNothing", "bytes": 1}))


async def test_checks_hold_and_miss(case: Case) -> None:
    assert await made(case, {"check": "is_blue"}) == "this runner does not know the check 'is_blue'"
    case.done = [searched("violet lighthouse", "a.txt", "the violet lighthouse")]
    assert await made(case, {"check": "hit", "doc": "a.txt"}) == ""
    assert await made(case, {"check": "hit", "doc": "b.txt", "step": 0}) != ""
    assert await made(case, {"check": "no_hit", "step": 0}) != ""
    assert await made(case, {"check": "no_hit_doc", "step": 0, "doc": "a.txt"}) != ""
    assert await made(case, {"check": "distinct_docs", "value": 1}) == ""
    assert await made(case, {"check": "hits", "value": 2}) != ""
    assert await made(case, {"check": "hits", "min": 1, "max": 2}) == ""
    assert await made(case, {"check": "hits", "min": 2}) != ""
    assert await made(case, {"check": "unique_hits"}) == ""
    assert await made(case, {"check": "degraded_or_hit"}) == ""
    case.done = [searched("violet lighthouse", "a.txt", "kept words")]
    assert await made(case, {"check": "no_hit", "step": 0}) == ""
    case.deleted.add("a.txt")
    assert await made(case, {"check": "no_hit", "step": 0}) != ""
    case.done[0].failures.append(Internal("broke"))
    assert await made(case, {"check": "no_error"}) == "Internal: broke"
    assert await made(case, {"check": "no_internal_error"}) == "search: broke"
    assert await made(case, {"check": "error", "code": "INVALID_ARGUMENT", "step": 0}) == "Internal: broke"
    case.done[0].failures = [InvalidArgument("blank")]
    assert await made(case, {"check": "error", "code": "INVALID_ARGUMENT", "step": 0}) == ""
    assert await made(case, {"check": "ok_or_code", "codes": ["RESOURCE_EXHAUSTED"]}) != ""


async def test_a_walk_has_to_meet_every_number_once(case: Case) -> None:
    whole = [chunk(0, 3, None, 1), chunk(1, 3, 0, 2), chunk(2, 3, 1, None)]
    case.done = [Done("walk", {"walk": "g.txt"}, walked=whole)]
    assert await made(case, {"check": "walk_contiguous"}) == ""
    for wrong in (whole[:2], [whole[0], whole[2]], whole[1:], [], [*whole[:2], chunk(2, 3, 0, None)]):
        case.done = [Done("walk", {"walk": "g.txt"}, walked=wrong)]
        assert await made(case, {"check": "walk_contiguous"}) != ""


def test_only_records_that_disturb_others_get_a_suite_of_their_own() -> None:
    assert needs_own({"input": {"steps": [{"put": "a"}, {"restart_with": {"dim": 8}}]}})
    assert not needs_own({"input": {"steps": [{"put": "a"}, {"search": "restart_with"}]}})


def test_an_order_that_changes_would_be_seen() -> None:
    tie = {"k": 60, "arms": {"vector": ["d1", "d2"], "text": ["d2", "d1"]}}
    assert fused.order(tie) == ["d1", "d2"]
    assert fused.wrong(tie, {"check": "same_order_every_time"}) == ""
    assert fused.wrong(tie, {"check": "order", "value": ["d2", "d1"]}) != ""
    assert "shuffled" in fused.wrong(tie, {"check": "shuffled"})


@pytest.fixture
async def case(tmp_path) -> Case:  # type: ignore[no-untyped-def]
    return Case(Suite(tmp_path, {}), AsyncClient(), "cases/b000")


def searched(query: str, name: str, text: str) -> Done:
    answer = query_pb2.SearchResponse(
        searched=True,
        results=[query_pb2.SearchResult(hit=query_pb2.SearchHit(file_path=name, snippet=text))],
    )
    return Done("search", {"search": query}, answers=dict.fromkeys(("asked", "text", "semantic"), answer))


def chunk(index: int, total: int, before: int | None, after: int | None) -> query_pb2.GetChunkResponse:
    return query_pb2.GetChunkResponse(
        found=True,
        chunk=query_pb2.Chunk(chunk_index=index),
        total_chunks=total,
        prev_index=before,
        next_index=after,
    )
