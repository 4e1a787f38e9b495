"""What each verb of a record does on a suite."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from findspot.client import requests
from findspot.v1 import common_pb2, embedding_pb2, indexing_pb2
from tests.conformance.notation import File, files, sentences, spread
from tests.conformance.suite_case import Case, Done, Unknown, nfc
from tests.crash.world import kill_service
from tests.fixtures.tiny_models import write_tiny_model
from tests.stub_calls import call

Step = Mapping[str, Any]
MODES = ("hybrid", "text", "semantic")
LONGEST_WALK = 100_000
_OPTIONS = {
    "mode": "mode",
    "limit": "limit",
    "page_size": "limit",
    "group": "group_by",
    "group_by": "group_by",
    "max_per_group": "max_per_group",
    "filter": "metadata",
    "min_similarity": "min_similarity",
    "kinds": "kinds",
    "languages": "languages",
    "paths": "paths",
    "exclude_paths": "exclude_paths",
}
_STAGES = {
    "": indexing_pb2.REINDEX_STAGE_UNSPECIFIED,
    "extract": indexing_pb2.REINDEX_STAGE_EXTRACT,
    "chunk": indexing_pb2.REINDEX_STAGE_CHUNK,
    "embed": indexing_pb2.REINDEX_STAGE_EMBED,
}


async def put(case: Case, step: Step, done: Done) -> None:
    for file in files(step):
        await case.put(done, file)


async def delete(case: Case, step: Step, done: Done) -> None:
    for name, _ in spread(step["delete"]):
        done.names.append(name)
        named = indexing_pb2.DeleteDocumentRequest(name=requests.document_name(case.at(name)))
        if await case.attempt(done, partial(call, case.client.indexing.DeleteDocument, named)):
            case.deleted.add(nfc(name))


async def purge(case: Case, step: Step, done: Done) -> None:
    for name, _ in spread(step["purge"]):
        done.names.append(name)
        named = indexing_pb2.PurgeDocumentRequest(name=requests.document_name(case.at(name)))
        if await case.attempt(done, partial(call, case.client.indexing.PurgeDocument, named)):
            case.deleted.add(nfc(name))


async def move(case: Case, step: Step, done: Done) -> None:
    """A file under another path, as a client of the API moves it: sent there, then deleted here."""
    await case.settle()
    old, new = step.get("move", step.get("rename")), step["to"]
    document = await case.attempt(done, lambda: case.client.text(case.at(old)))
    if document is not None:
        await put(case, {"put": new, "text": document.text}, done)
        await delete(case, {"delete": old}, done)


async def search(case: Case, step: Step, done: Done) -> None:
    """Asks in the mode that is wanted, and in both arms alone, for the checks that name one."""
    await case.settle()
    options = search_options(
        {**step.get("options", {}), **({"mode": step["mode"]} if "mode" in step else {})}
    )
    asked = options.pop("mode", "hybrid")
    for mode in dict.fromkeys((asked, *MODES)):
        ask = partial(case.client.search, step["search"], collection=case.collection, mode=mode, **options)
        answer = await case.attempt(done if mode == asked else Done(done.verb, step), ask)
        if answer is not None:
            done.answers[mode] = answer
            if mode == asked:
                done.answers["asked"] = answer
                done.flags += [degraded.arm for degraded in answer.degradations]


def search_options(stated: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a record in the words of the client."""
    unknown = stated.keys() - _OPTIONS.keys()
    if unknown:
        raise Unknown(f"the search options {sorted(unknown)}")
    return {_OPTIONS[name]: value for name, value in stated.items()}


async def walk(case: Case, step: Step, done: Done) -> None:
    """Reads chunk after chunk by the number that each tells, then one past the end and one before the start."""
    await case.settle()
    name: str = step["walk"]
    index: int | None = 0
    done.names.append(name)
    while index is not None and len(done.walked) < LONGEST_WALK:
        read = await case.attempt(done, partial(case.client.chunk, case.at(name, index)))
        if read is None:
            return
        done.walked.append(read)
        index = read.next_index if read.HasField("next_index") else None


