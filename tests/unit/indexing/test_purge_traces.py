"""After a purge and its scrub no file of the data folder holds a byte of the document: real engines, every file read."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import numpy as np
import pytest
import zstandard
from indexing_fakes import IDENTITY, Desk, FakeEmbedder, FakeVectors, desk_over, replace
from tests.contract.vectors_process import VectorsProcess

from findspot.ids import content_hash
from findspot.model import EVERYTHING, Notice
from findspot.stores.manifest import operation_items, operations, scrubs, tombstones
from findspot.stores.manifest.operations import Standing
from findspot.stores.transcripts import TranscriptStore, read_from
from findspot.stores.vectors.store import VectorStore
from findspot_indexing import removal
from findspot_indexing.documents import DocumentName
from findspot_indexing.service import Limits

WORD = "xylophagousquartz"
TITLE = "perihelionmarmalade"
PATH = "private/velocipedeledger.txt"
TEXT = f"{TITLE}\n\nThe {WORD} was never to be found.\n\nNor was what came after the {WORD}."
DOOMED = DocumentName(collection="acme/notes", file_path=PATH)
AT_ONCE = replace(Limits(), scrub_seconds=0.0, sweep_seconds=5.0, retired_seconds=0.0)


def files(folder: Path) -> dict[str, bytes]:
    """Every file by its name; what was never written of it (the engine's log is mostly holes) left out."""
    return {str(path.relative_to(folder)): written(path) for path in folder.rglob("*") if path.is_file()}


def written(path: Path) -> bytes:
    content, position = bytearray(), 0
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while position < size:
            try:
                position = os.lseek(file.fileno(), position, os.SEEK_DATA)
            except OSError:  # nothing but a hole is left
                break
            end = os.lseek(file.fileno(), position, os.SEEK_HOLE)
            content += os.pread(file.fileno(), end - position, position)
            position = end
    return bytes(content).rstrip(b"\0")


def needles(desk: Desk, vectors: list[np.ndarray]) -> dict[str, bytes]:
    """What would be a trace, by what it is of."""
    document_id = str(desk.rows(f"SELECT id FROM documents WHERE file_path = '{PATH}'")[0][0])
    chunks = [str(r[0]) for r in desk.rows(f"SELECT id FROM chunks WHERE document_id = '{document_id}'")]
    assert len(chunks) >= 4
    texts = {"word": WORD, "title": TITLE, "path": PATH, "name": "velocipedeledger", "id": document_id}
    found: dict[str, bytes] = {"content hash": content_hash(TEXT.encode()).encode()}
    for name, text in texts.items():
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            found[f"{name} in {encoding}"] = text.encode(encoding)
    for identifier in (document_id, *chunks):
        found[f"{identifier} as text"] = identifier.encode()
        found[f"{identifier} as a number"] = uuid.UUID(identifier).bytes
        found[f"{identifier} as a number from behind"] = uuid.UUID(identifier).bytes[::-1]
    for number, vector in enumerate(vectors):
        # What normalising twice may change is the last bit of some numbers: three in a row are enough of a trace.
        found[f"vector {number}"] = vector.astype("<f4").tobytes()[:12]
    return found


def traces(folder: Path, wanted: dict[str, bytes]) -> list[str]:
    seen = []
    for name, content in files(folder).items():
        contents = [content]
        if name.endswith(".zst"):
            contents.append(zstandard.decompress(content))
        seen += [f"{what}: {name}" for what, bytes_ in wanted.items() if any(bytes_ in c for c in contents)]
        seen += [f"{what}: the name {name}" for what, bytes_ in wanted.items() if bytes_ in name.encode()]
    return seen


async def scrubbed(desk: Desk, operation_id: str) -> operations.Operation:
    wanted = f"SELECT state FROM operations WHERE id = '{operation_id}'"
    await desk.until(lambda: desk.rows(wanted)[0][0] != "RUNNING", 60)
    found = await desk.indexing.manifest.read(lambda c: operations.get(c, operation_id))
    assert found is not None
    assert found.state == "SUCCEEDED", found.error_message
    return found


async def live_through(desk: Desk) -> None:
    """A document that is edited, retired and returns, between others that stay."""
    for number in range(40):
        await desk.put(f"kept-{number}.txt", f"Kept {number}.\n\nIts second paragraph {number}.")
    await desk.put(PATH, TEXT, title=TITLE, metadata={"of": WORD}, request_id=str(uuid.uuid4()))
    await desk.until(lambda: desk.indexed(PATH, 1), 30)
    await desk.at_rest()
    await desk.put(PATH, TEXT + f"\n\nA later {WORD}.")
    await desk.until(lambda: desk.indexed(PATH, 2), 30)
    await desk.at_rest()
    await removal.delete(EVERYTHING, desk.indexing, DOOMED, request_id=str(uuid.uuid4()))


def embedded(desk: Desk) -> list[np.ndarray]:
    rows = desk.rows(
        "SELECT e.vector FROM embeddings e JOIN chunk_vectors v ON v.embed_hash = e.embed_hash JOIN documents d "
        f"ON d.id = v.document_id WHERE d.file_path = '{PATH}'"
    )
    return [np.frombuffer(bytes(row[0]), dtype="<f4") for row in rows]  # type: ignore[arg-type]


async def test_no_file_holds_a_byte_of_a_purged_document(tmp_path: Path) -> None:
    data = tmp_path / "data"
    embedder = FakeEmbedder(identity=replace(IDENTITY, dimension=16))
    with VectorsProcess(data, FINDSPOT_VECTORS_FLUSH_IDLE_SECONDS="0.05") as process:
        store = VectorStore(process.url)
        async with desk_over(data, limits=AT_ONCE, embedder=embedder, vectors=store) as desk:  # type: ignore[arg-type]
            await live_through(desk)
            wanted = needles(desk, embedded(desk))
            before = {trace.partition(":")[0] for trace in traces(data, wanted)}
            assert {"word in utf-8", "path in utf-8", "vector 0", "content hash"} <= before
            purged = await removal.purge(EVERYTHING, desk.indexing, DOOMED, request_id=str(uuid.uuid4()))
            operation = await scrubbed(desk, purged.scrub_id)
            assert traces(data, wanted) == []
            counts = operation.standing.counts or {}
            assert (counts["text_written"], counts["collections_rewritten"]) == (80, 1)
            assert desk.text.count() == 80
            assert await store.count((await store.collections())[0]) == 80
            assert desk.counters_match()
        await store.close()
    assert traces(data, wanted) == []
    assert [name for name in files(data) if name.endswith("-wal") and files(data)[name]] == []


async def test_history_and_transcripts_forget_it_too(tmp_path: Path) -> None:
    store = TranscriptStore(tmp_path / "transcripts")
    async with desk_over(tmp_path, limits=AT_ONCE, vectors=FakeVectors()) as desk:
        object.__setattr__(desk.indexing, "transcripts", store)
        await desk.put(PATH, TEXT)
        await desk.put("other.txt", "Of somebody else.")
        await desk.until(lambda: desk.indexed(PATH, 1) and desk.indexed("other.txt", 1))
        await desk.at_rest()
        with read_from(content_hash(TEXT.encode())):
            store.put(store.key("page", "model", "1"), f"It shows the {WORD}.")
        with read_from(content_hash(b"Of somebody else.")):
            store.put(store.key("other page", "model", "1"), "It shows another.")
        document_id = str(desk.rows(f"SELECT id FROM documents WHERE file_path = '{PATH}'")[0][0])

        def remember(connection: object) -> None:
            now = desk.indexing.clock()
            notices = (Notice("REFUSED", f"{PATH} was refused."), Notice("OTHER", "other.txt was not."))
            asked = {"document_id": document_id, "paths": [PATH, "other.txt"]}
            standing = Standing(notices=notices, notice_count=2)
            scope = f"acme/notes/{PATH}"
            one = operations.begin(
                connection, "past", scope=scope, within=None, request=asked, now=now, standing=standing
            )  # type: ignore[arg-type]
            operation_items.add(connection, one, [document_id, PATH, "other.txt"])  # type: ignore[arg-type]

        await desk.indexing.manifest.write(remember)
        purged = await removal.purge(EVERYTHING, desk.indexing, DOOMED)
        await scrubbed(desk, purged.scrub_id)
        assert desk.rows("SELECT item FROM operation_items") == [("other.txt",)]
        (past,) = desk.rows("SELECT scope, request, progress FROM operations WHERE kind = 'past'")
        assert past[0] == "acme/notes/(purged)"
        assert "other.txt was not." in str(past[2])
        assert WORD not in "".join(path.read_text() for path in (tmp_path / "transcripts").rglob("*.json"))
        assert len(list((tmp_path / "transcripts").rglob("*.json"))) == 1
        gone = {"path": PATH.encode(), "id": document_id.encode(), "word": WORD.encode()}
        assert traces(tmp_path, gone) == []
        assert await desk.indexing.manifest.read(lambda c: tombstones.purged(c, document_id))
        assert desk.rows("SELECT file_path, content_hash, kind FROM tombstones") == [("", "", "PURGED")]


async def test_purges_share_a_scrub_and_the_next_one_rests(tmp_path: Path) -> None:
    quiet = replace(AT_ONCE, scrub_seconds=3600.0)
    async with desk_over(tmp_path, limits=quiet) as desk:
        for name in "abc":
            await desk.put(f"{name}.txt", f"Text of {name}.")
        await desk.until(lambda: all(desk.state(f"{name}.txt") == "INDEXED" for name in "abc"))
        await desk.at_rest()
        first, second = [
            await removal.purge(
                EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path=f"{name}.txt")
            )
            for name in "ab"
        ]
        assert first.scrub_id == second.scrub_id
        assert desk.rows("SELECT state, started_at FROM operations WHERE kind = 'scrub'") == [("RUNNING", 0)]
        assert await desk.indexing.manifest.read(scrubs.due) != (0, 0)
        hurried = await desk.indexing.manifest.write(lambda c: scrubs.hurry(c, desk.indexing.clock()))
        assert hurried == first.scrub_id
        desk.indexing.wake.operations.set()
        await scrubbed(desk, first.scrub_id)
        third = await removal.purge(
            EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="c.txt")
        )
        assert third.scrub_id != first.scrub_id


@pytest.mark.both_manifests
async def test_a_scrub_leaves_what_is_live_as_it_was(desk: Desk) -> None:
    await desk.put("a.txt", "Text of a.")
    await desk.put("b.txt", "Text of b.")
    await desk.until(lambda: desk.state("a.txt") == desk.state("b.txt") == "INDEXED")
    await desk.at_rest()
    await removal.purge(EVERYTHING, desk.indexing, DocumentName(collection="acme/notes", file_path="a.txt"))
    operation_id = await desk.indexing.manifest.write(lambda c: scrubs.hurry(c, desk.indexing.clock()))
    desk.indexing.wake.operations.set()
    await scrubbed(desk, operation_id)
    assert desk.text.count() == len(desk.vectors.all) == 1
    assert desk.counters_match()
