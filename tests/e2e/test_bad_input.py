"""Bad input gets one sentence and an exit code, the rest of the batch goes on, and empty never looks like failed."""

import json
import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import grpc
import psutil
import pytest
from tests.e2e.suite_process import LIBRARY, Suite

from findspot.client import Client
from findspot.client.requests import At, Upload
from findspot.errors import (
    FindspotError,
    InvalidArgument,
    NotFound,
    NotYetAvailable,
    Reason,
    ResourceExhausted,
)
from findspot.rpc.status import from_rpc_error
from findspot.v1 import query_pb2


@pytest.fixture
def client(suite: Suite) -> Client:
    return Client(query=suite.addresses["query"], indexing=suite.addresses["indexing"])


def test_an_unknown_collection_is_not_an_empty_answer(suite: Suite) -> None:
    refused = suite.run("search", "anything", "-c", "no/such")
    assert refused.code == 4
    assert "no/such" in refused.err
    assert refused.out == ""
    empty = suite.run("search", '"zyzzyva zygote"', "--mode", "text")
    assert empty.code == 0
    assert "nothing found" in empty.out


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_an_empty_query_is_refused(suite: Suite, query: str) -> None:
    refused = suite.run("search", query, "--json")
    assert refused.code == 2
    assert refused.json["error"]["reason"] == "QUERY_BLANK"


def test_a_huge_query_is_refused_with_its_length_and_the_limit(client: Client) -> None:
    with client, pytest.raises(InvalidArgument, match=r"100,?000.*8,?192") as refused:
        client.search("wall " * 20_000)
    assert refused.value.reason is Reason.QUERY_TOO_LONG


def test_one_bad_file_never_stops_the_others(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nThe gannet is the largest seabird of the coast.\n")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "blank.txt").write_text("  \n\n\t\n")
    (tmp_path / "archive.pdf").write_bytes(b"PK\x03\x04" + bytes(200))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + os.urandom(500))
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 na\xefve \xff\xfe\x80 the petrel flies at night\n" * 5)
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "new\nline.md").write_text("# Newline in the name\n")
    (tmp_path / ("n" * 250 + ".md")).write_text("# A long name\n\nThe dunlin probes the mud.\n")
    ran = suite.run("add", str(tmp_path), "-c", "bad/files", "--json")
    assert ran.code == 3
    problems = {problem["file"]: problem for problem in ran.json["problems"]}
    assert problems["new\nline.md"]["reason"] == "FILE_PATH_INVALID"
    assert problems["archive.pdf"]["reason"] in {"UNSUPPORTED_TYPE", "DOCUMENT_CORRUPT"}
    assert problems["broken.pdf"]["reason"] == "DOCUMENT_CORRUPT"
    assert problems["noise.bin"]["reason"] == "UNSUPPORTED_TYPE"
    assert all(len(problem["message"]) > 20 for problem in problems.values())
    assert "good.md" not in problems
    for question, file in (
        ("largest seabird", "good.md"),
        ("petrel flies", "latin.txt"),
        ("dunlin", "n" * 250 + ".md"),
    ):
        found = suite.run("search", question, "-c", "bad/files", "--json").json["results"]
        assert found[0]["hit"]["file_path"] == file


def test_a_file_that_failed_before_is_named_again_and_not_sent(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nThe fulmar glides on stiff wings.\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + bytes(500))
    target = ("add", str(tmp_path), "-c", "bad/again", "--json")
    assert suite.run(*target).code == 3
    second = suite.run(*target)
    assert (second.code, second.json["sent"], second.json["unchanged"]) == (3, 0, 2)
    (problem,) = second.json["problems"]
    assert (problem["file"], problem["reason"]) == ("broken.pdf", "DOCUMENT_CORRUPT")
    assert "--force" in problem["message"]
    forced = suite.run(*target, "--force").json
    assert forced["sent"] == 2
    assert [item["file"] for item in forced["problems"]] == ["broken.pdf"]


def test_files_without_text_are_empty_and_not_failed(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "blank.txt").write_text("  \n\n\t\n")
    assert suite.run("add", str(tmp_path), "-c", "bad/empty").code == 0
    states = suite.run("status", "-c", "bad/empty", "--json").json["status"]["states"]
    assert {state["state"]: int(state["document_count"]) for state in states}["DOCUMENT_STATE_EMPTY"] == 2


