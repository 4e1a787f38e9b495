"""Real files with facts about them: each read and cut through the services, each fact compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from findspot.errors import Reason
from tests.conformance.chunk_facts import CHUNK_CHECKS
from tests.conformance.facts import CHECKS, MAY_FAIL, MUST_FAIL
from tests.conformance.reading import UNTYPED, Outcome, Services
from tests.conformance.tally import Tally

_FORMATS = {"markdown": "md", "text": "txt", "python": "code"}
"""The manifest's names of formats, where they differ from the registry's."""


async def run_manifest(services: Services, cases: Path, tally: Tally) -> None:
    """Reads every file of the manifest."""
    readable = {item.name for item in await services.extraction.document_types() if item.readable}
    formats = {_FORMATS.get(name, name) for name in readable}
    lines = (cases / "manifest.jsonl").read_text(encoding="utf-8", errors="surrogatepass").splitlines()
    for item in map(json.loads, lines):
        data = (cases / "files" / item["file"]).read_bytes()
        outcome = await services.outcome(data, item["file"])
        failure = outcome.failure
        if failure is not None and failure.reason in UNTYPED:
            tally.crashes.append(f"{item['file']}: {failure.message}")
        unsupported = failure is not None and failure.reason is Reason.UNSUPPORTED_TYPE
        if unsupported and item["format"] not in formats:
            tally.later[item["format"]] += len(item["facts"])
            continue
        for fact in item["facts"]:
            wrong = compare(outcome, fact)
            if wrong is None:
                tally.described[fact["kind"]] += 1
            else:
                tally.note(item["format"], item["file"], fact["kind"], wrong)


def compare(outcome: Outcome, fact: Mapping[str, Any]) -> str | None:
    """What is wrong; empty when the fact holds, None when it only describes the file."""
    kind, failure = fact["kind"], outcome.failure
    if kind in MUST_FAIL:
        opens = fact.get("opens_with_empty_password", False)
        return "" if (failure is None) == opens else f"{'was read' if failure is None else failure.message}"
    if kind == "time_limit":
        return "" if outcome.seconds <= fact["seconds"] else f"{outcome.seconds:.1f} s"
    if kind in MAY_FAIL and failure is not None:
        return "" if failure.reason not in UNTYPED else failure.message
    in_document, in_chunks = CHECKS.get(kind), CHUNK_CHECKS.get(kind)
    if in_document is None and in_chunks is None:
        return None
    if outcome.document is None or outcome.cut is None:
        return f"failed: {failure.message if failure else 'nothing came'}"
    wrong = in_document(outcome.document, dict(fact)) if in_document is not None else ""
    return wrong or (in_chunks(outcome, fact) if in_chunks is not None else "")
