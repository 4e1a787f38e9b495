"""Commands find the suite that is meant, and never one that has ended."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from findspot.errors import FailedPrecondition, InvalidArgument, Reason, Unavailable
from findspot.suite.layout import (
    Endpoints,
    endpoints_file,
    find_suite,
    forget_endpoints,
    read_endpoints,
    running_suites,
    write_endpoints,
)
from findspot.suite.lock import owned
from findspot.suite.ports import choose_ports

HOST = "127.0.0.1"


def suite(data: Path, pid: int | None = None) -> Endpoints:
    return Endpoints(data, os.getpid() if pid is None else pid, {"query": f"{HOST}:7416"})


def ended_process() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = suite(tmp_path / "data")
    write_endpoints(written, tmp_path / "registry")
    assert read_endpoints(tmp_path / "data") == written
    assert running_suites(tmp_path / "registry") == [written]


def test_a_suite_that_was_forgotten_keeps_its_ports_for_the_next_start(tmp_path: Path) -> None:
    write_endpoints(suite(tmp_path), tmp_path / "registry")
    forget_endpoints(tmp_path, tmp_path / "registry")
    assert running_suites(tmp_path / "registry") == []
    assert read_endpoints(tmp_path) is not None


def test_a_suite_whose_supervisor_was_killed_does_not_run(tmp_path: Path) -> None:
    write_endpoints(suite(tmp_path, ended_process()), tmp_path / "registry")
    assert running_suites(tmp_path / "registry") == []
    with pytest.raises(Unavailable, match="findspot up --data"):
        find_suite(tmp_path, tmp_path / "default", tmp_path / "registry")


def test_the_named_folder_wins_then_the_default_one_then_the_only_one(tmp_path: Path) -> None:
    registry, first, second, default = (
        tmp_path / name for name in ("registry", "first", "second", "default")
    )
    write_endpoints(suite(first), registry)
    assert find_suite(None, default, registry).data == first
    write_endpoints(suite(second), registry)
    assert find_suite(second, default, registry).data == second
    with pytest.raises(InvalidArgument, match="2 suites are running"):
        find_suite(None, default, registry)
    write_endpoints(suite(default), registry)
    assert find_suite(None, default, registry).data == default


def test_without_a_suite_the_message_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="findspot up"):
        find_suite(None, tmp_path / "default", tmp_path / "registry")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    endpoints_file(tmp_path).write_text("{")
    with pytest.raises(InvalidArgument, match=r"endpoints\.json is damaged"):
        read_endpoints(tmp_path)


def test_a_service_that_the_suite_does_not_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="embedding"):
        suite(tmp_path).of("embedding")


def test_each_service_gets_a_port_of_its_own() -> None:
    ports = choose_ports(["a", "b", "c"], {}, {}, HOST)
    assert len(set(ports.values())) == 3


def test_a_preferred_port_that_is_taken_gives_way_and_a_configured_one_does_not() -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        assert choose_ports(["query"], {}, {"query": port}, HOST)["query"] != port
        with pytest.raises(FailedPrecondition, match=f"port {port}, configured for query, is taken"):
            choose_ports(["query"], {"query": port}, {}, HOST)


def test_a_folder_has_one_owner_and_a_second_one_learns_who(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from findspot.suite.lock import owned\n"
        "with owned(Path(sys.argv[1]), 'suite'):\n    print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(FailedPrecondition, match=f"process {holder.pid}") as refused,
            owned(tmp_path, "suite"),
        ):
            pass
        assert refused.value.reason is Reason.STORE_LOCKED
        holder.kill()
        holder.wait()
        with owned(tmp_path, "suite"):
            assert (tmp_path / "suite.lock").read_text().startswith(f"{os.getpid()} ")


def test_a_folder_that_cannot_be_made_is_said_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        pytest.raises(FailedPrecondition, match=r"nothing can be stored in .*file.*--data"),
        owned(tmp_path / "file" / "data", "findspot-up"),
    ):
        raise AssertionError("it cannot be owned")