@pytest.mark.parametrize(
    "path",
    ["../up.md", "a/../../up.md", "/etc/passwd", "a\nb.md", "a\x00b.md", "x" * 300 + ".md", "", "a//b.md"],
)
def test_a_path_that_climbs_or_cannot_be_shown_is_refused(client: Client, path: str) -> None:
    with client, pytest.raises(InvalidArgument) as refused:
        client.upload(Upload("bad/paths", path, b"# x\n"))
    assert refused.value.reason is Reason.FILE_PATH_INVALID


def test_a_file_over_the_limit_is_refused_before_it_is_sent(suite: Suite, tmp_path: Path) -> None:
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(60 * 1024 * 1024)
    (tmp_path / "small.md").write_text("# Small\n\nThe turnstone turns stones.\n")
    ran = suite.run("add", str(tmp_path), "-c", "bad/large", "--json")
    assert ran.code == 3
    (problem,) = ran.json["problems"]
    assert (problem["file"], problem["reason"]) == ("huge.txt", "DOCUMENT_TOO_LARGE")
    assert suite.run("search", "turnstone", "-c", "bad/large", "--json").json["results"]


def test_positions_outside_a_document_are_answers_and_not_errors(client: Client) -> None:
    with client:
        for index in (-1, 10_000):
            answer = client.chunk(At("demo/library", "station-log.txt", index))
            assert not answer.found
            assert f"0 to {answer.total_chunks - 1}" in answer.message
        unknown = client.chunk(At("demo/library", "nothing.md", 0))
        assert (unknown.found, unknown.total_chunks) == (False, 0)


@pytest.mark.parametrize("document", ["00000000-0000-7000-8000-000000000000", At("demo/library", "no.md")])
def test_an_unknown_document_is_not_found(client: Client, document: str | At) -> None:
    with client, pytest.raises(NotFound):
        client.document(document)


def test_wrong_arguments_are_named_with_value_and_range(client: Client) -> None:
    with client:
        for wrong in ({"limit": -1}, {"neighbors": 9}, {"min_similarity": 3.0}, {"page_token": "garbage"}):
            with pytest.raises(FindspotError) as refused:
                client.search("wall", **wrong)
            assert isinstance(refused.value, InvalidArgument), wrong


def test_what_a_later_version_brings_says_so(client: Client) -> None:
    with client, pytest.raises(grpc.RpcError) as refused:
        client.query.AssembleContext(query_pb2.AssembleContextRequest(), timeout=5)
    assert isinstance(from_rpc_error(refused.value), NotYetAvailable)
    assert from_rpc_error(refused.value).reason is Reason.NOT_YET_AVAILABLE


def test_without_the_embedding_service_search_is_degraded_and_says_so(
    new_suite: Callable[[], AbstractContextManager[Suite]],
) -> None:
    with new_suite() as suite:
        assert suite.run("add", str(LIBRARY), "-c", "demo").code == 0
        pid = service_pid(suite, "embedding")
        os.kill(pid, signal.SIGSTOP)
        try:
            hybrid = suite.run("search", "fog signal", "--json").json
            assert hybrid["searched"]
            assert hybrid["results"][0]["hit"]["file_path"] == "guides/lighthouse-keeping.md"
            (lost,) = hybrid["degradations"]
            assert (lost["arm"], lost["failure"]["name"]) == ("vector", "embedding-unavailable")
            assert "degraded" in suite.run("search", "fog signal").err
            semantic = suite.run("search", "fog horn pattern", "--mode", "semantic", "--json")
            assert semantic.code == 1
            assert not semantic.json["searched"]
            assert "count" not in semantic.json
            assert semantic.json["failure"]["name"] == "embedding-unavailable"
        finally:
            os.kill(pid, signal.SIGCONT)


def service_pid(suite: Suite, service: str) -> int:
    """The process that runs a service of this suite, found by its parent and its command line."""
    assert suite.process is not None
    for child in psutil.Process(suite.process.pid).children():
        if child.cmdline()[-1:] == [service]:
            return child.pid
    raise AssertionError(f"no process runs {service}: {json.dumps(suite.addresses)}")


def test_the_limit_of_a_message_is_a_typed_error(client: Client) -> None:
    with client, pytest.raises((ResourceExhausted, InvalidArgument)):
        client.check("demo", [(f"{'p' * 900}/{i}.md", "0" * 64) for i in range(20_000)])
