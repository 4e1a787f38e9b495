"""Killed services and a killed supervisor lose nothing that was acknowledged, and leave no process behind."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import psutil
import pytest
from tests.e2e.suite_process import Suite
from tests.e2e.test_bad_input import service_pid

from findspot.suite.layout import SERVICES

FILES = 30
PATIENCE = 100


def write_documents(folder: Path) -> list[str]:
    """Small documents with one word each that no other has."""
    words = []
    for number in range(FILES):
        word = f"quokka{number:03d}x"
        body = "\n\n".join(
            f"Paragraph {part} about the {word} and its habits by day and night." * 3 for part in range(6)
        )
        (folder / f"doc{number:03d}.md").write_text(f"# The {word}\n\n{body}\n")
        words.append(word)
    return words


def assert_everything_is_found(suite: Suite, words: list[str]) -> None:
    status = suite.run("status", "-c", "crash", "--json").json["status"]
    states = {
        state["state"]: int(state["document_count"])
        for state in status["states"]
        if int(state["document_count"])
    }
    assert states == {"DOCUMENT_STATE_INDEXED": len(words)}
    assert int(status["identities"][0]["embedded_chunk_count"]) == int(status["chunk_count"]) > 0
    for number, word in enumerate(words[::7]):
        found = suite.run("search", word, "-c", "crash", "--json").json
        assert found["degradations"] == []
        assert found["results"][0]["hit"]["file_path"] == f"doc{number * 7:03d}.md"


@pytest.mark.timeout(200)
def test_services_killed_in_turn_come_back_and_nothing_is_lost(
    new_suite: Callable[[], AbstractContextManager[Suite]], tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    words = write_documents(folder)
    with new_suite() as suite:
        adding = suite.begin("add", str(folder), "-c", "crash", "--json")
        wait_for_work(suite)
        for service in SERVICES:
            killed = service_pid(suite, service)
            os.kill(killed, signal.SIGKILL)
            wait_for_restart(suite, service, killed)
        out, err = adding.communicate(timeout=PATIENCE)
        assert adding.returncode == 0, (out, err)
        assert_everything_is_found(suite, words)


@pytest.mark.timeout(200)
def test_a_killed_supervisor_takes_its_services_along_and_the_next_start_ends_the_work(
    new_suite: Callable[[], AbstractContextManager[Suite]], tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    words = write_documents(folder)
    with new_suite() as suite:
        assert suite.process is not None
        adding = suite.begin("add", str(folder), "-c", "crash", "--json")
        wait_for_work(suite)
        children = psutil.Process(suite.process.pid).children(recursive=True)
        suite.stop(signal.SIGKILL)
        _, alive = psutil.wait_procs(children, timeout=10)
        assert alive == []
        suite.start()
        out, err = adding.communicate(timeout=PATIENCE)
        assert adding.returncode == 0, (out, err)
        assert_everything_is_found(suite, words)


def test_ctrl_c_ends_everything_cleanly(new_suite: Callable[[], AbstractContextManager[Suite]]) -> None:
    with new_suite() as suite:
        assert suite.process is not None
        children = psutil.Process(suite.process.pid).children(recursive=True)
        assert suite.stop(signal.SIGINT) == 0
        _, alive = psutil.wait_procs(children, timeout=5)
        assert alive == []


def test_a_folder_that_is_in_use_is_refused_with_the_holder(suite: Suite) -> None:
    assert suite.process is not None
    second = Suite(suite.data, suite.environment)
    with pytest.raises(AssertionError, match=f"process {suite.process.pid}"):
        second.start()


def wait_for_work(suite: Suite) -> None:
    """Returns once the suite has stored some of the documents and not yet all of its work is done."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        ran = suite.run("status", "-c", "crash", "--json")
        counts = ran.json["status"]["states"] if ran.code == 0 else []
        if sum(int(state["document_count"]) for state in counts) >= 3:
            return
    raise AssertionError("nothing was added")


def wait_for_restart(suite: Suite, service: str, killed: int) -> None:
    """Returns once the supervisor has started the service again."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(AssertionError, psutil.NoSuchProcess):
            if service_pid(suite, service) != killed:
                return
    raise AssertionError(f"{service} was not started again")


def test_a_second_signal_ends_a_suite_whose_services_do_not_end(
    new_suite: Callable[[], AbstractContextManager[Suite]],
) -> None:
    with new_suite() as suite:
        assert suite.process is not None
        for child in psutil.Process(suite.process.pid).children():
            child.send_signal(signal.SIGSTOP)  # six times the grace of 15 s, if each is waited for
        began = time.monotonic()
        suite.process.send_signal(signal.SIGINT)
        assert suite.stop(signal.SIGTERM) == 0  # another number: two of the same may arrive as one
        assert time.monotonic() - began < 10
