"""Collections and documents as callers see them: made once, changed by etag, listed page by page."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from indexing_fakes import Desk

from findspot.configured_types import configured_types
from findspot.errors import Aborted, AlreadyExists, InvalidArgument, NotFound, Reason
from findspot.model import EVERYTHING, Caller
from findspot_indexing import collections, documents, removal
from findspot_indexing.collections import CollectionSettings
from findspot_indexing.documents import DocumentName

pytestmark = pytest.mark.both_manifests

PLAIN = CollectionSettings()


async def test_a_collection_is_made_once(still: Desk) -> None:
    request = str(uuid.uuid4())
    made = await collections.create(EVERYTHING, still.indexing, "acme/a", PLAIN, request)
    again = await collections.create(EVERYTHING, still.indexing, "acme/a", PLAIN, request)
    assert again.collection.id == made.collection.id
    with pytest.raises(AlreadyExists) as taken:
        await collections.create(EVERYTHING, still.indexing, "acme/a", PLAIN)
    assert taken.value.reason is Reason.COLLECTION_EXISTS


async def test_an_update_changes_the_etag_and_refuses_an_old_one(still: Desk) -> None:
    made = await collections.create(EVERYTHING, still.indexing, "acme/a", PLAIN)
    changed = CollectionSettings(profile_overrides={"markdown": {"size": 500}})
    first = made.collection.etag
    updated = await collections.update(EVERYTHING, still.indexing, "acme/a", changed, first)
    assert updated.collection.etag != first
    assert updated.collection.settings.profile_overrides == {"markdown": {"size": 500}}
    for attempt in (
        collections.update(EVERYTHING, still.indexing, "acme/a", PLAIN, first),
        collections.remove(EVERYTHING, still.indexing, "acme/a", etag=first),
    ):
        with pytest.raises(Aborted) as refused:
            await attempt
        assert refused.value.reason is Reason.ETAG_MISMATCH
    await collections.remove(EVERYTHING, still.indexing, "acme/a", etag=updated.collection.etag)
    with pytest.raises(NotFound):
        await collections.get(EVERYTHING, still.indexing, "acme/a")


async def test_settings_are_checked_as_a_whole(still: Desk) -> None:
    bad = CollectionSettings(
        "DIRECTORY",
        "relative/../path",
        profile_overrides={"markdown": {"size": 49, "overlap": 49, "token_cap": 3}, "scroll": {}},
    )
    with pytest.raises(InvalidArgument) as refused:
        await collections.create(EVERYTHING, still.indexing, "acme/a", bad)
    assert {violation.field for violation in refused.value.fields} == {
        "source.directory.root",
        "profile_overrides[markdown].size",
        "profile_overrides[markdown].overlap",
        "profile_overrides[markdown].token_cap",
        "profile_overrides[scroll]",
    }


async def test_a_configured_type_may_be_cut_in_another_way(still: Desk) -> None:
    settings = CollectionSettings(profile_overrides={"scroll": {"size": 500}})
    types = configured_types({"scroll": {"extensions": [".scroll"]}})
    knowing = replace(still.indexing, document_types=frozenset(types.profiles))
    made = await collections.create(EVERYTHING, knowing, "acme/a", settings)
    assert made.collection.settings.profile_overrides == {"scroll": {"size": 500}}


async def test_collections_are_listed_by_path_in_sight_and_in_scope(still: Desk) -> None:
    for path in ("b", "a/bc", "a", "a/b", "a/b/c"):
        await collections.create(EVERYTHING, still.indexing, path, PLAIN)

    async def paths(caller: Caller = EVERYTHING, subtree: str = "", size: int = 0) -> list[str]:
        found: list[str] = []
        token = ""
        while True:
            page, token = await collections.list_page(
                caller, still.indexing, subtree=subtree, size=size, token=token
            )
            found += [view.collection.path for view in page]
            if not token:
                return found

    assert await paths() == ["a", "a/b", "a/b/c", "a/bc", "b"]
    assert await paths(size=1) == ["a", "a/b", "a/b/c", "a/bc", "b"]
    assert await paths(subtree="a/b") == ["a/b", "a/b/c"]
    assert await paths(Caller("ann", ("a/b", "b"))) == ["a/b", "a/b/c", "b"]
    assert await paths(Caller("eve", ())) == []


async def test_documents_are_listed_page_by_page_without_gaps_or_repeats(still: Desk) -> None:
    wanted = []
    for collection in ("b", "a/b", "a"):
        for n in range(5):
            await still.put(f"f{n}", "x", collection=collection)
            wanted.append((collection, f"f{n}"))
    await removal.delete(EVERYTHING, still.indexing, DocumentName(collection="b", file_path="f0"))
    found, token, pages = [], "", 0
    while True:
        page, token = await documents.list_page(
            EVERYTHING, still.indexing, subtree="", states=(), size=4, token=token
        )
        found += [(view.document.collection_path, view.document.file_path) for view in page]
        pages += 1
        if not token:
            break
    assert found == sorted(wanted)[:10] + [("b", f"f{n}") for n in range(1, 5)]
    assert pages == 4


async def test_a_token_belongs_to_its_request_and_its_caller(still: Desk) -> None:
    for n in range(3):
        await still.put(f"f{n}", "x")
    _, token = await documents.list_page(EVERYTHING, still.indexing, subtree="", states=(), size=1, token="")
    for caller, subtree, given in (
        (EVERYTHING, "acme", token),
        (Caller("ann", ("acme",)), "", token),
        (EVERYTHING, "", token[:-3]),
        (EVERYTHING, "", "ä"),
    ):
        with pytest.raises(InvalidArgument) as refused:
            await documents.list_page(caller, still.indexing, subtree=subtree, states=(), size=1, token=given)
        assert refused.value.reason is Reason.PAGE_TOKEN_INVALID


async def test_sizes_of_pages_are_bounded(still: Desk) -> None:
    with pytest.raises(InvalidArgument, match="page_size is -1"):
        await documents.list_page(EVERYTHING, still.indexing, subtree="", states=(), size=-1, token="")
    page, _ = await documents.list_page(
        EVERYTHING, still.indexing, subtree="", states=(), size=10**6, token=""
    )
    assert page == []


async def test_documents_can_be_asked_for_by_state(desk: Desk) -> None:
    desk.extractor.always["bad.txt"] = InvalidArgument("no", reason=Reason.DOCUMENT_CORRUPT)
    await desk.put("bad.txt", "x")
    await desk.put("a.txt", "x")
    await desk.until(lambda: (desk.state("bad.txt"), desk.state("a.txt")) == ("FAILED", "INDEXED"))
    for state, path in (("FAILED", "bad.txt"), ("INDEXED", "a.txt")):
        page, _ = await documents.list_page(
            EVERYTHING, desk.indexing, subtree="acme", states=(state,), size=0, token=""
        )
        assert [view.document.file_path for view in page] == [path]
