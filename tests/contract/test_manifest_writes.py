"""Writing the manifest while others do: on both databases nothing is lost, half done or told to the wrong caller."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text
from tests.postgres import PostgresServer, running_postgres

from findspot.errors import FailedPrecondition, InvalidArgument, Unavailable
from findspot.stores.manifest import collections, counters, documents, revisions, schema, tables
from findspot.stores.manifest.engine import open_engine, read_snapshot, write
from findspot_indexing.access import Manifest
from findspot_query import rows

MESSY = "a\0b \ud800 c"
CLEAN = "a\ufffdb \ufffd c"


@asynccontextmanager
async def writing(where: str | Path) -> AsyncIterator[Manifest]:
    manifest = Manifest(open_engine(where))
    try:
        yield manifest
    finally:
        manifest.close()


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that tests may kill."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def own_manifest(own_server: PostgresServer) -> Iterator[str]:
    url = own_server.create()
    engine = open_engine(url)
    schema.upgrade(engine)
    engine.dispose()
    yield url
    own_server.drop(url)


async def test_two_writers_never_lose_an_update_or_a_read_before_it(manifest_place: str | Path) -> None:
    def read_then_write(connection: Connection) -> int:
        before = revisions.current(connection)
        counters.add(connection, {("c", "", "b"): 1, ("c", "", "a"): 1})
        raised = revisions.raise_revision(connection)
        assert raised == before + 1
        return raised

    async with writing(manifest_place) as one, writing(manifest_place) as two:
        seen = await asyncio.gather(*(m.write(read_then_write) for _ in range(40) for m in (one, two)))
        assert sorted(seen) == list(range(1, 81))
        assert await one.read(counters.totals) == {("", "a"): 80, ("", "b"): 80}


async def test_one_that_fails_among_others_takes_back_only_itself(manifest_place: str | Path) -> None:
    def twice(connection: Connection) -> None:
        revisions.raise_revision(connection)
        # A statement that the database refuses, not only an error of ours.
        connection.execute(tables.revision.insert().values(id=1, value=9))

    def refuse(connection: Connection) -> None:
        revisions.raise_revision(connection)
        raise InvalidArgument("not this one")

    async with writing(manifest_place) as manifest:
        begun, gate = threading.Event(), threading.Event()
        first = asyncio.create_task(manifest.write(lambda _: begun.set() or gate.wait(10)))
        await asyncio.to_thread(begun.wait, 10)
        works: list[Callable[[Connection], object]] = [
            revisions.raise_revision,
            twice,
            refuse,
            revisions.raise_revision,
        ]
        tasks = [asyncio.create_task(manifest.write(work)) for work in works]
        await asyncio.sleep(0)
        gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        await first
        assert (results[0], results[3]) == (1, 2)
        assert "UNIQUE" in str(results[1]).upper()
        assert isinstance(results[2], InvalidArgument)


def test_text_that_no_database_can_hold_is_stored_the_same_in_both(manifest_place: str | Path) -> None:
    engine = open_engine(manifest_place)
    settings = collections.CollectionSettings(
        source_root=MESSY, source_options={MESSY: [MESSY, 1, None]}, profile_overrides={"text": {"size": 1}}
    )
    with write(engine) as connection:
        where = collections.create(connection, "acme/notes", settings, 1)
        received = documents.Received(
            where.id, where.path, MESSY, "hash", "blob", 1, 0, {"title": MESSY, "metadata": {MESSY: MESSY}}
        )
        document_id = documents.receive(connection, received, None, 2)
        connection.execute(tables.documents.update().values(error_message=MESSY, summary=MESSY))
    with read_snapshot(engine) as snapshot:
        found = documents.get(snapshot.connection, document_id)
        assert found is not None
        assert (found.title, found.summary, found.error_message, found.file_path) == (CLEAN,) * 4
        assert found.metadata == {CLEAN: CLEAN}
        assert documents.find(snapshot.connection, "acme/notes", MESSY) == found
        assert list(documents.standing(snapshot.connection, "acme/notes", [MESSY])) == [CLEAN]
        stored = collections.find(snapshot.connection, "acme/notes")
        assert stored is not None
        assert stored.settings.source_options == {CLEAN: [CLEAN, 1, None]}
    with rows.read_snapshot(engine) as snapshot:
        assert rows.chunk_at_path(snapshot, "acme/notes", MESSY, 0) is None
        assert rows.chunk_by_id(snapshot, MESSY) is None
    engine.dispose()


def test_numbers_of_64_bits_come_back(manifest_place: str | Path) -> None:
    engine = open_engine(manifest_place)
    with write(engine) as connection:
        connection.execute(tables.revision.insert().values(id=1, value=2**62))
        counters.add(connection, {("c", "", "n"): 2**61})
        counters.add(connection, {("c", "", "n"): 2**61})
        assert connection.execute(select(tables.counters.c.value)).scalar_one() == 2**62
        assert counters.totals(connection) == {("", "n"): 2**62}
    with read_snapshot(engine) as snapshot:
        assert snapshot.revision == 2**62
    engine.dispose()


def test_workers_that_start_together_migrate_once(empty_place: str | Path) -> None:
    problems: list[BaseException] = []

    def start() -> None:
        engine = open_engine(empty_place)
        try:
            schema.upgrade(engine)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            problems.append(error)
        finally:
            engine.dispose()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    engine = open_engine(empty_place)
    schema.require_schema(engine)
    engine.dispose()


async def test_a_transaction_that_a_deadlock_ended_runs_again(postgres_manifest: str) -> None:
    stranger = open_engine(postgres_manifest)
    with write(stranger) as connection:
        counters.add(connection, {("c", "", "a"): 1, ("c", "", "b"): 1})
    update = "UPDATE counters SET value = value + 1 WHERE name = '{}'"
    mine, theirs = threading.Event(), threading.Event()
    runs = 0

    def one_way(connection: Connection) -> None:
        nonlocal runs
        runs += 1
        # Of the two the server ends the one that has waited for its deadlock_timeout first: this one.
        connection.execute(text("SET LOCAL deadlock_timeout = '100ms'"))
        connection.execute(text(update.format("a")))
        mine.set()
        theirs.wait(10)
        connection.execute(text(update.format("b")))

    def other_way() -> None:
        with stranger.connect() as connection, connection.begin():
            connection.execute(text("SET LOCAL deadlock_timeout = '60s'"))
            connection.execute(text(update.format("b")))
            theirs.set()
            mine.wait(10)
            connection.execute(text(update.format("a")))

    async with writing(postgres_manifest) as manifest:
        await asyncio.gather(manifest.write(one_way), asyncio.to_thread(other_way))
        assert runs == 2
        assert await manifest.read(counters.totals) == {("", "a"): 3, ("", "b"): 3}
    stranger.dispose()


async def test_a_manifest_whose_server_is_killed_is_unavailable_until_it_is_back(
    own_server: PostgresServer, own_manifest: str
) -> None:
    query = open_engine(own_manifest, read_only=True)
    async with writing(own_manifest) as manifest:
        assert await manifest.write(revisions.raise_revision) == 1
        with rows.read_snapshot(query) as snapshot:
            assert rows.standing(snapshot, None).state.revision == 1
        own_server.stop()
        for _ in range(2):
            with pytest.raises(Unavailable, match="manifest cannot be used now"):
                await manifest.write(revisions.raise_revision)
            with pytest.raises(Unavailable, match="manifest cannot be used now"):
                await manifest.read(revisions.current)
            with pytest.raises(Unavailable, match="manifest cannot be used now"), rows.read_snapshot(query):
                pass
        own_server.start()
        assert await manifest.read(revisions.current) == 1
        assert await manifest.write(revisions.raise_revision) == 2
        with rows.read_snapshot(query) as snapshot:
            assert rows.standing(snapshot, None).state.revision == 2
    query.dispose()


async def test_a_server_that_is_killed_inside_a_write_or_a_read_leaves_nothing_half_done(
    own_server: PostgresServer, own_manifest: str
) -> None:
    def cut_short(connection: Connection) -> None:
        revisions.raise_revision(connection)
        own_server.stop()
        revisions.raise_revision(connection)

    async with writing(own_manifest) as manifest:
        with pytest.raises(Unavailable):
            await manifest.write(cut_short)
        own_server.start()
        assert await manifest.write(revisions.raise_revision) == 1
    query = open_engine(own_manifest, read_only=True)

    def read_on() -> None:
        with rows.read_snapshot(query) as snapshot:
            own_server.stop(signal.SIGINT)
            rows.standing(snapshot, None)

    with pytest.raises(Unavailable):
        read_on()
    own_server.start()
    with rows.read_snapshot(query) as snapshot:
        assert snapshot.revision == 1
    query.dispose()


async def test_a_statement_that_takes_too_long_is_ended(postgres_manifest: str) -> None:
    manifest = Manifest(open_engine(postgres_manifest, statement_seconds=0.2))
    with pytest.raises(Unavailable, match="statement timeout"):
        await manifest.read(lambda c: c.execute(text("SELECT pg_sleep(30)")).all())
    assert await manifest.write(revisions.raise_revision) == 1
    manifest.close()


def test_a_wrong_password_is_told_and_not_repeated(postgres_server: PostgresServer) -> None:
    engine = open_engine(postgres_server.url("postgres", password="guessed-wrong"))
    with pytest.raises(Unavailable, match="password authentication failed") as refusal:
        schema.current_revision(engine)
    assert "guessed-wrong" not in repr(refusal.value) + str(refusal.value.__cause__) + repr(engine)
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://user:guessed-wrong@host/db", "begins with mysql"),
        ("postgresql+asyncpg://user:guessed-wrong@host/db", "begins with postgresql"),
        ("postgresql://user:guessed-wrong/@host:port/db", "cannot be parsed"),
    ],
)
def test_a_url_of_no_manifest_is_refused_without_its_password(url: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said) as refusal:
        open_engine(url)
    assert "guessed-wrong" not in str(refusal.value)
    assert refusal.value.fields[0].field == "manifest"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_usual_scheme_of_postgresql_is_taken(scheme: str) -> None:
    engine = open_engine(f"{scheme}://user:secret@host/db?connect_timeout=1")
    assert engine.url.drivername == "postgresql+psycopg"
    engine.dispose()


def test_a_missing_driver_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(FailedPrecondition, match=r"findspot\[postgres\]"):
        open_engine("postgresql://user@host/db")
