"""What each check of a record means for the steps that were run on a suite; each says what is wrong, or nothing."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from findspot.errors import (
    FailedPrecondition,
    FindspotError,
    InvalidArgument,
    NotFound,
    Reason,
    ResourceExhausted,
)
from findspot.v1 import indexing_pb2
from tests.conformance.search_checks import (
    all_failures,
    degraded_or_hit,
    distinct_docs,
    failures,
    hit,
    hit_count,
    no_hit,
    no_hit_doc,
    steps,
    top,
    unique_hits,
    within,
)
from tests.conformance.suite_case import Case, last_change, nfc
from tests.conformance.suite_memory import peak_mib
from tests.stub_calls import answered

Check = Mapping[str, Any]
_CODES: Mapping[str, type[FindspotError]] = {
    "INVALID_ARGUMENT": InvalidArgument,
    "NOT_FOUND": NotFound,
    "FAILED_PRECONDITION": FailedPrecondition,
    "RESOURCE_EXHAUSTED": ResourceExhausted,
}
_UNTYPED = (Reason.INTERNAL, Reason.DATA_LOSS)


async def chunk_total(case: Case, check: Check) -> str:
    read = await case.client.chunk(case.at(check["doc"]))
    return "" if within(read.total_chunks, check) else f"{read.total_chunks} chunks"


async def found(case: Case, check: Check) -> str:
    """The document can be read, by exactly the name that was given."""
    try:
        text = (await case.client.text(case.at(check["doc"]))).text
    except NotFound as missing:
        return missing.message
    return "" if check.get("text", text) in text else f"holds {text[:60]!r}"


async def not_found(case: Case, check: Check) -> str:
    """Nobody can read the document any more."""
    try:
        text = (await case.client.text(case.at(check["doc"]))).text
    except NotFound:
        return ""
    return f"holds {text[:60]!r}"


async def status(case: Case, check: Check) -> str:
    state = indexing_pb2.DocumentState.Name((await case.client.document(case.at(check["doc"]))).state)
    stated = state.removeprefix("DOCUMENT_STATE_").lower()
    return "" if stated == str(check["value"]).lower() else stated


async def doc_count(case: Case, check: Check) -> str:
    now = await case.client.status(case.collection)
    present = sum(
        state.document_count for state in now.states if state.state != indexing_pb2.DOCUMENT_STATE_RETIRED
    )
    return "" if within(present, check) else f"{present} documents"


async def chunk_count(case: Case, check: Check) -> str:
    counted = (await case.client.status(case.collection)).chunk_count
    return "" if within(counted, check) else f"{counted} chunks"


async def no_chunk_contains(case: Case, check: Check) -> str:
    async for chunk in case.chunks():
        if check["value"] in chunk.text or check["value"] in chunk.context:
            return f"chunk {chunk.chunk_index} of {chunk.file_path} holds {check['value']!r}"
    return ""


async def some_chunk_contains(case: Case, check: Check) -> str:
    async for chunk in case.chunks():
        if check["value"] in chunk.text:
            return ""
    return f"no chunk holds {check['value']!r}"


def no_error(case: Case, check: Check) -> str:
    return failures(steps(case, check))


def no_internal_error(case: Case, check: Check) -> str:
    for done in steps(case, check):
        for failure in done.failures:
            if failure.reason in _UNTYPED:
                return f"{done.verb}: {failure.message}"
    return ""


def error(case: Case, check: Check) -> str:
    for done in steps(case, check, "" if "step" in check else case.main_verb):
        if not done.failures:
            return f"{dict(done.step)!r:.80} was done"
        if "code" in check and not isinstance(done.failures[0], _CODES[check["code"]]):
            return f"{type(done.failures[0]).__name__}: {done.failures[0].message}"
    return ""


def ok_or_code(case: Case, check: Check) -> str:
    """Either it was done, or every failure has one of the codes and a message."""
    named = tuple(_CODES[code] for code in check["codes"])
    wrong = [failure for failure in all_failures(steps(case, check)) if not isinstance(failure, named)]
    return f"{type(wrong[0]).__name__}: {wrong[0].message}" if wrong else ""


def error_or_flag(case: Case, check: Check) -> str:
    """What was not done whole is said: by a failure with a type, or by a flag in the answer."""
    for done in steps(case, check, case.main_verb):
        if not done.flags and not done.failures:
            return "neither a failure nor a flag"
    return no_internal_error(case, check)


async def error_or_opaque(case: Case, check: Check) -> str:
    """A name is refused as INVALID_ARGUMENT, or is a key like any other: stored and told as it was given."""
    for done in steps(case, check, "put"):
        for failure in done.failures:
            if not isinstance(failure, InvalidArgument):
                return f"{done.names}: {type(failure).__name__} {failure.message}"
        if not done.failures:
            for name in done.names:
                told = (await case.client.document(case.at(name))).file_path
                if told != nfc(name):
                    return f"{name!r} is stored as {told!r}"
    return ""


def no_write_outside_data_dir(case: Case, check: Check) -> str:
    changed = [str(place) for place, before in case.outside.items() if last_change(place) != before]
    return f"changed: {changed}" if changed else ""


def peak_rss_max_mib(case: Case, check: Check) -> str:
    peaks = peak_mib(case.suite)
    over = {name: mib for name, mib in peaks.items() if mib > check["value"]}
    return f"{over} MiB" if over or not peaks else ""


def walk_contiguous(case: Case, check: Check) -> str:
    """Every number once, in order, from 0 to the total; nothing before the first and behind the last."""
    for done in steps(case, check, "walk"):
        walked = done.walked
        numbers = [read.chunk.chunk_index for read in walked if read.found]
        total = walked[0].total_chunks if walked else 0
        if numbers != list(range(total)) or not numbers:
            return f"{numbers[:20]} of {total}; {failures([done])}"
        if walked[0].HasField("prev_index") or walked[-1].HasField("next_index"):
            return "the first has a previous, or the last a next"
        before = [read.prev_index for read in walked[1:]]
        if before != numbers[:-1]:
            return f"previous ones are {before[:20]}"
    return ""


async def out_of_range_is_told(case: Case, check: Check) -> str:
    """A number past the end answers found = false with the valid range."""
    for done in steps(case, check, "walk"):
        total = done.walked[0].total_chunks
        for index in (total, total + 1000):
            read = await case.client.chunk(case.at(done.names[0], index))
            if read.found or read.total_chunks != total or str(total - 1) not in read.message:
                return f"{index}: found={read.found}, total={read.total_chunks}, {read.message!r}"
    return ""


async def diagnose_clean(case: Case, check: Check) -> str:
    request = indexing_pb2.DiagnoseRequest(thorough=True)
    examined = await answered(case.client.indexing.Diagnose(request, timeout=60))
    failed = [one for one in examined.checks if one.outcome == indexing_pb2.CHECK_OUTCOME_FAILED]
    return "; ".join(f"{one.name}: {one.message}" for one in failed)


async def made(case: Case, check: Check) -> str:
    """What is wrong with a check of a record; one that this runner does not know is wrong by name."""
    known = CHECKS.get(check["check"])
    if known is None:
        return f"this runner does not know the check {check['check']!r}"
    wrong = known(case, check)
    return await wrong if inspect.isawaitable(wrong) else str(wrong)


CHECKS: Mapping[str, Callable[[Case, Check], str | Awaitable[str]]] = {
    check.__name__: check
    for check in (
        hit, top, no_hit, no_hit_doc, distinct_docs, degraded_or_hit, chunk_total, status, doc_count, chunk_count,
        no_chunk_contains, some_chunk_contains, no_error, no_internal_error, error, ok_or_code, error_or_flag,
        error_or_opaque, no_write_outside_data_dir, peak_rss_max_mib, walk_contiguous, out_of_range_is_told,
        diagnose_clean, unique_hits, found, not_found,
    )
} | {
    "hits": hit_count,
    "no_duplicates": diagnose_clean,
    "no_duplicate_hits": unique_hits,
    "no_orphans": diagnose_clean,
    "counts_agree": diagnose_clean,
}  # fmt: skip
"""By their names in records."""
