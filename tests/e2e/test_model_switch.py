"""A suite is started with another embedding model: the index changes over while it serves, and back."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from tests.e2e.suite_process import LIBRARY, Suite, environment
from tests.e2e.test_bad_input import service_pid
from tests.fixtures.tiny_models import write_tiny_model

from findspot.client import Client
from findspot.client.requests import At
from findspot.errors import FindspotError
from findspot.v1 import indexing_pb2

PATIENCE = 90
MODEL = "FINDSPOT_EMBEDDING_MODEL"


@pytest.fixture
def tiny(tmp_path: Path) -> dict[str, Path]:
    """Three models; the inputs of the third are short."""
    folder = tmp_path / "models"
    return {
        "a": write_tiny_model(folder / "a", dimension=16),
        "b": write_tiny_model(folder / "b", dimension=24),
        "c": write_tiny_model(folder / "c", dimension=8, limit=200),
    }


@contextmanager
def with_model(suite: Suite, model: Path) -> Iterator[Client]:
    """The suite started with a model, and a client of it."""
    suite.environment[MODEL] = str(model)
    suite.start()
    try:
        with Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"]) as client:
            yield client
    finally:
        if suite.process is not None and suite.process.poll() is None:
            suite.stop()


def identities(client: Client) -> dict[str, indexing_pb2.IdentityStatus]:
    """By name of the model; none while indexing is not there."""
    try:
        return {item.identity.name: item for item in client.status(timeout=10).identities}
    except FindspotError:
        return {}


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
    raise AssertionError(f"it took more than {PATIENCE} s until {what}")


def state_of(client: Client, name: str) -> int:
    found = identities(client)
    return found[name].state if name in found else indexing_pb2.IDENTITY_STATE_UNSPECIFIED


def serves(client: Client, name: str) -> bool:
    return state_of(client, name) == indexing_pb2.IDENTITY_STATE_ACTIVE


def ready(client: Client, name: str) -> int:
    found = identities(client)
    return found[name].embedded_chunk_count if name in found else 0


def assert_searches(client: Client) -> None:
    for question in ("tide tables", "lighthouse keeper", "the old lamp"):
        answer = client.search_chunks(question)
        assert answer.searched
        assert not answer.degradations


def on_its_way(client: Client) -> bool:
    """True while documents are read or cut, for a model with shorter inputs for one, or wait for a vector."""
    resting = {indexing_pb2.DOCUMENT_STATE_INDEXED, indexing_pb2.DOCUMENT_STATE_FAILED}
    return any(item.document_count and item.state not in resting for item in client.status().states)


def assert_whole(client: Client, name: str) -> None:
    """Every passage has a vector of the model, and every document is searchable by both, once nothing is on its way."""
    until(lambda: not on_its_way(client), "every document is made")
    status = client.status()
    found = identities(client)[name]
    assert found.embedded_chunk_count == status.chunk_count > 0
    assert (found.pending_chunk_count, found.failed_chunk_count) == (0, 0)
    states = {item.state for item in status.states if item.document_count}
    assert states == {indexing_pb2.DOCUMENT_STATE_INDEXED}


@pytest.mark.timeout(240)
def test_another_model_takes_over_and_the_way_back(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, tiny: dict[str, Path]
) -> None:
    suite = Suite(tmp_path / "data", environment(tmp_path_factory.mktemp("home")))
    with with_model(suite, tiny["a"]) as client:
        assert suite.run("add", str(LIBRARY), "-c", "lib").code == 0
        assert_searches(client)
        assert serves(client, "a")
    with with_model(suite, tiny["b"]) as client:
        assert_searches(client)
        until(lambda: serves(client, "b"), "b serves")
        assert_searches(client)
        assert_whole(client, "b")
        shown = suite.run("models", "--json").json["identities"]
        assert [(item["identity"]["display"], item["loaded"]) for item in shown] == [
            ("b@24", True),
            ("a@16", True),
        ]
        # Back, at once.
        back = suite.run("models", "activate", "a@16", "--json").json
        assert back["switched"] is True
        assert_searches(client)
        refused = suite.run("models", "drop", "a@16", "--yes", "--json")
        assert (refused.code, refused.json["error"]["reason"]) == (1, "EMBEDDING_IDENTITY_ACTIVE")
        unknown = suite.run("models", "activate", "z@9", "--json")
        assert (unknown.code, unknown.json["error"]["reason"]) == (4, "EMBEDDING_IDENTITY_NOT_FOUND")
    # Still configured with b; whoever went back is not overruled, and a is loaded although nobody configures it.
    with with_model(suite, tiny["b"]) as client:
        assert serves(client, "a")
        assert state_of(client, "b") == indexing_pb2.IDENTITY_STATE_RETIRED
        assert_searches(client)
        assert "activate b@24" in _diagnosis(client)
        assert suite.run("models", "drop", "b@24", "--yes").code == 0
        assert "b" not in identities(client)
    # The model that serves cannot be loaded any more: the next one takes over all the same.
    shutil.rmtree(tiny["a"])
    with with_model(suite, tiny["c"]) as client:
        until(lambda: serves(client, "c"), "c serves")
        assert_whole(client, "c")
        assert_searches(client)
        assert not identities(client)["a"].loaded
        refused = suite.run("models", "activate", "a@16", "--json")
        assert refused.json["error"]["reason"] == "EMBEDDING_IDENTITY_NOT_LOADED"
        assert str(tiny["a"]) in refused.json["error"]["message"]


def _diagnosis(client: Client) -> str:
    answer = client.indexing.Diagnose(indexing_pb2.DiagnoseRequest(), timeout=30)
    return "\n".join(check.message for check in answer.checks)


def write_documents(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        body = "\n\n".join(
            f"Part {part} of report {number} tells of pump {number * 31 + part} and its valve. " * 6
            for part in range(12)
        )
        (folder / f"{number:03d}.md").write_text(f"# Report {number}\n\n{body}\n")


def killed_while_filling(suite: Suite, client: Client, name: str, services: Sequence[str]) -> int:
    """Kill each service once more of the identity is filled than before; returns how often it was in mid-work."""
    hits = 0
    for service in services:
        before = ready(client, name)
        until(
            lambda before=before: serves(client, name) or ready(client, name) > before,  # type: ignore[misc]
            f"more of {name} is filled",
        )
        hits += state_of(client, name) == indexing_pb2.IDENTITY_STATE_FILLING
        killed = service_pid(suite, service)
        psutil.Process(killed).kill()
        until(lambda killed=killed, service=service: _other_process(suite, service, killed), "it is back")  # type: ignore[misc]
    return hits


def _other_process(suite: Suite, service: str, killed: int) -> bool:
    try:
        return service_pid(suite, service) != killed
    except (AssertionError, psutil.NoSuchProcess):
        return False


@pytest.mark.timeout(300)
def test_kills_in_mid_filling_and_a_third_model_lose_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, tiny: dict[str, Path]
) -> None:
    suite = Suite(tmp_path / "data", environment(tmp_path_factory.mktemp("home")))
    suite.environment |= {
        "FINDSPOT_INDEXING_EMBED_BATCH": "4",
        "FINDSPOT_INDEXING_EMBED_BATCHES_IN_FLIGHT": "2",
    }
    write_documents(tmp_path / "documents", 40)
    with with_model(suite, tiny["a"]) as client:
        assert suite.run("add", str(tmp_path / "documents"), "-c", "lib").code == 0
        assert_whole(client, "a")
    with with_model(suite, tiny["b"]) as client:
        hits = killed_while_filling(suite, client, "b", ("indexing", "embedding", "vectors"))
        # The supervisor too, before b is full if it can be.
        suite.stop(signal.SIGKILL)
    # Its inputs are shorter: what is too long for it is cut again, so that it fits both until this one serves.
    with with_model(suite, tiny["c"]) as client:
        until(lambda: serves(client, "c"), "c serves")
        assert_whole(client, "c")
        assert_searches(client)
        assert client.document(At("lib", "000.md")).generation >= 2
    assert hits >= 1, "a kill has to come in mid-work to mean anything"
