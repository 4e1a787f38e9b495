"""Taking files in: the hash gate, request ids, generations, and which files have to be sent at all."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from indexing_fakes import Desk

from findspot.errors import Aborted, DataLoss, InvalidArgument, NotFound, PermissionDenied, Reason
from findspot.ids import content_hash
from findspot.model import EVERYTHING, Caller
from findspot_indexing import check_documents, removal, upload
from findspot_indexing.documents import DocumentName


async def test_the_same_content_is_a_no_op_while_it_waits_and_when_it_is_there(still: Desk) -> None:
    first = await still.put("a.txt", "one")
    second = await still.put("a.txt", "one")
    assert (first.unchanged, second.unchanged) == (False, True)
    assert second.view.document.id == first.view.document.id
    assert second.view.document.next_generation == 1


async def test_other_content_options_or_force_are_a_new_generation(still: Desk) -> None:
    await still.put("a.txt", "one")
    generations = [
        (await still.put("a.txt", "two")).view.document.next_generation,
        (await still.put("a.txt", "two", title="Named")).view.document.next_generation,
        (await still.put("a.txt", "two", title="Named", metadata={"k": "v"})).view.document.next_generation,
        (
            await still.put("a.txt", "two", title="Named", metadata={"k": "v"}, force=True)
        ).view.document.next_generation,
    ]
    assert generations == [2, 3, 4, 5]
    assert (await still.put("a.txt", "two", title="Named", metadata={"k": "v"})).unchanged
    assert still.counters_match()


async def test_touching_a_file_without_changing_it_does_nothing(still: Desk) -> None:
    await still.put("a.txt", "one", source_modified_at=1)
    assert (await still.put("a.txt", "one", source_modified_at=2)).unchanged


async def test_an_acknowledged_file_is_stored_whole(still: Desk) -> None:
    data = bytes(range(256)) * 100
    await still.put_bytes("a.bin", data)
    assert still.indexing.blobs.get(content_hash(data)) == data
    assert still.rows("SELECT key, size, kind FROM blobs") == [(content_hash(data), len(data), "original")]


async def test_a_request_id_gives_the_first_answer_again(still: Desk) -> None:
    request = str(uuid.uuid4())
    first = await still.put("a.txt", "one", request_id=request, force=True)
    again = await still.put("a.txt", "one", request_id=request.upper(), force=True)
    assert again.view.document.next_generation == first.view.document.next_generation == 1
    assert again.revision == first.revision
    with pytest.raises(InvalidArgument) as reused:
        await still.put("a.txt", "other", request_id=request)
    assert reused.value.reason is Reason.REQUEST_ID_REUSED


async def test_one_request_sent_twice_at_once_acts_once(still: Desk) -> None:
    request = str(uuid.uuid4())
    answers = await asyncio.gather(
        *(still.put("a.txt", "one", request_id=request, force=True) for _ in range(5))
    )
    assert {answer.view.document.next_generation for answer in answers} == {1}


async def test_a_generation_that_is_not_there_refuses_the_upload(desk: Desk) -> None:
    await desk.put("a.txt", "one", if_generation=0)
    await desk.until(lambda: desk.state("a.txt") == "INDEXED")
    for wrong in (0, 2):
        with pytest.raises(Aborted) as refused:
            await desk.put("a.txt", "two", if_generation=wrong)
        assert refused.value.reason is Reason.GENERATION_MISMATCH
    taken = await desk.put("a.txt", "two", if_generation=1)
    assert taken.view.document.next_generation == 2


async def test_of_two_who_read_the_same_generation_one_wins(still: Desk) -> None:
    both = await asyncio.gather(
        *(still.put("a.txt", text, if_generation=0) for text in ("one", "two")), return_exceptions=True
    )
    assert sorted(type(answer).__name__ for answer in both) == ["Aborted", "Uploaded"]


async def test_collections_are_made_unless_they_must_be_there(still: Desk) -> None:
    with pytest.raises(NotFound) as missing:
        await still.put("a.txt", "one", require_collection=True)
    assert missing.value.reason is Reason.COLLECTION_NOT_FOUND
    await still.put("a.txt", "one")
    await still.put("b.txt", "two", require_collection=True)
    assert still.rows("SELECT path, tenant FROM collections") == [("acme/notes", "acme")]


async def test_what_may_not_be_seen_is_missing_and_readers_do_not_write(still: Desk) -> None:
    header = upload.UploadHeader("acme/notes", "a.txt", 1, content_hash(b"x"))

    async def content(_: int) -> bytes:
        raise AssertionError("nothing is read for a caller who may not write")

    with pytest.raises(NotFound):
        await upload.upload(Caller("eve", ("other",)), still.indexing, header, content)
    with pytest.raises(PermissionDenied):
        await upload.upload(Caller("ann", None, "reader"), still.indexing, header, content)


async def test_a_deleted_document_comes_back_under_its_id(still: Desk) -> None:
    first = await still.put("a.txt", "one")
    name = DocumentName(collection="acme/notes", file_path="a.txt")
    await removal.delete(EVERYTHING, still.indexing, name)
    back = await still.put("a.txt", "one")
    assert not back.unchanged
    assert back.view.document.id == first.view.document.id
    assert back.view.document.state == "PENDING"
    assert still.counters_match()


async def test_check_tells_what_has_to_be_sent(desk: Desk) -> None:
    desk.extractor.always["bad.txt"] = InvalidArgument("no", reason=Reason.DOCUMENT_CORRUPT)
    desk.extractor.always["odd.txt"] = DataLoss("odd", reason=Reason.INTERNAL)
    for name in ("a.txt", "gone.txt", "bad.txt", "odd.txt"):
        await desk.put(name, name)
    gone = DocumentName(collection="acme/notes", file_path="gone.txt")
    await removal.delete(EVERYTHING, desk.indexing, gone)
    await desk.until(lambda: {desk.state("bad.txt"), desk.state("odd.txt")} == {"FAILED"})
    asked = [
        ("a.txt", content_hash(b"a.txt")),
        ("a.txt", content_hash(b"new")),
        ("b.txt", content_hash(b"b.txt")),
        ("../c", content_hash(b"c")),
        ("gone.txt", content_hash(b"gone.txt")),
        ("bad.txt", content_hash(b"bad.txt")),
        ("odd.txt", content_hash(b"odd.txt")),
    ]
    checks = await check_documents.check(EVERYTHING, desk.indexing, "acme/notes", asked)
    assert [check.need for check in checks] == [
        "UNCHANGED", "CHANGED", "NEW", "REFUSED", "NEW", "UNCHANGED", "CHANGED",
    ]  # fmt: skip
    assert checks[3].refusal is not None
    assert checks[3].refusal.reason is Reason.FILE_PATH_INVALID


async def test_check_knows_collections_that_are_not_there(still: Desk) -> None:
    checks = await check_documents.check(EVERYTHING, still.indexing, "no/where", [("a", "0" * 64)])
    assert [check.need for check in checks] == ["NEW"]
    with pytest.raises(InvalidArgument, match="the limit is 10000"):
        await check_documents.check(EVERYTHING, still.indexing, "a", [("a", "")] * 10_001)
