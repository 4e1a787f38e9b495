"""Records about the life of an index and about searches: run on a real suite, each in a collection of its own."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from findspot.client import connect_async
from findspot.errors import FindspotError
from tests.conformance import fused
from tests.conformance.notation import described, spread
from tests.conformance.records import expanded
from tests.conformance.suite_case import Case, Done, Unknown
from tests.conformance.suite_checks import made
from tests.conformance.suite_steps import VERBS
from tests.conformance.tally import Tally
from tests.e2e.suite_process import Suite, environment, running

OPERATIONS = ("lifecycle", "index", "index_search", "concurrent", "embed", "search", "rpc")
ALONE = ("restart", "restart_with", "kill")
"""Verbs that disturb others: their record gets a suite of its own."""
RECORD_SECONDS = 600.0


def records(file: Path) -> list[dict[str, Any]]:
    """The records that need a suite."""
    lines = file.read_text(encoding="utf-8", errors="surrogatepass").splitlines()
    known = (*OPERATIONS, "fuse")
    return [record for record in map(json.loads, lines) if record["input"].get("op") in known]


def run_suite_records(file: Path, tally: Tally) -> None:
    """Runs every record; most share one suite, which is started when the first of them needs it."""
    found = records(file)
    with tempfile.TemporaryDirectory(prefix="findspot-records-") as scratch, ExitStack() as stack:
        shared: Suite | None = None
        for record in found:
            if record["input"]["op"] == "fuse":
                for check in record["checks"]:
                    tally.note("records", record["id"], check["check"], fused.wrong(record["input"], check))
                continue
            if needs_own(record):
                folder = Path(scratch) / record["id"]
                with running(*_place(folder), Path(scratch) / "models") as suite:
                    asyncio.run(_run(record, suite, tally))
                continue
            if shared is None:
                shared = stack.enter_context(
                    running(*_place(Path(scratch) / "shared"), Path(scratch) / "models")
                )
            asyncio.run(_run(record, shared, tally))


def needs_own(record: Mapping[str, Any]) -> bool:
    """True when a step would disturb the records beside it."""
    return any(verb in step for step in record["input"].get("steps", ()) for verb in ALONE)


def _place(folder: Path) -> tuple[Path, dict[str, str]]:
    # Deep, so that a name with `..` in it would come out in a folder that the record's own.
    home = folder / "home"
    home.mkdir(parents=True)
    return folder / "a" / "b" / "c" / "data", environment(home)


async def _run(record: Mapping[str, Any], suite: Suite, tally: Tally) -> None:
    case = Case(suite, connect_async(suite.data), f"cases/{record['id'].lower()}")
    wrong = ""
    try:
        async with asyncio.timeout(RECORD_SECONDS):
            wrong = await _steps(case, record["input"])
        for check in record["checks"]:
            tally.note("records", record["id"], check["check"], wrong or await _made(case, check))
        await case.clear()
    finally:
        await case.client.close()


async def _made(case: Case, check: Mapping[str, Any]) -> str:
    try:
        return await made(case, check)
    except FindspotError as failure:
        return f"{type(failure).__name__}: {failure.message}"


async def _steps(case: Case, source: Mapping[str, Any]) -> str:
    """Runs the steps; what is wrong with the record itself, such as a verb that is unknown."""
    try:
        parallel = int(source.get("parallel", 1))
        planned = list(steps_of(source))
        case.plan(planned)
        case.every_search = source["op"] == "search"
        if source["op"] == "concurrent":
            # Ordered by the plan, not by who ends first: checks name steps by their number.
            case.done = [Done(verb, step) for verb, step in planned]
            gate = asyncio.Semaphore(max(parallel, 1))
            await asyncio.gather(*(_step(case, done, gate) for done in case.done))
        else:
            for verb, step in planned:
                case.done.append(Done(verb, step))
                await _step(case, case.done[-1])
        if source["op"] != "rpc":
            await case.settle()
    except Unknown as unknown:
        return f"this runner does not know {unknown}"
    except LookupError as unknown:
        return str(unknown)
    except TimeoutError:
        return "nothing came in time: the index was not idle, or a step did not end"
    except FindspotError as failure:
        return f"a step could not be waited for: {type(failure).__name__}: {failure.message}"
    return ""


async def _step(case: Case, done: Done, gate: asyncio.Semaphore | None = None) -> None:
    if gate is None:
        await VERBS[done.verb](case, done.step, done)
        return
    async with gate:
        await VERBS[done.verb](case, done.step, done)


def steps_of(source: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Everything that a record does, as (verb, step) pairs in order.

    Raises Unknown for a verb that this runner has no meaning for.
    """
    for document in source.get("docs", ()):
        yield "put", {"put": document["name"], **document}
    if "docs_gen" in source:
        yield "put_files", {"files": described(source["docs_gen"])}
    for step in source.get("steps", ()):
        yield verb_of(step), step
    for call in source.get("calls", ()):
        verb = verb_of(call)
        named = spread(call[verb]) if isinstance(call[verb], str) and "times" not in call else []
        for exact, number in named:
            yield verb, _numbered({**call, verb: exact}, number)
        if not named:
            yield verb, call
    if source["op"] == "embed":
        yield "embed", {"embed": expanded(source["text"])}
    if source["op"] == "rpc":
        yield verb_of_call(source), {"call": source["call"], "bytes": source["bytes"]}
    queries = source.get("queries", [source["query"]] if "query" in source else [])
    for query in queries:
        yield "search", {"search": expanded(query), "options": source.get("options", {}), **_mode(source)}


def verb_of(step: Mapping[str, Any]) -> str:
    """What a step does: the first of its keys that is a verb."""
    for verb in VERBS:
        if verb in step:
            return verb
    raise Unknown(f"the step {sorted(step)}")


def verb_of_call(source: Mapping[str, Any]) -> str:
    """The step that stands for a call of the API with so many bytes."""
    if source["call"] not in ("IndexDocument", "UploadDocument", "AddDocument"):
        raise Unknown(f"the call {source['call']!r}")
    return "put_bytes"


def _numbered(call: Mapping[str, Any], number: str) -> dict[str, Any]:
    if "text" not in call or not number:
        return dict(call)
    return {**call, "text": expanded(call["text"]).replace("{i}", number)}


def _mode(source: Mapping[str, Any]) -> dict[str, str]:
    return {"mode": source["mode"]} if "mode" in source else {}
