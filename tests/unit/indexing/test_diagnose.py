"""Diagnose says why nothing is found, how bad it is, and what to do."""

from __future__ import annotations

import os
from collections import namedtuple
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from indexing_fakes import IDENTITY, QUICK, Desk, FakeBatch, FakeEmbedder, away, desk_over

from findspot.errors import Internal, Reason, Unavailable
from findspot.model import EVERYTHING, Caller
from findspot.stores.manifest import counters
from findspot_indexing import part_checks, removal
from findspot_indexing.checks import Check, Outcome
from findspot_indexing.diagnose import diagnose
from findspot_indexing.documents import DocumentName

OK, WARNING, FAILED = Outcome.OK, Outcome.WARNING, Outcome.FAILED


async def by_name(desk: Desk, subtree: str = "", *, thorough: bool = False) -> dict[str, Check]:
    checks = await diagnose(EVERYTHING, desk.indexing, subtree, thorough=thorough)
    assert len({check.name for check in checks}) == len(checks)
    return {check.name: check for check in checks}


async def bad(desk: Desk, *, thorough: bool = False) -> dict[str, Outcome]:
    found = await by_name(desk, thorough=thorough)
    return {name: check.outcome for name, check in found.items() if check.outcome is not OK}


async def add(desk: Desk, *names: str) -> None:
    for name in names:
        await desk.put(name, f"Text of {name}.\n\nMore of {name}.")
    await desk.until(lambda: all(desk.state(name) == "INDEXED" for name in names))
    await desk.at_rest()


async def test_an_index_in_order_has_nothing_but_good_news(desk: Desk) -> None:
    await add(desk, "a.txt")
    assert await bad(desk, thorough=True) == {}
    names = set(await by_name(desk, thorough=True))
    assert names >= {"extraction.reachable", "chunking.reachable", "embedding.request", "disk.space"}
    assert names >= {"text.entries", "vectors.entries", "manifest.counters", "blobs.files", "text.files"}
    assert "text.entries" not in await by_name(desk)


async def test_it_says_why_nothing_is_found(desk: Desk) -> None:
    assert (await by_name(desk))["documents.present"].message.endswith("`findspot add FOLDER`.")
    desk.extractor.always["broken.txt"] = Internal("It cannot be parsed.", reason=Reason.DOCUMENT_CORRUPT)
    await desk.put("broken.txt", "x")
    await desk.until(lambda: desk.state("broken.txt") == "FAILED")
    found = await by_name(desk)
    assert found["documents.present"].outcome is FAILED
    assert (
        "1 document failed: 1 with DOCUMENT_CORRUPT, for example broken.txt: It cannot be parsed. What"
        in found["documents.failed"].message
    )
    nowhere = (await by_name(desk, "acme/elsewhere"))["documents.present"]
    assert (nowhere.outcome, "no collection acme/elsewhere" in nowhere.message) == (WARNING, True)
    await desk.put("empty.txt", "  ")
    await desk.until(lambda: desk.state("empty.txt") == "EMPTY")
    await add(desk, "a.txt")
    assert (await by_name(desk))["documents.present"].outcome is OK


async def test_waiting_documents_are_a_warning_once_they_wait_long(tmp_path: Path) -> None:
    moment = [1_000_000_000_000_000]
    async with desk_over(tmp_path, sweep=False, now=lambda: moment[0]) as desk:
        await desk.put("a.txt", "x")
        moment[0] += 59_000_000
        found = await by_name(desk)
        assert found["documents.waiting"].outcome is OK
        assert "oldest for 0 min 59 s" in found["documents.waiting"].message
        assert "Nothing can be found yet" in found["documents.present"].message
        moment[0] += 600_000_000
        assert (await by_name(desk))["documents.waiting"].outcome is WARNING


async def test_chunks_that_were_given_up_are_told_by_reason(tmp_path: Path) -> None:
    embedder = FakeEmbedder(refused={"Long one.": Reason.EMBEDDING_INPUT_TOO_LONG})
    async with desk_over(tmp_path, embedder=embedder, limits=replace(QUICK, max_attempts=1)) as desk:
        await desk.put("a.txt", "Long one.\n\nShort one.")
        await desk.until(lambda: desk.rows("SELECT 1 FROM chunk_vectors WHERE state = 'FAILED'"))
        found = (await by_name(desk))["vectors.failed"]
        assert found.outcome is WARNING
        assert "1 with EMBEDDING_INPUT_TOO_LONG, for example: refused" in found.message


async def test_parts_that_are_away_are_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await add(desk, "a.txt")

    async def gone(**_: object) -> None:
        raise away("extraction")

    monkeypatch.setattr(desk.extractor, "document_types", gone)
    desk.vectors.down = True
    found = await by_name(desk)
    assert found["extraction.reachable"].outcome is FAILED
    assert "`findspot up` starts it" in found["extraction.reachable"].message
    assert found["chunking.reachable"].outcome is OK
    assert (found["vectors.count"].outcome, found["text.count"].outcome) == (FAILED, OK)
    assert (await by_name(desk, thorough=True))["entries.compared"].outcome is FAILED


