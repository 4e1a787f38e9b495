"""Two processes on one PostgreSQL manifest: no work is done twice, and what lost its claim leaves no trace."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from indexing_fakes import QUICK, Desk, FakeExtractor, desk_over
from tests.postgres import PostgresServer

from findspot.errors import Aborted, FailedPrecondition, Reason
from findspot.model import EVERYTHING
from findspot.rpc.channel import open_channel
from findspot.rpc.peers.text_index import TextIndexPeer
from findspot.rpc.server import running
from findspot.stores.blobs import BlobStore
from findspot.stores.manifest import claims, instances, vectors
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.engine import open_engine
from findspot.stores.manifest.notices import listening
from findspot.stores.text.schema import TextEntry
from findspot_indexing import removal
from findspot_indexing.access import Manifest
from findspot_indexing.changes import Changes
from findspot_indexing.checks import Outcome
from findspot_indexing.compose.compose import compose
from findspot_indexing.config import IndexingSettings
from findspot_indexing.diagnose import diagnose
from findspot_indexing.documents import DocumentName
from findspot_indexing.holding import Holding
from findspot_indexing.main import _held, build
from findspot_indexing.membership import Membership
from findspot_indexing.outages import Outages
from findspot_indexing.pins import Pins
from findspot_indexing.reindex.calls import Asked, reindex
from findspot_indexing.remote_text import RemoteText
from findspot_indexing.service import Indexing, Wake
from findspot_indexing.sweep.members import join, leave
from findspot_indexing.sweep.run import sweeping
from findspot_indexing.sweep.upkeep import sweep_abandoned, sweep_retired
from findspot_indexing.text_commits import DocumentClaim, TextChange

MEMBER = Membership(owner=True, alone=False, place="here", heartbeat_seconds=0.1, timeout_seconds=60.0)
NAME = DocumentName(collection="acme/notes", file_path="a.txt")


@pytest.fixture
def manifest_kind() -> str:
    """These tests place the manifest themselves."""
    return "postgresql"


@dataclass
class Pair:
    """The owner of the text index and a worker beside it, with peers that are counted together."""

    desk: Desk
    owner: Indexing
    worker: Indexing
    worker_extractor: FakeExtractor

    async def until(self, condition: Callable[[], object], seconds: float = 40.0) -> None:
        """Wait for a condition over the manifest; looked at when either has heard of a change."""
        async with asyncio.timeout(seconds):
            while True:
                seen = self.owner.changes.count
                if condition():
                    return
                await self.owner.changes.after(seen)

    def at(self, which: Indexing) -> Desk:
        """The desk through whose service files come in."""
        return replace(self.desk, indexing=which)

    async def alive(self, which: Indexing) -> None:
        await which.manifest.write(lambda c: join(c, which))

    async def dies(self, which: Indexing) -> None:
        """As a kill -9 looks to the others, after the timeout."""
        await self.owner.manifest.write(lambda c: instances.end(c, which.instance))
        await self.owner.manifest.write(instances.reclaim_lost)

    def texts(self) -> list[str]:
        return sorted(self.desk.text.ids())

    def live(self) -> list[str]:
        return sorted(str(row[0]) for row in self.desk.rows("SELECT id FROM chunks WHERE state = 'LIVE'"))


def _of_its_own(base: Indexing, instance: str, url: str, member: Membership) -> Indexing:
    changes, wake = Changes(asyncio.get_running_loop()), Wake()
    return replace(
        base,
        instance=instance,
        manifest=Manifest(open_engine(url, writer=instance), on_commit=changes.announce),
        membership=member,
        changes=changes,
        wake=wake,
        holding=Holding(),
        pins=Pins(),
        outages=Outages(time.monotonic, first=0.01, longest=0.02),
        being_embedded=Counter(),
    )


@pytest.fixture
async def pair(
    tmp_path: Path, postgres_manifest: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Pair]:
    monkeypatch.setattr("indexing_fakes.manifest_of", lambda _: postgres_manifest)
    async with (
        desk_over(tmp_path, sweep=False, limits=replace(QUICK, retired_seconds=0.0)) as desk,
        _member(desk.indexing, "one", postgres_manifest, MEMBER) as owner,
        running(build(IndexingSettings(port=0), owner)) as server,
    ):
        channel = open_channel(server.address)
        worker = replace(MEMBER, owner=False)
        async with _member(desk.indexing, "two", postgres_manifest, worker) as other:
            extractor = FakeExtractor()
            text = RemoteText(TextIndexPeer(channel), server.address)
            commits = asyncio.create_task(owner.text.run())
            yield Pair(desk, owner, replace(other, text=text, extractor=extractor), extractor)
            commits.cancel()
        await channel.close()


@asynccontextmanager
async def _member(base: Indexing, instance: str, url: str, member: Membership) -> AsyncIterator[Indexing]:
    made = _of_its_own(base, instance, url, member)
    heard = partial(made.changes.announce, also=made.wake.work)
    listener = open_engine(url, pool_size=1)
    end = listening(listener, instance, heard)
    try:
        yield made
    finally:
        await asyncio.to_thread(end)
        listener.dispose()
        made.manifest.close()


async def test_two_workers_do_no_work_twice(pair: Pair) -> None:
    async with sweeping(pair.owner), sweeping(pair.worker):
        for number in range(40):
            await pair.at(pair.owner).put(f"o{number}.txt", f"Common.\n\nOwn {number}.")
            await pair.at(pair.worker).put(f"w{number}.txt", f"Common.\n\nOther {number}.")
        await pair.until(
            lambda: pair.desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(80,)]
        )
    composed = Counter(pair.desk.extractor.calls + pair.worker_extractor.calls)
    assert set(composed.values()) == {1}
    assert len(composed) == 80
    assert pair.desk.extractor.calls
    assert pair.worker_extractor.calls
    assert len(pair.desk.embedder.texts) == len(set(pair.desk.embedder.texts)) == 81
    assert pair.texts() == pair.live() == sorted(pair.desk.vectors.all)
    assert len(pair.live()) == 160
    assert pair.desk.counters_match()
    assert pair.desk.rows("SELECT count(*) FROM instances") == [(0,)]


async def _claimed(pair: Pair, which: Indexing) -> asyncio.Task[None]:
    """One document that `which` has claimed and composes, held up while it is extracted."""
    now = which.clock()
    (document,) = await which.manifest.write(lambda c: claims.claim(c, which.instance, now, 600 * SECOND, 1))
    extractor = which.extractor
    assert isinstance(extractor, FakeExtractor)
    extractor.gate, extractor.called = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(compose(which, document, which.instance, asyncio.Semaphore(1)))
    await extractor.called.wait()
    return task


async def test_one_that_lost_its_claim_to_another_changes_nothing(pair: Pair) -> None:
    await pair.alive(pair.owner)
    await pair.alive(pair.worker)
    await pair.at(pair.worker).put("a.txt", "one\n\ntwo")
    slow = await _claimed(pair, pair.worker)
    assert await pair.owner.manifest.write(instances.reclaim_lost) == 0
    await pair.dies(pair.worker)
    now = pair.owner.clock()
    (mine,) = await pair.owner.manifest.write(lambda c: claims.claim(c, "one", now, 600 * SECOND, 1))
    await compose(pair.owner, mine, "one", asyncio.Semaphore(1))
    before = pair.texts()
    assert pair.worker_extractor.gate is not None
    pair.worker_extractor.gate.set()
    with pytest.raises(Aborted) as lost:
        await slow
    assert lost.value.reason is Reason.LEASE_LOST
    assert pair.texts() == before == pair.live()
    assert pair.desk.counters_match()


async def test_a_purge_by_one_while_another_composes_leaves_no_trace(pair: Pair) -> None:
    await pair.alive(pair.owner)
    await pair.alive(pair.worker)
    for composer, purger in ((pair.worker, pair.owner), (pair.owner, pair.worker)):
        await pair.at(composer).put("a.txt", "one\n\ntwo")
        slow = await _claimed(pair, composer)
        await removal.purge(EVERYTHING, purger, NAME)
        extractor = composer.extractor
        assert isinstance(extractor, FakeExtractor)
        assert extractor.gate is not None
        extractor.gate.set()
        with pytest.raises((Aborted, asyncio.CancelledError)):
            await slow
        assert pair.texts() == []
        for table in ("documents", "generations", "sections", "chunks", "chunk_vectors"):
            assert pair.desk.rows(f"SELECT count(*) FROM {table}") == [(0,)], table
        assert pair.desk.counters_match()


async def test_a_change_of_the_text_index_counts_only_while_its_claim_holds(pair: Pair) -> None:
    await pair.alive(pair.worker)
    uploaded = await pair.at(pair.worker).put("a.txt", "one")
    identifier = uploaded.view.document.id
    now = pair.worker.clock()
    entry = TextEntry(
        "018f0000-0000-7000-8000-000000000001",
        identifier,
        "acme/notes",
        ("acme", "acme/notes"),
        "a.txt",
        "one",
    )
    change = TextChange(add=[entry], claim=DocumentClaim(identifier, "two", 1))
    with pytest.raises(Aborted, match="taken over"):
        await pair.worker.text.apply(change)
    assert pair.texts() == []
    await pair.worker.manifest.write(lambda c: claims.claim(c, "two", now, SECOND, 1))
    # One that is refused does not cost the others that wait for the same commit.
    stale = replace(change, claim=DocumentClaim(identifier, "two", 2))
    kept, lost = await asyncio.gather(
        pair.worker.text.apply(change), pair.owner.text.apply(stale), return_exceptions=True
    )
    assert not isinstance(kept, BaseException)
    assert isinstance(lost, Aborted)
    assert await pair.worker.text.count() == 1
    assert pair.texts() == [entry.id]
    # A sweep spares what belongs to a document that is being composed.
    await pair.owner.text.apply(TextChange(delete=[entry.id], if_idle=True))
    await pair.worker.text.apply(TextChange(delete=[entry.id]))
    assert pair.texts() == []


async def test_the_sweep_spares_what_another_worker_composes(pair: Pair) -> None:
    await pair.alive(pair.owner)
    await pair.alive(pair.worker)

    async def composed(which: Indexing, text: str) -> None:
        await pair.at(which).put("a.txt", text)
        now = which.clock()
        (found,) = await which.manifest.write(lambda c: claims.claim(c, which.instance, now, 600 * SECOND, 1))
        await compose(which, found, which.instance, asyncio.Semaphore(1))

    await composed(pair.owner, "one\n\ntwo")
    await composed(pair.worker, "one")
    held = pair.texts()
    assert len(held) == 2
    await pair.at(pair.worker).put("a.txt", "one\n\ntwo")
    slow = await _claimed(pair, pair.worker)
    assert await sweep_retired(pair.owner) == 0
    assert pair.texts() == held
    assert pair.worker_extractor.gate is not None
    pair.worker_extractor.gate.set()
    await slow
    assert pair.texts() == pair.live() == held
    await composed(pair.owner, "one")
    assert await sweep_retired(pair.owner) == 1
    assert await sweep_abandoned(pair.owner) == 0
    assert pair.texts() == pair.live()
    assert len(pair.live()) == 1


async def test_what_a_dead_worker_claimed_is_taken_up_and_what_a_live_one_claims_is_not(pair: Pair) -> None:
    await pair.at(pair.owner).put("a.txt", "one")
    await pair.at(pair.owner).put("b.txt", "two")
    now, lease = pair.owner.clock(), 600 * SECOND
    for name in ("two", "three"):
        await pair.owner.manifest.write(
            lambda c, name=name: instances.beat(c, name, instances.WORKER, name, "")  # type: ignore[misc]
        )
        await pair.owner.manifest.write(lambda c, name=name: claims.claim(c, name, now, lease, 1))  # type: ignore[misc]
    beating = asyncio.create_task(_beat(pair.worker))
    impatient = replace(pair.owner, membership=replace(MEMBER, timeout_seconds=3.0))
    async with sweeping(impatient):
        await pair.until(
            lambda: pair.desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(1,)]
        )
        assert pair.desk.rows("SELECT lease_owner FROM documents WHERE state = 'EXTRACTING'") == [("two",)]
        beating.cancel()
        await pair.until(
            lambda: pair.desk.rows("SELECT count(*) FROM documents WHERE state = 'INDEXED'") == [(2,)]
        )
    assert pair.desk.counters_match()


async def _beat(which: Indexing) -> None:
    while True:
        await which.manifest.write(lambda c: instances.beat(c, which.instance, instances.WORKER, "there", ""))
        await asyncio.sleep(0.1)


async def test_a_batch_of_a_dead_worker_is_made_by_another(pair: Pair) -> None:
    async with sweeping(pair.owner):
        await pair.at(pair.owner).put("a.txt", "one")
        await pair.until(lambda: pair.desk.state("a.txt") == "INDEXED")
    identity = pair.desk.embedder.identity
    assert identity is not None
    await pair.alive(pair.worker)
    document, collection = pair.desk.rows("SELECT id, collection_id FROM documents")[0]
    chunk, hashed = pair.desk.rows("SELECT chunk_id, embed_hash FROM chunk_vectors")[0]
    wanted = [(str(chunk), str(hashed))]
    now = pair.owner.clock()
    await pair.owner.manifest.write(
        lambda c: vectors.want(c, identity.key, str(document), str(collection), wanted, now)
    )
    taken = await pair.worker.manifest.write(
        lambda c: vectors.claim(c, identity.key, "two/7", now, 600 * SECOND, 9)
    )
    assert [item.chunk_id for item in taken] == [chunk]
    # Wanted anew while it is made: nobody else takes it while the worker lives, and it is not lost with the worker.
    await pair.owner.manifest.write(
        lambda c: vectors.want(c, identity.key, str(document), str(collection), wanted, now)
    )
    assert await pair.owner.manifest.write(instances.reclaim_lost) == 0
    assert not await pair.owner.manifest.write(
        lambda c: vectors.claim(c, identity.key, "one/1", now, 600 * SECOND, 9)
    )
    await pair.owner.manifest.write(lambda c: instances.end(c, "two"))
    assert await pair.owner.manifest.write(instances.reclaim_lost) == 1
    again = await pair.owner.manifest.write(
        lambda c: vectors.claim(c, identity.key, "one/1", now, 600 * SECOND, 9)
    )
    assert [item.chunk_id for item in again] == [chunk]


async def test_an_orderly_end_leaves_everything_to_the_others_at_once(pair: Pair) -> None:
    await pair.alive(pair.owner)
    await pair.alive(pair.worker)
    await pair.at(pair.worker).put("a.txt", "one")
    now = pair.worker.clock()
    await pair.worker.manifest.write(lambda c: claims.claim(c, "two", now, 600 * SECOND, 1))
    await pair.worker.manifest.write(lambda c: leave(c, pair.worker))
    assert pair.desk.rows("SELECT state, attempts FROM documents") == [("PENDING", 0)]
    assert pair.desk.rows("SELECT id FROM instances") == [("one",)]


async def test_a_worker_tells_who_owns_what_it_does_not(pair: Pair) -> None:
    await pair.alive(pair.owner)
    checks = {check.name: check for check in await diagnose(EVERYTHING, pair.worker)}
    assert checks["text.complete"].outcome is Outcome.OK
    assert "owns the text index" in checks["text.complete"].message
    every = await diagnose(EVERYTHING, pair.worker, thorough=True)
    assert any("owned by the indexing process at 127" in check.message for check in every)
    # What is begun through a worker is done by the owner.
    async with sweeping(pair.owner):
        await pair.at(pair.worker).put("a.txt", "one")
        await pair.until(lambda: pair.desk.state("a.txt") == "INDEXED")
        begun = await reindex(EVERYTHING, pair.worker, Asked(force=True))
        ended = f"SELECT state FROM operations WHERE id = '{begun.operation_id}'"
        await pair.until(lambda: pair.desk.rows(ended) == [("SUCCEEDED",)])


async def test_a_manifest_has_one_owner(pair: Pair) -> None:
    first = replace(pair.owner, own_data="/first")
    await pair.alive(first)
    other = replace(pair.owner, instance="three", own_data="/second")
    with pytest.raises(FailedPrecondition, match="text index lies in /first") as refusal:
        await pair.alive(other)
    assert refusal.value.reason is Reason.STORE_LOCKED
    assert "text_index" in refusal.value.message
    # Whoever holds the lock of the same folder knows that its owner before is dead.
    await pair.alive(replace(other, own_data="/first"))
    assert pair.desk.rows("SELECT id FROM instances") == [("three",)]


async def test_a_data_folder_of_another_manifest_is_refused(pair: Pair, tmp_path: Path) -> None:
    await pair.at(pair.owner).put("a.txt", "one")
    await pair.alive(pair.owner)
    elsewhere = replace(pair.worker, blobs=BlobStore(tmp_path / "other"), own_data="/other")
    with pytest.raises(FailedPrecondition, match="not in the data folder /other"):
        await pair.alive(elsewhere)


def test_a_worker_beside_sqlite_is_refused(tmp_path: Path) -> None:
    settings = IndexingSettings(data=tmp_path, text_index="127.0.0.1:7415")
    with pytest.raises(FailedPrecondition, match=r"text_index = 127\.0\.0\.1:7415 .* PostgreSQL"):
        _held(settings)
    assert not settings.membership("here").owner


def test_signs_of_life_come_more_often_than_death(postgres_server: PostgresServer) -> None:
    with pytest.raises(ValueError, match="at least twice"):
        IndexingSettings(heartbeat_seconds=10, instance_timeout_seconds=15)
    assert not IndexingSettings(manifest=postgres_server.url("x")).membership("here").alone
