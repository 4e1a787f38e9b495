"""What gave nothing is read again when the extractor is another one, and only then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from indexing_fakes import QUICK, Desk, desk_over, replace
from sqlalchemy import Connection, Select

from findspot.errors import FindspotError, Internal, InvalidArgument, Reason, ResourceExhausted
from findspot.model import DocumentState
from findspot.stores.manifest import tables, tries
from findspot.stores.manifest.tries import Tried
from findspot_indexing.stamps import KnownStamps, Stamps
from findspot_indexing.sweep.retrying import retry_fruitless, worth_another_try

EMPTY = DocumentState.EMPTY
CORRUPT = InvalidArgument("broken", reason=Reason.DOCUMENT_CORRUPT)


@pytest_asyncio.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """Swept only when told; stamps are asked for each time."""
    async with desk_over(tmp_path, limits=replace(QUICK, sweep_seconds=3600)) as desk:
        desk.indexing.stamps.__init__(lambda: float("inf"))  # type: ignore[misc]
        yield desk


def tried(desk: Desk, path: str) -> object:
    return desk.rows(f"SELECT tried_stamp FROM documents WHERE file_path = '{path}'")[0][0]


async def test_a_document_without_text_is_read_again_by_another_extractor(desk: Desk) -> None:
    await desk.put("scan.txt", " ")
    await desk.put("words.txt", "Open the valve.")
    await desk.until(lambda: desk.state("scan.txt") == "EMPTY" and desk.state("words.txt") == "INDEXED")
    assert (tried(desk, "scan.txt"), tried(desk, "words.txt")) == ("fake/1", "fake/1")
    assert await retry_fruitless(desk.indexing) == 0

    desk.extractor.stamp = "fake/2"
    assert await retry_fruitless(desk.indexing) == 1
    await desk.until(lambda: desk.state("scan.txt") == "EMPTY")
    assert desk.extractor.calls.count("scan.txt") == 2
    assert desk.extractor.calls.count("words.txt") == 1
    assert tried(desk, "scan.txt") == "fake/2"
    assert await retry_fruitless(desk.indexing) == 0
    assert desk.counters_match()


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        (CORRUPT, 1),
        (InvalidArgument("unknown", reason=Reason.UNSUPPORTED_TYPE), 1),
        (Internal("died", reason=Reason.EXTRACTION_CRASHED), 1),
        (Internal("slow", reason=Reason.EXTRACTION_TIMEOUT), 1),
        (InvalidArgument("locked", reason=Reason.DOCUMENT_ENCRYPTED), 0),
        (ResourceExhausted("large", reason=Reason.DOCUMENT_TOO_LARGE), 0),
    ],
)
async def test_a_failure_that_a_reader_can_mend_is_tried_again(
    desk: Desk, failure: FindspotError, again: int
) -> None:
    desk.extractor.always["a.bin"] = failure
    await desk.put("a.bin", "Mended.")
    await desk.until(lambda: desk.state("a.bin") == "FAILED")
    assert await retry_fruitless(desk.indexing) == 0
    del desk.extractor.always["a.bin"]
    desk.extractor.stamp = "fake/2"
    assert await retry_fruitless(desk.indexing) == again
    await desk.until(lambda: desk.state("a.bin") == ("INDEXED" if again else "FAILED"))
    assert await retry_fruitless(desk.indexing) == 0
    assert desk.counters_match()


async def test_a_failed_edit_that_is_mended_takes_over(desk: Desk) -> None:
    await desk.put("a.txt", "Old.")
    await desk.until(lambda: desk.indexed("a.txt", 1))
    desk.extractor.always["a.txt"] = CORRUPT
    await desk.put("a.txt", "New.")
    await desk.until(lambda: desk.state("a.txt") == "FAILED")
    del desk.extractor.always["a.txt"]
    desk.extractor.stamp = "fake/2"
    assert await retry_fruitless(desk.indexing) == 1
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    assert desk.rows("SELECT text FROM chunks WHERE state = 'LIVE'") == [("New.",)]


async def test_documents_from_before_stamps_were_noted_are_tried_once(desk: Desk) -> None:
    await desk.put("scan.txt", " ")
    await desk.until(lambda: desk.state("scan.txt") == "EMPTY")
    await desk.indexing.manifest.write(lambda c: c.execute(tables.documents.update().values(tried_stamp="")))
    assert await retry_fruitless(desk.indexing) == 1
    await desk.until(lambda: desk.state("scan.txt") == "EMPTY")
    assert await retry_fruitless(desk.indexing) == 0


async def test_nobody_is_asked_where_everything_has_text(desk: Desk) -> None:
    await desk.put("a.txt", "Words.")
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    asked = desk.extractor.asked
    assert await retry_fruitless(desk.indexing) == 0
    assert desk.extractor.asked == asked


def test_a_type_that_is_not_known_any_more_is_left_alone() -> None:
    stamps = Stamps({"pdf": "pdf/2"}, "chunking/1")
    assert worth_another_try(Tried("NO_TEXT", "novel", "text/1"), stamps) == ""
    assert worth_another_try(Tried("NO_TEXT", "pdf", "pdf/1"), stamps) == "pdf/2"
    assert worth_another_try(Tried("DOCUMENT_CORRUPT", "pdf", stamps.registry), stamps) == ""


async def test_sweeping_reads_a_row_a_combination_not_a_document(tmp_path: Path) -> None:
    async with desk_over(tmp_path, sweep=False) as desk:
        for number in range(3):
            await desk.put(f"{number}.txt", " ")
        update = tables.documents.update()
        await desk.indexing.manifest.write(
            lambda c: c.execute(update.values(state="EMPTY", error_reason="NO_TEXT", tried_stamp="a/1"))
        )
        found = await desk.indexing.manifest.read(lambda c: list(tries.tried(c)))
        assert found == [Tried("NO_TEXT", "", "a/1")]
        if desk.reader.dialect.name != "sqlite":
            pytest.skip("what follows asks SQLite for its plans")
        with desk.reader.connect() as connection:
            steps = [
                connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {_sql(statement, connection)}").one()[3]
                for statement in (tries.first(EMPTY), tries.following(EMPTY, found[0]))
            ]
        assert all("USING COVERING INDEX documents_tried" in step for step in steps)


def _sql(statement: Select[Any], connection: Connection) -> str:
    return str(statement.compile(connection, compile_kwargs={"literal_binds": True}))


def test_known_stamps_can_be_made_to_forget() -> None:
    known = KnownStamps(lambda: float("inf"))
    known.keep(Stamps({}, ""), 0)
    assert known.get(0) is None
