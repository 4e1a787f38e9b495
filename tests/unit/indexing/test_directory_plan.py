"""What a directory and its documents differ in: every file and every document has exactly one part in the plan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.errors import Reason
from findspot_indexing.directories.plan import (
    KnownFile,
    StoredFile,
    known_hashes,
    plan,
    prune_problem,
)
from findspot_indexing.directories.reading import FileFacts
from findspot_indexing.directories.scope import WHOLE, Scope, folders_of
from findspot_indexing.directories.seen import Refusal, Seen, SeenFile

NAMES = st.sampled_from("abc")
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
CONTENTS = st.sampled_from("xyz")
TREES = st.dictionaries(PATHS, CONTENTS, max_size=8)
SECOND = 1_000_000_000


def facts(inode: int = 1, modified: int = 0, size: int = 1) -> FileFacts:
    return FileFacts(size, modified, modified, inode)


def seen_of(
    paths: dict[str, FileFacts],
    *,
    refused: tuple[str, ...] = (),
    unreadable: tuple[str, ...] = (),
    empty: bool = False,
) -> Seen:
    return Seen(
        "/tree", WHOLE, {path: SeenFile(path, path, found) for path, found in paths.items()},
        tuple(Refusal(path, "X", "x") for path in refused), tuple(Refusal(path, "X", "x") for path in unreadable),
        0, (), empty,
    )  # fmt: skip


def stored_of(tree: dict[str, str]) -> list[StoredFile]:
    return [StoredFile(f"id-{path}", path, content) for path, content in tree.items()]


@given(TREES, TREES, st.sets(PATHS, max_size=2), st.sets(PATHS, max_size=2), st.sets(PATHS, max_size=2))
def test_every_file_and_every_document_has_one_part(
    now: dict[str, str], before: dict[str, str], refused: set[str], unreadable: set[str], unread: set[str]
) -> None:
    refused -= now.keys()
    seen = seen_of({path: facts() for path in now}, refused=tuple(refused), unreadable=tuple(unreadable))
    hashes = {path: content for path, content in now.items() if path not in unread}
    done = plan(seen, hashes, stored_of(before))

    targets = [move.file_path for move in done.moved]
    assert sorted([*done.added, *done.changed, *done.unchanged, *targets]) == sorted(hashes)
    left = [move.document.file_path for move in done.moved] + [gone.file_path for gone in done.pruned]
    hidden = {p for p in before if p in unreadable or unreadable.intersection(folders_of(p))}
    assert sorted(left) == sorted(before.keys() - now.keys() - refused - hidden)
    assert all(before[path] == now[path] for path in done.unchanged)
    assert all(before[path] != now[path] for path in done.changed)
    assert all(move.document.content_hash == now[move.file_path] for move in done.moved)
    # Whatever could have moved has moved: no new file has the bytes of a document that is pruned.
    assert not {gone.content_hash for gone in done.pruned} & {now[path] for path in done.added}


@given(TREES, TREES)
def test_the_same_plan_comes_of_any_order(now: dict[str, str], before: dict[str, str]) -> None:
    paths = {path: facts() for path in now}
    one = plan(seen_of(paths), now, stored_of(before))
    turned = dict(reversed(now.items()))
    other = plan(seen_of(dict(reversed(paths.items()))), turned, reversed(stored_of(before)))
    assert one == other


def test_of_several_equal_files_those_of_the_same_name_move_together() -> None:
    before = {"old/a": "x", "old/b": "x", "old/c": "x"}
    now = {"new/z": "x", "new/b": "x", "new/a": "x"}
    done = plan(seen_of({path: facts() for path in now}), now, stored_of(before))
    assert {move.document.file_path: move.file_path for move in done.moved} == {
        "old/a": "new/a", "old/b": "new/b", "old/c": "new/z"
    }  # fmt: skip


def test_a_document_keeps_its_path_while_there_is_a_file_under_it() -> None:
    # An editor's copy of what was there before is a new document, not the old one under another name.
    now = {"a": "new", "a.bak": "old"}
    done = plan(seen_of({path: facts() for path in now}), now, stored_of({"a": "old"}))
    assert (done.changed, done.added, done.moved) == (("a",), ("a.bak",), ())


def test_a_failed_document_is_tried_again_only_when_asked_and_only_when_it_may_help() -> None:
    stored = [
        StoredFile("1", "a", "x", "FAILED", "EXTRACTION_TIMEOUT"),
        StoredFile("2", "b", "x", "FAILED", "DOCUMENT_CORRUPT"),
    ]
    seen, hashes = seen_of({"a": facts(), "b": facts()}), {"a": "x", "b": "x"}
    assert plan(seen, hashes, stored).changed == ()
    assert plan(seen, hashes, stored, retry_failed=True).changed == ("a",)


def test_only_files_that_were_settled_when_they_were_seen_need_not_be_read() -> None:
    long_ago, at = 100 * SECOND, 200 * SECOND
    known = {
        "same": KnownFile(facts(1, long_ago), "h1", at // 1000),
        "racy": KnownFile(facts(2, at - SECOND), "h2", at // 1000),
        "edited": KnownFile(facts(3, long_ago), "h3", at // 1000),
        "before": KnownFile(facts(4, long_ago), "h4", at // 1000),
        "racy-before": KnownFile(facts(5, at), "h5", at // 1000),
    }
    now = {
        "same": facts(1, long_ago), "racy": facts(2, at - SECOND), "edited": facts(3, long_ago, size=2),
        "after": FileFacts(1, long_ago, at, 4), "racy-after": facts(5, at), "new": facts(6, long_ago),
    }  # fmt: skip
    assert known_hashes(seen_of(now), known) == {"same": "h1", "after": "h4"}
    # An edit that sets the time of modification back moves the other one.
    assert known_hashes(seen_of({"same": FileFacts(1, long_ago, at, 1)}), known) == {}


@pytest.mark.parametrize(
    ("gone", "live", "confirmed", "empty", "reason"),
    [
        (0, 0, False, True, None),
        (2, 4, False, False, None),
        (3, 5, False, False, Reason.PRUNE_NEEDS_CONFIRMATION),
        (1, 1, False, False, Reason.PRUNE_NEEDS_CONFIRMATION),
        (5, 5, True, False, None),
        (5, 5, True, True, Reason.SOURCE_UNREADABLE),
    ],
)
def test_more_than_half_asks_and_an_empty_root_prunes_nothing(
    gone: int, live: int, confirmed: bool, empty: bool, reason: Reason | None
) -> None:
    seen = seen_of({}, empty=empty)
    done = plan(seen, {}, stored_of({str(number): "x" for number in range(gone)}))
    problem = prune_problem(seen, done, live, confirmed=confirmed)
    assert (problem.reason if problem else None) is reason
    if reason is Reason.PRUNE_NEEDS_CONFIRMATION:
        assert problem is not None
        assert problem.metadata == {"pruned": str(gone), "documents": str(live)}


def test_a_scope_holds_what_lies_below_it_and_touches_the_way_there() -> None:
    scope = Scope.of(["a/b", "c"])
    assert [scope.holds(path) for path in ("a/b", "a/b/x/y", "a", "a/bc", "c", "cc")] == [
        True, True, False, False, True, False
    ]  # fmt: skip
    assert [scope.touches(path) for path in ("a", "a/b/x", "a/d", "b")] == [True, True, False, False]
    assert WHOLE.holds("anything")