@dataclass
class OddEmbedder(FakeEmbedder):
    """Answers the question of the diagnosis with any vectors."""

    answer: np.ndarray | None = None

    async def embed(self, texts, input_type, identity_key="", **options):  # type: ignore[no-untyped-def]
        if self.answer is None or not texts[0].startswith("Findspot asks"):
            return await super().embed(texts, input_type, identity_key, **options)
        return FakeBatch(IDENTITY, self.answer, ())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.zeros((1, 8)), "all zeros"),
        (np.full((1, 8), np.nan), "not finite"),
        (np.ones((1, 7)), "1 vector of 8 numbers, answered (1, 7)"),
        (np.ones((2, 8)), "1 vector of 8 numbers, answered (2, 8)"),
    ],
)
async def test_the_shape_of_an_answer_is_checked(tmp_path: Path, answer: np.ndarray, said: str) -> None:
    embedder = OddEmbedder()
    async with desk_over(tmp_path, embedder=embedder) as desk:
        await add(desk, "a.txt")
        embedder.answer = answer.astype(np.float32)
        found = (await by_name(desk))["embedding.request"]
        assert (found.outcome, said in found.message) == (FAILED, True)


async def test_being_without_a_model_is_a_warning_and_nothing_worse(tmp_path: Path) -> None:
    async with desk_over(tmp_path, embedder=FakeEmbedder(identity=None)) as desk:
        await desk.put("a.txt", "x")
        await desk.until(lambda: desk.state("a.txt") == "CHUNKED")
        await desk.at_rest()
        assert set((await bad(desk, thorough=True)).values()) == {WARNING}


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize(("free", "outcome"), [(10 * 1024**3, OK), (500 * 1024**2, WARNING), (1024, FAILED)])
async def test_a_disk_that_is_nearly_full_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, free: int, outcome: Outcome
) -> None:
    monkeypatch.setattr(part_checks.shutil, "disk_usage", lambda _: Usage(20 * 1024**3, 0, free))
    assert (await by_name(desk))["disk.space"].outcome is outcome


async def test_thorough_tells_orphans_from_what_is_missing(desk: Desk) -> None:
    await add(desk, "a.txt", "b.txt")
    (points,) = desk.vectors.points.values()
    stray = replace(next(iter(points.values())), id="00000000-0000-5000-8000-000000000000")
    points[stray.id] = stray
    assert await bad(desk, thorough=True) == {"vectors.entries": WARNING}
    del points[next(key for key in points if key != stray.id)]
    desk.text.delete([str(desk.rows("SELECT id FROM chunks")[0][0])])
    desk.text.commit()
    found = await by_name(desk, thorough=True)
    assert found["vectors.entries"].outcome is FAILED
    assert "1 missing, 1 orphaned" in found["vectors.entries"].message
    assert "`findspot repair` mends it" in found["text.entries"].message
    part = Caller("p", ("acme/notes",), "reader")
    seen = {check.name for check in await diagnose(part, desk.indexing, thorough=True)}
    assert "manifest.counters" not in seen


async def test_damage_that_no_count_shows_is_told(desk: Desk) -> None:
    await add(desk, "a.txt")
    (file,) = desk.text.directory.glob("*.store")
    content = bytearray(file.read_bytes())
    content[2] ^= 1
    file.write_bytes(content)
    assert await bad(desk, thorough=True) == {"text.files": FAILED}
    blob = next(path for path in (desk.data / "blobs").rglob("*") if path.is_file())
    blob.unlink()
    assert (await bad(desk, thorough=True))["blobs.files"] is FAILED


async def test_a_text_index_that_is_being_filled_is_told(tmp_path: Path) -> None:
    async with desk_over(tmp_path) as desk:
        await add(desk, "a.txt")
        for file in desk.text.directory.glob("*.idx"):
            os.unlink(file)
    async with desk_over(tmp_path, sweep=False) as desk:
        found = await by_name(desk)
        assert found["text.complete"].outcome is FAILED
        assert "being filled" in found["text.complete"].message
        assert found["text.count"].outcome is FAILED


async def test_counters_that_disagree_are_told(desk: Desk) -> None:
    await add(desk, "a.txt")
    collection = str(desk.rows("SELECT collection_id FROM documents")[0][0])
    await desk.indexing.manifest.write(lambda c: counters.add(c, {(collection, "", "documents.EMPTY"): 2}))
    assert await bad(desk, thorough=True) == {"manifest.counters": FAILED}


async def test_purges_that_wait_for_their_scrub_are_told(tmp_path: Path) -> None:
    moment = [1_700_000_000_000_000]
    async with desk_over(tmp_path, now=lambda: moment[0]) as desk:
        await add(desk, "a.txt")
        await removal.purge(
            EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="a.txt")
        )
        found = (await by_name(desk))["purges.scrubbed"]
        assert (found.outcome, "takes them out soon" in found.message) == (OK, True)


async def test_a_failed_text_count_is_typed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> int:
        raise Unavailable("The text index cannot be read.", reason=Reason.TEXT_INDEX_UNAVAILABLE)

    monkeypatch.setattr(desk.text, "count", broken)
    assert (await by_name(desk))["text.count"].outcome is FAILED
