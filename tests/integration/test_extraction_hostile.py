"""Files made to exhaust or mislead: each ends within time and memory, and a healthy one sent with it is read."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.fuzz.attack import TYPED
from tests.fuzz.hostile import SECRET, Hostile, generated
from tests.fuzz.seeds import book
from tests.fuzz.service import Target, attacked, watched

from findspot.errors import FindspotError, Reason
from findspot.model import ExtractedDocument

MOST_SECONDS = 20.0
MOST_RESIDENT = 1024**3
"""Bytes of a worker process."""
HOSTILE_FACTS = frozenset({"must_fail_cleanly", "time_limit", "no_external_entity", "encrypted", "no_crash"})
BY_NAME = {hostile.name: hostile for hostile in generated()}
SETTINGS = {"ocr": "off", "workers": "2", "worker_memory_mib": "1024"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Target]:
    async with attacked(tmp_path_factory.mktemp("hostile"), SETTINGS) as made:
        yield made


async def outcome(target: Target, data: bytes, name: str) -> ExtractedDocument | FindspotError:
    """What comes of the file, within time and memory, while a healthy one is read too."""
    began = time.monotonic()
    async with watched(target.process) as peak, asyncio.TaskGroup() as group:
        sent = group.create_task(_answer(target, data, name))
        healthy = group.create_task(_answer(target, book(), "healthy.epub"))
    seconds, answer = time.monotonic() - began, sent.result()
    read = healthy.result()
    assert isinstance(read, ExtractedDocument), read.message
    assert "The water rises." in read.text
    assert seconds < MOST_SECONDS, f"{name} took {seconds:.1f} s"
    assert peak.worker < MOST_RESIDENT, f"{name} took {peak.worker >> 20} MiB"
    if isinstance(answer, FindspotError):
        assert answer.reason in TYPED, answer.message
    return answer


async def _answer(target: Target, data: bytes, name: str) -> ExtractedDocument | FindspotError:
    try:
        return await target.extraction.extract(data, file_name=name, timeout=2 * MOST_SECONDS)
    except FindspotError as failure:
        return failure


@pytest.mark.parametrize("name", BY_NAME)
async def test_generated_files(target: Target, name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    hostile: Hostile = BY_NAME[name]
    answer = await outcome(target, hostile.make(secret), name)
    text = answer.text if isinstance(answer, ExtractedDocument) else answer.message
    assert SECRET not in text
    if name.startswith(("bomb", "billion")):
        assert isinstance(answer, FindspotError), f"{len(text):,} characters"
        assert answer.reason in (Reason.DOCUMENT_TOO_LARGE, Reason.DOCUMENT_CORRUPT)


async def test_real_files(target: Target, real_files: list[Path]) -> None:
    found = _hostile(real_files)
    if not found:
        pytest.skip("no manifest.jsonl beside the real files says which of them are hostile")
    for file, facts in found.items():
        answer = await outcome(target, file.read_bytes(), file.name)
        kinds = {fact["kind"] for fact in facts}
        if "must_fail_cleanly" in kinds:
            assert isinstance(answer, FindspotError) or not answer.text or answer.warnings, file.name
        if any(fact.get("opens_with_empty_password") is False for fact in facts):
            assert isinstance(answer, FindspotError)
            assert answer.reason is Reason.DOCUMENT_ENCRYPTED


def _hostile(files: list[Path]) -> dict[Path, list[dict[str, object]]]:
    """The files that a manifest in their folder, or in the one above, says something hostile of; with what it says."""
    by_name = {file.name: file for file in files}
    manifests = {folder / "manifest.jsonl" for file in files for folder in file.parents[:2]}
    found = {}
    for manifest in sorted(path for path in manifests if path.is_file()):
        for line in manifest.read_text().splitlines():
            case = json.loads(line)
            if case["file"] in by_name and any(fact["kind"] in HOSTILE_FACTS for fact in case["facts"]):
                found[by_name[case["file"]]] = case["facts"]
    return found