async def read(case: Case, step: Step, done: Done) -> None:
    await case.settle()
    name = step.get("read", step.get("get"))
    done.names.append(name)
    await case.attempt(done, lambda: case.client.text(case.at(name)))


async def reindex(case: Case, step: Step, done: Done) -> None:
    stage = str(step.get("from", step.get("from_stage", ""))).lower()
    request = indexing_pb2.ReindexRequest(from_stage=_STAGES[stage], force=step.get("force", True))
    if isinstance(step["reindex"], str):
        request.name.CopyFrom(requests.document_name(case.at(step["reindex"])))
    else:
        request.subtree = case.collection
    await case.attempt(done, partial(call, case.client.indexing.Reindex, request))
    await case.settle()


async def repair(case: Case, step: Step, done: Done) -> None:
    request = indexing_pb2.RepairRequest(subtree=case.collection)
    await case.attempt(done, partial(call, case.client.indexing.Repair, request))
    await case.settle()


async def wait(case: Case, step: Step, done: Done) -> None:
    await case.settle()


async def restart_with(case: Case, step: Step, done: Done) -> None:
    """Ends the suite, and starts it with another model, of another size when one is given, or with none."""
    wanted = step["restart_with"] if isinstance(step.get("restart_with"), dict) else {}
    unknown = wanted.keys() - {"embedding_model", "model", "dim", "dimension", "provider"}
    if unknown:
        raise Unknown(f"restart_with {sorted(unknown)}")
    await case.settle()
    await asyncio.to_thread(case.suite.stop)
    name = wanted.get("embedding_model", wanted.get("model"))
    if name in ("none", None) and wanted.get("provider", "none" if name == "none" else "") == "none":
        case.suite.environment["FINDSPOT_EMBEDDING_PROVIDER"] = "none"
    elif wanted:
        size = int(wanted.get("dim", wanted.get("dimension", 384)))
        folder = case.suite.data.parent / "other-models" / f"{name or 'other'}-{size}"
        write_tiny_model(folder, dimension=size, seed=len(str(name)))
        case.suite.environment["FINDSPOT_EMBEDDING_MODEL"] = str(folder)
    await asyncio.to_thread(case.suite.start)
    await case.reconnect()
    await case.settle()


async def kill(case: Case, step: Step, done: Done) -> None:
    """Ends a service as the kernel would; the supervisor starts it again."""
    await kill_service(case.suite, step["kill"])
    await case.reconnect()


async def embed(case: Case, step: Step, done: Done) -> None:
    """Asks for the vector of a text as it is."""
    request = embedding_pb2.EmbedRequest(texts=[step["embed"]], input_type=embedding_pb2.INPUT_TYPE_DOCUMENT)
    answer = await case.attempt(done, partial(call, case.client.embedding.Embed, request))
    if answer is not None:
        done.flags += [requests.reason_of(common_pb2.Failure(reason=item.reason)) for item in answer.failures]


async def put_files(case: Case, step: Step, done: Done) -> None:
    """Many files, several at a time."""
    gate = asyncio.Semaphore(8)

    async def one(file: File) -> None:
        async with gate:
            await case.put(done, file)

    await asyncio.gather(*(one(file) for file in step["files"]))


async def put_bytes(case: Case, step: Step, done: Done) -> None:
    """One file of so many bytes, in words."""
    data = "".join(sentences("A long record of readings. ", step["bytes"])).encode()[: step["bytes"]]
    await case.put(done, File("large.txt", data))


VERBS: dict[str, Callable[[Case, Step, Done], Awaitable[None]]] = {
    "put": put,
    "delete": delete,
    "purge": purge,
    "move": move,
    "rename": move,
    "search": search,
    "walk": walk,
    "read": read,
    "get": read,
    "reindex": reindex,
    "repair": repair,
    "wait": wait,
    "restart": restart_with,
    "restart_with": restart_with,
    "kill": kill,
    "embed": embed,
    "put_files": put_files,
    "put_bytes": put_bytes,
}
