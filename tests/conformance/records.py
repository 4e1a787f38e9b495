"""Reported faults as small inputs: each cut through the services, each check made on what came."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from findspot.errors import Reason
from findspot.model import ChunkedDocument, ChunkingOptions, ExtractedDocument, Strategy
from tests.conformance.built_files import BUILT
from tests.conformance.reading import UNTYPED, Outcome, Services
from tests.conformance.record_checks import ERRORS, VERDICTS
from tests.conformance.tally import Tally

OPERATIONS = ("chunk", "extract_chunk")
_STRATEGIES = {"structure": "semantic", "sliding": "sliding_window", "code": "syntactic"}


def records(file: Path) -> list[dict[str, Any]]:
    """The records that are about chunks."""
    lines = file.read_text(encoding="utf-8", errors="surrogatepass").splitlines()
    return [record for record in map(json.loads, lines) if record["input"].get("op") in OPERATIONS]


async def run_records(services: Services, file: Path, tally: Tally) -> None:
    """Runs every record."""
    readable = {item.name for item in await services.extraction.document_types() if item.readable}
    for record in records(file):
        name, data = content(record)
        outcome = await services.outcome(data, name, options(record["input"].get("options", {})))
        _compare(record, outcome, readable, tally)


def content(record: Mapping[str, Any]) -> tuple[str, bytes]:
    """The file of a record: its name and its bytes."""
    source = record["input"]
    if "build" in source:
        for begin, (extension, build) in BUILT.items():
            if source["build"].startswith(begin):
                return f"{record['id']}.{extension}", build()
        raise LookupError(f"{record['id']}: nothing here builds {source['build']!r}")
    data = base64.b64decode(source["bytes_b64"]) if "bytes_b64" in source else _bytes(source["text"])
    return f"{record['id']}.{source['format']}", data


def expanded(parts: str | Sequence[Any]) -> str:
    """Text in the short notation of the records, written out."""
    return parts if isinstance(parts, str) else "".join(piece for part in parts for piece in _pieces(part))


def _pieces(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif "repeat" in part:
        yield part["repeat"] * part["times"]
    else:
        yield from (part["count"].replace("{i}", str(i)) for i in range(part["from"], part["to"] + 1))


def _bytes(parts: str | Sequence[Any]) -> bytes:
    return expanded(parts).encode("utf-8", "surrogatepass")


def options(stated: Mapping[str, Any]) -> ChunkingOptions:
    """The options of a record in the words of the API."""
    named = stated.get("strategy")
    strategy = Strategy(_STRATEGIES.get(named, named)) if named else None
    return ChunkingOptions(strategy, stated.get("size"), stated.get("overlap"))


def _compare(record: Mapping[str, Any], outcome: Outcome, readable: set[str], tally: Tally) -> None:
    case, failure = record["id"], outcome.failure
    if failure is not None and failure.reason in UNTYPED:
        tally.crashes.append(f"{case}: {failure.message}")
    if failure is not None and failure.reason is Reason.UNSUPPORTED_TYPE:
        wanted = content(record)[0].rpartition(".")[2]
        if wanted not in readable:
            tally.later[wanted] += len(record["checks"])
            return
    for check in checks(record):
        tally.note("records", case, check["check"], verdict(outcome, check))


def checks(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The checks of a record, and for plain text and code one of ours: the text that is cut is the one that was given."""
    for check in record["checks"]:
        yield check
        if check["check"] == "heading_path_of":
            yield {**check, "check": "heading_path_in_sight"}
    refused = any(check["check"] == "error" for check in record["checks"])
    if record["input"].get("format") in ("txt", "py") and not refused and _is_unicode(content(record)[1]):
        yield {"check": "text_is_the_source"}


def verdict(outcome: Outcome, check: Mapping[str, Any]) -> str:
    """What is wrong; empty when the check holds however the chunks are bound."""
    name = check["check"]
    if "within_s" in check and outcome.seconds > check["within_s"]:
        return f"took {outcome.seconds:.1f} s"
    if name == "error":
        return "" if isinstance(outcome.failure, ERRORS[check["code"]]) else f"{outcome.failure or 'was cut'}"
    if name.endswith("_or_error"):
        if outcome.failure is not None:
            return ""
        name = name.removesuffix("_or_error")
    if outcome.document is None or outcome.cut is None or outcome.cut_by_size is None:
        return f"failed: {outcome.failure.message if outcome.failure else 'nothing came'}"
    if name == "ends":
        return ""
    if name == "text_is_the_source":
        return "" if outcome.document.text == outcome.data.decode() else "the text differs from the source"
    wrong = _try(name, outcome.document, outcome.cut, check)
    by_size = _try(name, outcome.document, outcome.cut_by_size, check)
    return wrong or (f"without a token cap: {by_size}" if by_size else "")


def _try(name: str, document: ExtractedDocument, cut: ChunkedDocument, check: Mapping[str, Any]) -> str:
    found = VERDICTS.get(name)
    return found(document, cut, check) if found else f"this runner does not know the check {name!r}"


def _is_unicode(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
