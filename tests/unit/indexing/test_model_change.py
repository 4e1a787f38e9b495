"""Another model: filled beside the one that serves, switched to when nothing is missing, and the ways back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from indexing_fakes import IDENTITY, OTHER, QUICK, THIRD, Desk, FakeEmbedder, FakeVectors, desk_over, replace

from findspot.errors import FailedPrecondition, InvalidArgument, NotFound, Reason
from findspot.model import EVERYTHING, EmbeddingIdentity
from findspot.stores.vectors.names import collection_name
from findspot_indexing import choosing, removal
from findspot_indexing.checks import Outcome
from findspot_indexing.diagnose import diagnose
from findspot_indexing.documents import DocumentName
from findspot_indexing.embed.backfill import Backfill
from findspot_indexing.embed.batch import claim, embed
from findspot_indexing.status import status

DOCUMENTS = {f"{number}.txt": f"Alpha {number}.\n\nBeta {number}.\n\nShared." for number in range(6)}
TEXTS = len(DOCUMENTS) * 2 + 1
CHUNKS = len(DOCUMENTS) * 3


async def fill(desk: Desk) -> None:
    for path, text in DOCUMENTS.items():
        await desk.put(path, text)
    await desk.until(lambda: all(desk.state(path) == "INDEXED" for path in DOCUMENTS))


def states(desk: Desk) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in desk.rows("SELECT display, state FROM identities")}


def serves(desk: Desk, identity: EmbeddingIdentity) -> bool:
    return desk.rows("SELECT identity_key FROM active_identity") == [(identity.key,)]


def ids_of(desk: Desk, identity: EmbeddingIdentity) -> set[str]:
    return set(desk.vectors.points.get(collection_name(identity.key), {}))


def live(desk: Desk) -> set[str]:
    return {str(row[0]) for row in desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}


def whole(desk: Desk, identity: EmbeddingIdentity) -> bool:
    """The vector store holds exactly the live chunks, and the manifest says so."""
    ready = desk.rows(
        f"SELECT chunk_id FROM chunk_vectors WHERE identity = '{identity.key}' AND state = 'READY'"
    )
    return ids_of(desk, identity) >= live(desk) == {str(row[0]) for row in ready} and desk.counters_match()


@pytest.mark.both_manifests
async def test_another_model_is_filled_beside_the_one_that_serves_and_then_switched_to(
    tmp_path: Path,
) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    before = list(embedder.texts)
    embedder.identity, embedder.also = OTHER, (IDENTITY,)
    embedder.gates[OTHER.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("new.txt", "While it is filled.")
        # The gate is shut: what serves is complete all the same.
        await desk.until(lambda: desk.state("new.txt") == "INDEXED")
        assert states(desk) == {"fake@8": "ACTIVE", "other@12": "FILLING"}
        assert serves(desk, IDENTITY)
        seen = {one.identity.display: one for one in (await status(EVERYTHING, desk.indexing)).identities}
        assert (seen["fake@8"].embedded, seen["fake@8"].pending, seen["fake@8"].loaded) == (
            CHUNKS + 1,
            0,
            True,
        )
        assert (seen["other@12"].embedded, seen["other@12"].pending) == (0, CHUNKS + 1)
        embedder.gates[OTHER.key].set()
        await desk.until(lambda: serves(desk, OTHER))
        assert states(desk) == {"fake@8": "RETIRED", "other@12": "ACTIVE"}
        assert all(desk.state(path) == "INDEXED" for path in (*DOCUMENTS, "new.txt"))
        assert whole(desk, OTHER)
        assert whole(desk, IDENTITY)
        await desk.put("newer.txt", "After the switch.")
        await desk.until(lambda: desk.indexed("newer.txt", 1))
    made = [text for key, text in embedder.by if key == OTHER.key]
    assert sorted(made) == sorted({*before, "While it is filled.", "After the switch."}), "each text once"
    assert (IDENTITY.key, "After the switch.") not in embedder.by, "one that served before is left as it is"


async def test_going_back_at_once_and_forward_again(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await fill(desk)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        calls = embedder.calls
        back = await choosing.activate(EVERYTHING, desk.indexing, "fake@8")
        assert (back.switched, back.status.state, back.status.pending) == (True, "ACTIVE", 0)
        assert back.revision > 0
        assert serves(desk, IDENTITY)
        assert embedder.calls == calls
        # The embedding service is still configured with the other one: nobody overrules the person.
        await desk.put("more.txt", "Only for the one that serves.")
        await desk.until(lambda: desk.state("more.txt") == "INDEXED")
        for _ in range(3):
            settle_again(desk)
            await desk.put("tick.txt", f"Tick {_}.")
            await desk.until(lambda number=_ + 1: desk.indexed("tick.txt", number))  # type: ignore[misc]
        assert states(desk) == {"fake@8": "ACTIVE", "other@12": "RETIRED"}
        forward = await choosing.activate(EVERYTHING, desk.indexing, OTHER.key)
        assert (forward.switched, forward.revision, forward.status.state) == (False, 0, "FILLING")
        await desk.until(lambda: serves(desk, OTHER))
        assert whole(desk, OTHER)
        assert all(desk.state(path) == "INDEXED" for path in (*DOCUMENTS, "more.txt", "tick.txt"))


async def test_a_third_model_sets_the_unfinished_one_aside(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    embedder.identity, embedder.also = OTHER, (IDENTITY,)
    embedder.gates[OTHER.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: states(desk).get("other@12") == "FILLING")
    embedder.identity, embedder.also = THIRD, (IDENTITY, OTHER)
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: serves(desk, THIRD))
        assert states(desk) == {"fake@8": "RETIRED", "other@12": "RETIRED", "third@4": "ACTIVE"}
        assert whole(desk, THIRD)
    assert not [text for key, text in embedder.by if key == OTHER.key]


async def test_back_to_the_first_before_the_second_is_full(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    embedder.identity, embedder.also = OTHER, (IDENTITY,)
    embedder.gates[OTHER.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: states(desk).get("other@12") == "FILLING")
    embedder.identity, embedder.also = IDENTITY, ()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: states(desk) == {"fake@8": "ACTIVE", "other@12": "RETIRED"})
        await desk.put("new.txt", "New.")
        await desk.until(lambda: desk.state("new.txt") == "INDEXED")
    embedder.identity, embedder.also = OTHER, (IDENTITY,)
    embedder.gates[OTHER.key].set()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.until(lambda: serves(desk, OTHER))
        assert whole(desk, OTHER)


async def test_without_the_old_model_the_new_one_takes_over_and_nothing_stands_still(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
    embedder.identity, embedder.broken = OTHER, "/models/fake"
    embedder.gates[OTHER.key] = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("new.txt", "New.")
        await desk.until(lambda: desk.state("new.txt") == "CHUNKED")
        seen = {
            one.identity.display: one.loaded for one in (await status(EVERYTHING, desk.indexing)).identities
        }
        assert seen == {"fake@8": False, "other@12": True}
        with pytest.raises(FailedPrecondition, match="/models/fake") as refused:
            await choosing.activate(EVERYTHING, desk.indexing, "fake@8")
        assert refused.value.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED
        embedder.gates[OTHER.key].set()
        await desk.until(lambda: serves(desk, OTHER))
        assert desk.state("new.txt") == "INDEXED"
        assert whole(desk, OTHER)


async def test_edits_moves_and_deletes_while_it_is_filled_reach_both(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    async with desk_over(tmp_path, embedder=embedder, limits=replace(QUICK, embed_batch=2)) as desk:
        await fill(desk)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        embedder.gates[OTHER.key] = asyncio.Event()
        settle_again(desk)
        await desk.until(lambda: states(desk).get("other@12") == "FILLING")
        await desk.put("0.txt", "Alpha 0.\n\nChanged.\n\nShared.")
        await desk.put("1.txt", DOCUMENTS["1.txt"], metadata={"state": "new"})
        await desk.until(lambda: desk.indexed("0.txt", 2))
        await removal.delete(
            EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="2.txt")
        )
        await removal.purge(
            EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="3.txt")
        )
        embedder.gates[OTHER.key].set()
        await desk.until(lambda: serves(desk, OTHER))
        assert whole(desk, OTHER)
        assert whole(desk, IDENTITY)
        gone = {str(row[0]) for row in desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'")}
        assert not [
            point
            for identity in (IDENTITY, OTHER)
            for point in desk.vectors.points[collection_name(identity.key)].values()
            if point.payload["file_path"] == "3.txt"
        ]
        assert gone


async def test_what_changed_while_an_identity_was_set_aside_is_filled_before_it_serves_again(
    tmp_path: Path,
) -> None:
    embedder = FakeEmbedder()
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await fill(desk)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        # The texts are the same, what they are filtered by is not.
        await desk.put("1.txt", DOCUMENTS["1.txt"], metadata={"state": "new"}, force=True)
        await desk.until(lambda: desk.indexed("1.txt", 2))
        calls = embedder.calls
        back = await choosing.activate(EVERYTHING, desk.indexing, IDENTITY.key)
        assert not back.switched
        await desk.until(lambda: serves(desk, IDENTITY))
        assert embedder.calls == calls, "the vectors are stored"
        held = desk.vectors.points[collection_name(IDENTITY.key)].values()
        assert {
            tuple(point.payload["metadata"]) for point in held if point.payload["file_path"] == "1.txt"
        } == {("state=new",)}
        assert desk.counters_match()


@pytest.mark.both_manifests
async def test_texts_too_long_for_the_new_model_are_cut_again_for_both(tmp_path: Path) -> None:
    embedder = FakeEmbedder(longest={OTHER.key: 20})
    async with desk_over(tmp_path, embedder=embedder) as desk:
        desk.chunker.longest = {OTHER.key: 20, IDENTITY.key: 60}
        await desk.put("long.txt", "x" * 50 + "\n\nShort.")
        await desk.put("short.txt", "Short.")
        await desk.until(lambda: desk.state("long.txt") == desk.state("short.txt") == "INDEXED")
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        assert desk.indexed("long.txt", 2)
        assert desk.indexed("short.txt", 1)
        assert set(desk.chunker.fits[-1]) == {IDENTITY.key, OTHER.key}
        assert whole(desk, OTHER)
        assert desk.rows("SELECT count(*) FROM chunk_vectors WHERE state = 'FAILED'") == [(0,)]
        assert desk.extractor.calls.count("long.txt") == 1, "it is not read again"


async def test_what_was_being_cut_when_the_new_model_came_is_cut_once_more(tmp_path: Path) -> None:
    embedder = FakeEmbedder(longest={OTHER.key: 20})
    async with desk_over(tmp_path, embedder=embedder) as desk:
        desk.chunker.longest = {OTHER.key: 20}
        await desk.put("long.txt", "x" * 50)
        await desk.until(lambda: desk.state("long.txt") == "INDEXED")
        desk.chunker.gate = asyncio.Event()
        await desk.put("long.txt", "x" * 50 + "\n\nMore.")
        async with asyncio.timeout(5):
            await desk.until(lambda: len(desk.chunker.fits) == 2)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        failed = f"SELECT count(*) FROM chunk_vectors WHERE state = 'FAILED' AND identity = '{OTHER.key}'"
        await desk.until(lambda: desk.rows(failed) == [(1,)])
        desk.chunker.gate.set()
        await desk.until(lambda: serves(desk, OTHER))
        assert desk.indexed("long.txt", 3)
        assert whole(desk, OTHER)


async def test_what_cannot_be_cut_small_enough_blocks_the_switch_once_and_a_person_may_override(
    tmp_path: Path,
) -> None:
    embedder = FakeEmbedder(longest={OTHER.key: 20})
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await desk.put("long.txt", "x" * 50)
        await desk.put("short.txt", "Short.")
        await desk.until(lambda: desk.state("long.txt") == desk.state("short.txt") == "INDEXED")
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        failed = f"SELECT count(*) FROM chunk_vectors WHERE state = 'FAILED' AND identity = '{OTHER.key}'"
        await desk.until(lambda: desk.rows(failed) == [(1,)] and desk.indexed("long.txt", 2))
        await desk.at_rest()
        assert serves(desk, IDENTITY), "coverage never falls by a switch"
        assert len(desk.chunker.fits) == 3, "cut again once, not for ever"
        taken = await choosing.activate(EVERYTHING, desk.indexing, OTHER.key)
        assert (taken.switched, taken.status.failed) == (True, 1)
        assert desk.state("long.txt") == "CHUNKED"
        assert desk.state("short.txt") == "INDEXED"
        assert desk.counters_match()


@pytest.mark.both_manifests
async def test_dropping_takes_everything_of_an_identity(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    async with desk_over(tmp_path, embedder=embedder, limits=replace(QUICK, retired_seconds=0)) as desk:
        await fill(desk)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        with pytest.raises(FailedPrecondition) as refused:
            await choosing.drop(EVERYTHING, desk.indexing, "other@12")
        assert refused.value.reason is Reason.EMBEDDING_IDENTITY_ACTIVE
        request = "7b6a2a4e-5f0c-4b0e-9d6d-0f3f5b1c2d3e"
        assert await choosing.drop(EVERYTHING, desk.indexing, "fake@8", request_id=request) == TEXTS
        assert await choosing.drop(EVERYTHING, desk.indexing, "fake@8", request_id=request) == TEXTS
        for table, column in (
            ("identities", "key"), ("chunk_vectors", "identity"), ("embeddings", "identity"),
            ("counters", "identity"),
        ):  # fmt: skip
            assert desk.rows(f"SELECT count(*) FROM {table} WHERE {column} = '{IDENTITY.key}'") == [(0,)]
        assert list(desk.vectors.points) == [collection_name(OTHER.key)]
        with pytest.raises(NotFound) as unknown:
            await choosing.drop(EVERYTHING, desk.indexing, "fake@8")
        assert unknown.value.reason is Reason.EMBEDDING_IDENTITY_NOT_FOUND
        # It is still loaded, so it can be filled anew.
        again = await choosing.activate(EVERYTHING, desk.indexing, "fake@8")
        assert not again.switched
        await desk.until(lambda: serves(desk, IDENTITY))
        assert whole(desk, IDENTITY)


async def test_a_collection_that_served_a_moment_ago_outlives_the_searches_in_it(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await fill(desk)
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        await choosing.drop(EVERYTHING, desk.indexing, "fake@8")
        assert ids_of(desk, IDENTITY), "searches that began before look into it"
        assert [one.identity for one in (await status(EVERYTHING, desk.indexing)).identities] == [OTHER]
        with pytest.raises(FailedPrecondition, match="is being dropped"):
            await choosing.activate(EVERYTHING, desk.indexing, IDENTITY.key)
    async with desk_over(
        tmp_path, embedder=embedder, vectors=vectors, limits=replace(QUICK, retired_seconds=0)
    ) as desk:
        await desk.until(lambda: collection_name(IDENTITY.key) not in vectors.points)
        await desk.until(lambda: list(states(desk)) == ["other@12"])


async def test_a_loop_that_has_not_noticed_a_drop_leaves_nothing_of_it(tmp_path: Path) -> None:
    embedder = FakeEmbedder(also=(OTHER,))
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await fill(desk)
        await choosing.activate(EVERYTHING, desk.indexing, OTHER.key)
        await desk.until(lambda: serves(desk, OTHER))
        await choosing.activate(EVERYTHING, desk.indexing, IDENTITY.key)
    async with desk_over(
        tmp_path,
        embedder=embedder,
        vectors=desk.vectors,
        sweep=False,
        limits=replace(QUICK, retired_seconds=0),
    ) as desk:
        await choosing.drop(EVERYTHING, desk.indexing, OTHER.key)
        assert not await Backfill(desk.indexing).want_page(OTHER)
        assert desk.rows(f"SELECT count(*) FROM chunk_vectors WHERE identity = '{OTHER.key}'") == [(0,)]
        assert desk.counters_match()


async def test_names_that_are_wrong_or_ambiguous_are_refused(tmp_path: Path) -> None:
    twin = replace(OTHER, key="w" * 64, display="fake@8")
    embedder = FakeEmbedder(also=(twin,))
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await fill(desk)
        with pytest.raises(InvalidArgument, match="2 identities are called fake@8"):
            await choosing.activate(EVERYTHING, desk.indexing, "fake@8")
        with pytest.raises(NotFound, match="fake@8"):
            await choosing.activate(EVERYTHING, desk.indexing, "nothing@1")
        with pytest.raises(InvalidArgument, match="missing"):
            await choosing.activate(EVERYTHING, desk.indexing, "")
        same = await choosing.activate(EVERYTHING, desk.indexing, IDENTITY.key)
        assert same.switched
        assert states(desk) == {"fake@8": "ACTIVE"}


async def test_what_is_purged_while_it_is_embedded_leaves_no_stored_vector(tmp_path: Path) -> None:
    embedder, vectors = FakeEmbedder(), FakeVectors()
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors) as desk:
        await desk.put("secret.txt", "Secret.")
        await desk.until(lambda: desk.state("secret.txt") == "INDEXED")
    async with desk_over(tmp_path, embedder=embedder, vectors=vectors, sweep=False) as desk:
        write = desk.indexing.manifest.write
        await write(lambda c: c.exec_driver_sql("DELETE FROM embeddings").close())
        await write(lambda c: c.exec_driver_sql("UPDATE chunk_vectors SET state = 'PENDING'").close())
        batch = await claim(desk.indexing, IDENTITY, "me")
        assert len(batch.work) == 1
        name = DocumentName(collection="acme/notes", file_path="secret.txt")
        commits = asyncio.create_task(desk.indexing.text.run())
        await removal.purge(EVERYTHING, desk.indexing, name)
        await embed(desk.indexing, batch)
        commits.cancel()
        assert embedder.texts == ["Secret."] * 2
        assert desk.rows("SELECT count(*) FROM embeddings") == [(0,)]


async def test_the_diagnosis_tells_how_far_a_change_is_and_the_ways_on(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await fill(desk)
        assert await said(desk, "embedding.identity") == (Outcome.OK, "fake@8 embeds and serves.")
        embedder.identity, embedder.also = OTHER, (IDENTITY,)
        embedder.gates[OTHER.key] = asyncio.Event()
        settle_again(desk)
        await desk.until(lambda: states(desk).get("other@12") == "FILLING")
        outcome, message = await said(desk, "embedding.filling")
        assert (outcome, f"0 of {CHUNKS} chunks" in message) == (Outcome.OK, True)
        embedder.also = ()
        outcome, message = await said(desk, "embedding.identity")
        assert outcome is Outcome.FAILED
        assert "by words alone" in message
        assert "until other@12 is filled" in message
        embedder.also = (IDENTITY,)
        embedder.gates[OTHER.key].set()
        settle_again(desk)
        await desk.until(lambda: serves(desk, OTHER))
        await desk.put("0.txt", "Other.", force=True)
        await desk.until(lambda: desk.indexed("0.txt", 2))
        embedder.gates[IDENTITY.key] = asyncio.Event()
        assert not (await choosing.activate(EVERYTHING, desk.indexing, "fake@8")).switched
        embedder.also = ()
        outcome, message = await said(desk, "embedding.filling")
        assert outcome is Outcome.WARNING
        assert "stands still" in message
        embedder.also = (IDENTITY,)
        embedder.gates[IDENTITY.key].set()
        settle_again(desk)
        await desk.until(lambda: serves(desk, IDENTITY))
        outcome, message = await said(desk, "embedding.configured")
        assert outcome is Outcome.WARNING
        assert "findspot models activate other@12" in message


async def said(desk: Desk, name: str) -> tuple[Outcome, str]:
    (check,) = (one for one in await diagnose(EVERYTHING, desk.indexing) if one.name == name)
    return check.outcome, check.message


def settle_again(desk: Desk) -> None:
    """The embedding service was started with another configuration, and indexing has noticed."""
    desk.indexing.wake.models.set()
    desk.indexing.wake.embed.set()
