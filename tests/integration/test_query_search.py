"""A search over a real manifest and text index: scope, arms, fusion, grouping, paging, degradation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from query_library import Library, Piece

from findspot.errors import FailedPrecondition, FindspotError, InvalidArgument, NotFound, Reason, Unavailable
from findspot.model import EVERYTHING, Caller, ChunkKind
from findspot_query.answer import SearchAnswer
from findspot_query.parse import ScopeQualifier
from findspot_query.request import (
    Filters,
    Formula,
    Fusion,
    GroupBy,
    OffsetUnit,
    Scope,
    SearchMode,
    SearchRequest,
    View,
)
from findspot_query.search import SearchSources, search
from findspot_query.strength import Strength
from findspot_query.trace import Disposition, TraceCollector


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.close()


async def ask(library: Library, query: str, **values: Any) -> SearchAnswer:
    caller = values.pop("caller", EVERYTHING)
    sources = values.pop("sources", None) or library.searching()
    return await search(caller, SearchRequest(query, **values), sources)


def files(answer: SearchAnswer) -> list[str]:
    return [result.hit.chunk.file_path for result in answer.results]


async def test_each_arm_finds_what_only_it_can(library: Library) -> None:
    library.add("acme", "a.md", "a new automobile for the city")
    library.add("acme", "b.md", "how to bake bread")
    text = await ask(library, "car", mode=SearchMode.TEXT)
    assert (text.count, text.results) == (0, ())
    assert text.strength is Strength.NONE
    meaning = await ask(library, "car", mode=SearchMode.SEMANTIC)
    assert files(meaning)[0] == "a.md"
    both = await ask(library, "new car")
    best = both.results[0].hit.candidate
    assert (best.text_rank, best.vector_rank) == (1, 1)
    assert best.similarity is not None
    assert both.identity is not None
    assert both.strength is Strength.STRONG


async def test_documents_are_answered_once_with_their_chain(library: Library) -> None:
    long = library.add("acme", "long.md", "apple pie", "pear tart", "apple cake", "apple apple juice")
    library.add("acme", "short.md", "one apple among pears and plums and other fruit")
    answer = await ask(library, "apple", mode=SearchMode.TEXT)
    assert answer.count == 2
    result = answer.results[0]
    assert result.chain is not None
    assert result.chain.chain_id == long
    assert (result.chain.chunks_matched, result.chain.total_chunks) == (3, 4)
    assert sorted(result.chain.matched_chunk_indices) == [0, 2, 3]
    assert result.chain.best_chunk_sequence == result.hit.chunk.chunk_index
    assert result.more == ()
    more = await ask(library, "apple", mode=SearchMode.TEXT, max_per_group=2)
    assert [len(found.more) for found in more.results] == [1, 0]
    expanded = await ask(library, "apple", mode=SearchMode.TEXT, expand=True)
    assert len(expanded.results[0].more) == 2
    single = await ask(library, "apple", mode=SearchMode.TEXT, group_by=GroupBy.NONE)
    assert single.count == 4
    assert all(found.chain is None for found in single.results)


async def test_one_result_a_section(library: Library) -> None:
    library.add("acme", "a.md", Piece("apple one"), Piece("apple two"), Piece("apple three", section=1))
    answer = await ask(library, "apple", group_by=GroupBy.SECTION)
    assert answer.count == 2


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(), {"root", "team", "deep", "other", "bc"}),
        (Scope(target="a/b"), {"team", "deep"}),
        (Scope(target="@/a/b/"), {"team", "deep"}),
        (Scope(target="a/b", qualifier=ScopeQualifier.EXACT), {"team"}),
        (Scope(target="a/b/c", qualifier=ScopeQualifier.ANCESTORS), {"root", "team", "deep"}),
        (Scope(anchor="a/b/c/not/there"), {"root", "team", "deep"}),
        (Scope(anchor="a"), {"root"}),
    ],
)
async def test_scopes(library: Library, scope: Scope, expected: set[str]) -> None:
    for path, name in (("a", "root"), ("a/b", "team"), ("a/b/c", "deep"), ("a/bc", "bc"), ("z", "other")):
        library.add(path, name, "the word")
    for mode in SearchMode:
        assert set(files(await ask(library, "word", scope=scope, mode=mode))) == expected


async def test_a_namespace_in_the_query_overrides_the_scope(library: Library) -> None:
    library.add("a", "root", "the word")
    library.add("a/b", "team", "the word")
    answer = await ask(library, "word namespace:a/b", scope=Scope(anchor="a"))
    assert files(answer) == ["team"]
    assert answer.understood.collections == ("a/b",)
    assert files(await ask(library, "word namespace:a scope:exact")) == ["root"]


async def test_nowhere_to_look(library: Library) -> None:
    library.add("a", "root", "the word")
    for scope in (Scope(anchor=" @/ "), Scope(anchor="nowhere")):
        answer = await ask(library, "word", scope=scope)
        assert (answer.searched, answer.count, answer.failure) == (False, None, None)
        assert answer.hint
    with pytest.raises(NotFound) as caught:
        await ask(library, "word", scope=Scope(target="nowhere"))
    assert caught.value.reason is Reason.COLLECTION_NOT_FOUND


async def test_what_a_caller_may_not_see_is_not_there(library: Library) -> None:
    library.add("mine/notes", "mine", "the word")
    library.add("theirs", "theirs", "the word word word")
    caller = Caller("me", ("mine",), "reader")
    for mode in SearchMode:
        answer = await ask(library, "word", caller=caller, mode=mode)
        assert (files(answer), answer.count, answer.coverage.live_chunks) == (["mine"], 1, 1)
    with pytest.raises(NotFound):
        await ask(library, "word", caller=caller, scope=Scope(target="theirs"))
    assert files(await ask(library, "word", caller=caller, scope=Scope(target="mine"))) == ["mine"]
    assert (await ask(library, "word", caller=Caller("nobody", ()))).count == 0


@pytest.mark.parametrize("mode", list(SearchMode))
async def test_phrases_and_exclusions_are_hard_in_both_arms(library: Library, mode: SearchMode) -> None:
    library.add("a", "a", "the night watch stood")
    library.add("a", "b", "a watch at night")
    assert files(await ask(library, '"night watch"', mode=mode)) == ["a"]
    found = await ask(library, "night -stood", mode=mode)
    assert files(found) == ["b"]
    assert found.filtered_out == (0 if mode is SearchMode.TEXT else 1)


@pytest.mark.parametrize("mode", list(SearchMode))
@pytest.mark.parametrize(
    ("filters", "query", "expected"),
    [
        (Filters(), "word kind:table", {"table"}),
        (Filters(kinds=(ChunkKind.TABLE,)), "word kind:section", set()),
        (Filters(kinds=(ChunkKind.CODE,)), "word", {"code", "fenced"}),
        (Filters(languages=("python",)), "word", {"code"}),
        (Filters(), "word path:docs/**", {"docs/deep/prose"}),
        (Filters(path_globs=(("docs/**",),)), "word path:code", set()),
        (Filters(exclude_paths=("docs/**", "c*")), "word", {"table", "fenced"}),
        (Filters(document_types=("markdown",)), "word", {"table"}),
        (Filters(metadata=(("team", "red"),)), "word", {"table"}),
        (Filters(modified_from=100, modified_to=200), "word", {"table"}),
        (Filters(document_ids=()), "word", set()),
    ],
)
async def test_filters(
    library: Library, mode: SearchMode, filters: Filters, query: str, expected: set[str]
) -> None:
    library.add("a", "docs/deep/prose", "the word")
    library.add("a", "code", Piece("word = 1", kind="code", language="python"))
    library.add("a", "fenced", Piece("a word with a fence", contains_code=True))
    library.add(
        "a",
        "table",
        Piece("word | other", kind="table"),
        document_type="markdown",
        metadata={"team": "red"},
        source_modified_at=100_000_000,
    )
    assert set(files(await ask(library, query, filters=filters, mode=mode))) == expected


async def test_code_comes_before_prose_with_code(library: Library) -> None:
    library.add("a", "fenced", Piece("word word word", contains_code=True))
    library.add("a", "code", Piece("x = word", kind="code"))
    answer = await ask(library, "word", filters=Filters(kinds=(ChunkKind.CODE,)))
    assert files(answer) == ["code", "fenced"]
    scores = [found.hit.candidate.score for found in answer.results]
    assert scores == sorted(scores, reverse=True)


async def test_a_shared_identifier_lifts_code(library: Library) -> None:
    library.add("a", "prose", "parse_http_config parse_http_config is what to call")
    library.add(
        "a", "code", Piece("def parseHTTPConfig(): ...", kind="code", identifiers=("parseHTTPConfig",))
    )
    best = (await ask(library, "parse_http_config", mode=SearchMode.TEXT)).results[0].hit
    assert (best.chunk.file_path, best.candidate.identifier_match) == ("code", True)


async def test_thresholds_are_per_arm(library: Library) -> None:
    library.add("a", "a", "apple pie with cream")
    library.add("a", "b", "something else entirely")
    near = await ask(library, "apple pie with cream", mode=SearchMode.SEMANTIC, min_similarity=0.9)
    assert (files(near), near.below_threshold) == (["a"], 1)
    assert (await ask(library, "apple", mode=SearchMode.TEXT, min_text_score=99.0)).below_threshold == 1
    # Below the threshold of one arm it is still a candidate of the other, without a rank in the first.
    both = await ask(library, "apple", min_similarity=1.0)
    assert files(both) == ["a"]
    assert both.results[0].hit.candidate.vector_rank is None


async def test_retired_chunks_are_dropped_before_ranks_are_given(library: Library) -> None:
    gone = library.add("a", "gone", "word word word")
    library.add("a", "here", "a word among others")
    library.retire(*library.chunk_ids(gone))
    answer = await ask(library, "word")
    assert (files(answer), answer.not_live) == (["here"], 1)
    assert answer.results[0].hit.candidate.text_rank == 1


async def test_the_window_grows_until_there_are_enough_groups(library: Library) -> None:
    library.add("a", "big", *[f"apple apple apple number {number}" for number in range(60)])
    for number in range(5):
        library.add("a", f"small{number}", "one apple among many other words that make it longer")
    sources = library.searching(first=10, most=1_000)
    answer = await ask(library, "apple", page_size=5, mode=SearchMode.TEXT, sources=sources)
    assert len(answer.results) == 5
    short = await ask(
        library, "apple", page_size=5, mode=SearchMode.TEXT, sources=library.searching(first=10, most=10)
    )
    assert (len(short.results), short.count_is_lower_bound) == (1, True)
    assert short.results[0].chain is not None
    assert short.results[0].chain.is_lower_bound


async def collect(
    library: Library, sources: list[SearchSources], size: int, **values: Any
) -> list[tuple[int, str]]:
    seen, token, turn = [], "", 0
    while True:
        answer = await ask(
            library, "apple", page_size=size, page_token=token, sources=sources[turn % len(sources)], **values
        )
        seen += [(result.rank, result.hit.chunk.id) for result in answer.results]
        token, turn = answer.next_page_token, turn + 1
        if not token:
            return seen


@pytest.mark.parametrize("group_by", list(GroupBy))
async def test_pages_give_every_result_once_on_any_replica(library: Library, group_by: GroupBy) -> None:
    for number in range(11):
        library.add("a", f"f{number}", f"apple {number}", Piece(f"more apple {number}", section=1))
    whole = await collect(library, [library.searching()], 200, group_by=group_by)
    assert [rank for rank, _ in whole] == list(range(1, len(whole) + 1))
    one = library.searching()
    assert await collect(library, [one], 4, group_by=group_by) == whole
    replicas = [library.searching(), library.searching(), library.searching()]
    assert await collect(library, replicas, 4, group_by=group_by) == whole


async def test_later_pages_are_pinned_when_the_index_changes(library: Library) -> None:
    for number in range(6):
        library.add("a", f"f{number}", f"apple {number}")
    first = await ask(library, "apple", page_size=3)
    library.add("a", "new", "apple apple apple")
    dropped = library.add("a", "newer", "apple")
    library.retire(*library.chunk_ids(dropped))
    second = await ask(library, "apple", page_size=3, page_token=first.next_page_token)
    assert sorted(files(first) + files(second)) == [f"f{number}" for number in range(6)]
    assert [result.rank for result in second.results] == [4, 5, 6]
    assert (first.count, second.count) == (6, 6)
    assert all(result.hit.candidate.text_rank is not None for result in second.results)


async def test_the_next_page_costs_no_second_retrieval(library: Library) -> None:
    for number in range(6):
        library.add("a", f"f{number}", f"apple {number}")
    sources = library.searching()
    first = await ask(library, "apple", page_size=3, sources=sources)
    await ask(library, "apple", page_size=3, page_token=first.next_page_token, sources=sources)
    assert len(library.vectors.asked) == 1


async def test_a_page_token_is_good_for_its_request_only(library: Library) -> None:
    for number in range(4):
        library.add("a", f"f{number}", f"apple {number}")
    token = (await ask(library, "apple", page_size=2)).next_page_token
    for changed in (
        {"query": "apples"},
        {"mode": SearchMode.TEXT},
        {"caller": Caller("other")},
        {"page_token": token[:-2]},
    ):
        values: dict[str, Any] = {"query": "apple", "page_size": 2, "page_token": token, **changed}
        with pytest.raises(InvalidArgument) as caught:
            await ask(library, values.pop("query"), **values)
        assert caught.value.reason is Reason.PAGE_TOKEN_INVALID


@pytest.mark.parametrize(
    ("error", "name", "fixed_by"),
    [
        (Unavailable("no", reason=Reason.EMBEDDING_UNAVAILABLE), "embedding-unavailable", "retry"),
        (Unavailable("gone", reason=Reason.SERVICE_UNAVAILABLE), "embedding-unavailable", "retry"),
        (
            Unavailable("key", reason=Reason.EMBEDDING_CREDENTIAL_REJECTED),
            "embedding-credential-rejected",
            "operator",
        ),
        (
            InvalidArgument("shape", reason=Reason.EMBEDDING_REQUEST_REJECTED),
            "embedding-request-rejected",
            "developer",
        ),
        (FailedPrecondition("none", reason=Reason.SEARCH_NOT_PERFORMED), "search-not-performed", "nobody"),
    ],
)
async def test_without_a_query_vector(
    library: Library, error: FindspotError, name: str, fixed_by: str
) -> None:
    library.add("a", "a", "apple")
    library.embedder.error = error
    hybrid = await ask(library, "apple")
    assert (hybrid.searched, hybrid.count, files(hybrid)) == (True, 1, ["a"])
    (lost,) = hybrid.degradations
    assert (lost.arm, lost.effective_mode, lost.failure.name, lost.failure.fixed_by) == (
        "vector",
        "text",
        name,
        fixed_by,
    )
    assert hybrid.identity is None
    assert hybrid.results[0].hit.candidate.vector_rank is None
    semantic = await ask(library, "apple", mode=SearchMode.SEMANTIC)
    assert (semantic.searched, semantic.count, semantic.results) == (False, None, ())
    assert semantic.failure is not None
    assert (semantic.failure.name, semantic.failure.message) == (name, error.message)
    assert (await ask(library, "apple", mode=SearchMode.TEXT)).degradations == ()


async def test_without_the_text_index(library: Library) -> None:
    library.add("a", "a", "apple")
    library.commit()
    library.writer.close()
    (library.data / "text" / "v1" / "meta.json").unlink()
    sources = library.searching()
    hybrid = await ask(library, "apple", sources=sources)
    assert files(hybrid) == ["a"]
    assert [(lost.arm, lost.failure.name) for lost in hybrid.degradations] == [
        ("text", "text-index-unavailable")
    ]
    text = await ask(library, "apple", mode=SearchMode.TEXT, sources=sources)
    assert (text.searched, text.count) == (False, None)
    library.vectors.error = Unavailable("down", reason=Reason.VECTOR_STORE_UNAVAILABLE)
    with pytest.raises(Unavailable) as caught:
        await ask(library, "apple", sources=sources)
    assert caught.value.metadata == {"text": "text-index-unavailable", "vector": "vector-store-unavailable"}


async def test_nothing_indexed_is_an_empty_answer_not_a_failed_one(library: Library) -> None:
    answer = await ask(library, "apple")
    assert (answer.searched, answer.count, answer.degradations) == (True, 0, ())
    assert answer.coverage.live_chunks == 0


async def test_cancellation_is_passed_on(library: Library) -> None:
    library.add("a", "a", "apple")
    library.embedder.hold = asyncio.Event()
    running = asyncio.ensure_future(ask(library, "apple"))
    await library.embedder.asked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    library.embedder.hold.set()
    assert (await ask(library, "apple")).count == 1


async def test_more_searches_than_connections_do_not_block_each_other(library: Library) -> None:
    library.add("a", "a", "apple")
    sources = library.searching()
    library.embedder.hold = asyncio.Event()
    running = [asyncio.ensure_future(ask(library, "apple", sources=sources)) for _ in range(40)]
    await library.embedder.asked.wait()
    library.embedder.hold.set()
    assert {answer.count for answer in await asyncio.gather(*running)} == {1}


async def test_coverage_and_revision(library: Library) -> None:
    library.add("a", "a", "apple", "pear")
    library.add("a", "b", "apple", vectors=False)
    answer = await ask(library, "apple")
    assert (answer.coverage.live_chunks, answer.coverage.embedded_chunks) == (3, 2)
    with pytest.raises(Unavailable) as caught:
        await ask(library, "apple", min_revision=answer.revision + 1)
    assert caught.value.reason is Reason.REVISION_NOT_VISIBLE
    assert caught.value.retry_after
    assert (await ask(library, "apple", min_revision=answer.revision)).revision == answer.revision


@pytest.mark.parametrize("query", ["", "  \n", "\u200b", "namespace:a", "kind:code", "??? kind:code"])
async def test_a_query_without_words_is_refused(library: Library, query: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await ask(library, query)
    assert caught.value.reason is Reason.QUERY_BLANK


@pytest.mark.parametrize("mode", list(SearchMode))
@pytest.mark.parametrize("query", ["???", '"', "'", '""', "(", "*", "&&", "\\", "\0", "- -"])
async def test_punctuation_alone_is_searched_and_finds_nothing(
    library: Library, query: str, mode: SearchMode
) -> None:
    library.add("a", "a", "what? (yes) * 'no' \"perhaps\" + &&")
    answer = await ask(library, query, mode=mode)
    assert (answer.searched, answer.count, answer.results, answer.failure) == (True, 0, (), None)
    assert "no word" in answer.hint


async def test_limits_are_named(library: Library) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await ask(library, "x" * 8_193)
    assert caught.value.reason is Reason.QUERY_TOO_LONG
    assert (await ask(library, "long " * 1_638)).searched
    with pytest.raises(InvalidArgument) as refused:
        await ask(library, "x", page_size=-1, neighbors=4, fusion=Fusion(k=0))
    assert [found.field for found in refused.value.fields] == ["page_size", "neighbors", "fusion.k"]


async def test_a_query_of_exclusions_is_plain_text(library: Library) -> None:
    library.add("a", "a", "apple")
    assert files(await ask(library, "-apple", mode=SearchMode.TEXT)) == ["a"]


@pytest.mark.parametrize("formula", list(Formula))
async def test_every_formula_ranks_what_both_arms_like_first(library: Library, formula: Formula) -> None:
    library.add("a", "both", "apple pie recipe")
    library.add("a", "text", "apple and a great many other words that are not in it")
    library.add("a", "none", "motor oil")
    assert files(await ask(library, "apple pie recipe", fusion=Fusion(formula)))[0] == "both"


async def test_views_and_neighbours(library: Library) -> None:
    library.add(
        "a",
        "a.md",
        Piece("first part of it. shared"),
        Piece("shared target words. common", overlap=len("shared")),
        Piece("common last part", overlap=len("common")),
        Piece("another section", section=1),
    )
    answer = await ask(library, "target", mode=SearchMode.TEXT, view=View.SECTION, neighbors=3)
    hit = answer.results[0].hit
    assert [near.text for near in hit.before] == ["first part of it. "]
    assert [near.text for near in hit.after] == [" last part"]
    assert hit.section is not None
    assert hit.section.text == "".join(
        [*(n.text for n in hit.before), hit.chunk.text, *(n.text for n in hit.after)]
    )
    assert not hit.section.cut


async def test_ranges_come_in_the_unit_asked_for(library: Library) -> None:
    library.add("a", "a.md", "äöü 🎉 first", "zweites Wörtchen gefunden")
    hit = (
        (await ask(library, "gefunden", mode=SearchMode.TEXT, offset_unit=OffsetUnit.UTF8_BYTE))
        .results[0]
        .hit
    )
    text = "äöü 🎉 first\n\nzweites Wörtchen gefunden".encode()
    assert text[hit.range.start : hit.range.end].decode() == hit.chunk.text
    (mark,) = hit.snippet.highlights
    assert hit.snippet.text.encode()[mark.start : mark.end] == b"gefunden"


async def test_the_trace_is_of_the_search_that_ran(library: Library) -> None:
    for number in range(5):
        library.add("a", f"f{number}", f"apple {number}", "apple again")
    gone = library.add("a", "gone", "apple")
    library.retire(*library.chunk_ids(gone))
    request = SearchRequest("apple", page_size=2)
    trace = TraceCollector()
    traced = await search(EVERYTHING, request, library.searching(), trace)
    plain = await search(EVERYTHING, request, library.searching())
    assert traced.results == plain.results
    names = [stage.name for stage in trace.stages]
    assert names == ["parse", "scope", "arms", "live", "filter", "threshold", "fuse", "group", "page"]
    fates = list(trace.dispositions.values())
    found = {hit.id for hit in (*trace.text_hits, *trace.vector_hits)}
    assert set(trace.dispositions) == found
    assert fates.count(Disposition.RETURNED) == 2
    assert fates.count(Disposition.NOT_IN_MANIFEST) == 1
    assert fates.count(Disposition.BEYOND_PAGE) == 3
    assert fates.count(Disposition.COLLAPSED) == 5
