"""A real suite is diagnosed, harmed, repaired and purged by its commands; in the end no file holds what was purged."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import psutil
from tests.e2e.suite_process import LIBRARY, Suite

from findspot.client import connect_sync
from findspot.client.requests import At
from findspot.errors import FindspotError
from findspot.stores.text.schema import index_directory
from findspot.stores.text.serving import serving_directory

WORD = "xylophagousquartz"
NAME = "velocipedeledger.md"
PRIVATE = f"# Perihelionmarmalade\n\nThe {WORD} was never to be found again.\n"


def outcomes(suite: Suite, *options: str) -> tuple[int, dict[str, str]]:
    ran = suite.run("doctor", "--json", *options)
    return ran.code, {check["name"]: check["outcome"] for check in ran.json["checks"]}


def hits(suite: Suite, word: str) -> int:
    with connect_sync(suite.data) as client:
        return len(client.search(word, mode="text").results)


def process_of(suite: Suite, service: str) -> psutil.Process:
    assert suite.process is not None
    for child in psutil.Process(suite.process.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # one that was just killed may still be listed
            if child.cmdline()[-1:] == [service]:
                return child
    raise AssertionError(f"no process of {service}")


def traces(data: Path, *needles: str) -> list[str]:
    """Files that hold one of these, in UTF-8 or UTF-16. Logs are not stores: they are told of in the docs."""
    wanted = [needle.encode(code) for needle in needles for code in ("utf-8", "utf-16-le", "utf-16-be")]
    found = []
    for path in data.rglob("*"):
        if path.is_file() and "logs" not in path.parts and "models" not in path.parts:
            with path.open("rb") as file:
                content = file.read().rstrip(b"\0")
            found += [str(path) for needle in wanted if needle in content]
    return found


def test_a_suite_is_kept_right_by_its_commands(
    new_suite: Callable[[], AbstractContextManager[Suite]], tmp_path: Path
) -> None:
    with new_suite() as suite:
        private = tmp_path / "files" / NAME
        private.parent.mkdir()
        private.write_text(PRIVATE)
        for source, collection in ((LIBRARY, "demo/library"), (private.parent, "demo/private")):
            added = suite.run("add", str(source), "--collection", collection, "--json")
            assert added.code == 0, added.err
        code, seen = outcomes(suite, "--thorough")
        assert (code, {name for name, outcome in seen.items() if outcome != "ok"}) == (0, set())
        assert {"service.query", "embedding.request", "text.entries", "vectors.entries", "disk.space"} <= set(
            seen
        )

        _rebuilds_while_it_serves(suite)
        _heals_a_lost_text_index(suite)
        _tells_which_service_is_down(suite)
        _leaves_nothing_of_what_is_purged(suite)
        _removes_collections(suite)


def _rebuilds_while_it_serves(suite: Suite) -> None:
    before = serving_directory(index_directory(suite.data))
    assert suite.run("repair", "--dry-run").out == "nothing to mend\n"
    ran = suite.run("repair", "--rebuild-text", "--rebuild-vectors", "--json")
    assert ran.code == 0, ran.err
    counts = ran.json["operation"]["counts"]
    assert int(counts["text_written"]) == int(counts["vectors_written"]) > 0
    assert serving_directory(index_directory(suite.data)) != before
    assert hits(suite, WORD) == 1


def _heals_a_lost_text_index(suite: Suite) -> None:
    """Files of the index vanish while it runs: search says so, and the sweep or the doctor brings them back."""
    for path in serving_directory(index_directory(suite.data)).glob("*.term"):
        path.unlink()
    process_of(suite, "indexing").send_signal(signal.SIGKILL)
    process_of(suite, "query").send_signal(signal.SIGKILL)
    degraded = _until(lambda: _answered(suite, WORD))
    assert degraded in ("refused", "found")
    _until(lambda: _answered(suite, WORD) == "found")
    assert outcomes(suite, "--fix")[0] == 0


def _answered(suite: Suite, word: str) -> str:
    """`found`, `refused` while the index is being filled, "" while services start, and never "nothing found"."""
    try:
        with connect_sync(suite.data) as client:
            answer = client.search(word, mode="text", timeout=5.0)
    except FindspotError:
        return ""
    if not answer.searched:
        assert answer.failure.name == "text-index-unavailable"
        return "refused"
    assert answer.results, "an index that is being filled answered that there is nothing"
    return "found"


def _until(condition: Callable[[], object], seconds: float = 60) -> object:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seen = condition()
        if seen:
            return seen
    raise AssertionError("it did not come to that")


def _tells_which_service_is_down(suite: Suite) -> None:
    chunking = process_of(suite, "chunking")
    chunking.suspend()
    try:
        code, seen = outcomes(suite)
        assert (code, seen["service.chunking"], seen["service.query"]) == (5, "failed", "ok")
        said = suite.run("doctor")
        assert "findspot up" in said.out
    finally:
        chunking.resume()


def _leaves_nothing_of_what_is_purged(suite: Suite) -> None:
    name = f"demo/private/{NAME}"
    with connect_sync(suite.data) as client:
        identifier = client.document(At("demo/private", NAME)).document_id
    assert traces(suite.data, WORD)
    refused = suite.run("purge", name)
    assert (refused.code, "--yes" in refused.err) == (2, True)
    purged = suite.run("purge", "demo/private/never.md", name, "--yes", "--wait", "--json", timeout=180)
    assert purged.code == 3
    assert [item.get("error", {}).get("reason") for item in purged.json["removed"]] == [
        "DOCUMENT_NOT_FOUND",
        None,
    ]
    assert traces(suite.data, WORD, NAME, identifier) == []
    assert outcomes(suite, "--thorough")[0] == 0


def _removes_collections(suite: Suite) -> None:
    deleted = suite.run("delete", "demo/library", "--yes", "--json")
    assert deleted.code == 0, deleted.err
    assert deleted.json["removed"][0]["document_count"] > 0
    assert hits(suite, "the") == 0
    purged = suite.run("purge", "demo", "--yes", "--json")
    assert purged.code == 0, purged.err
    assert purged.json["removed"][0]["document_count"] >= deleted.json["removed"][0]["document_count"]
