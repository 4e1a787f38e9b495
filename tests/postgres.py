"""A real PostgreSQL for tests: made in a temporary folder, one a test process, and never left behind."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psycopg
import pytest

from findspot.stores.manifest import schema
from findspot.stores.manifest.engine import open_engine

PASSWORD = "correct-horse/battery@staple"
"""With characters that a URL has to escape."""
_ESCAPED = "correct-horse%2Fbattery%40staple"
_ROLE = "findspot"
_PR_SET_PDEATHSIG = 1
_ENCODING = ("-E", "UTF8", "--locale=C.UTF-8")


def installed() -> Path | None:
    """The folder of PostgreSQL's programs, the newest version first; None where it is not installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]), reverse=True
    )
    named = shutil.which("initdb")
    return found[0].parent if found else Path(named).resolve().parent if named else None


def _account() -> str | None:
    """Whom the server runs as: it refuses root. None: whoever runs the tests; raises KeyError without one."""
    return pwd.getpwnam("postgres").pw_name if os.geteuid() == 0 else None


@dataclass
class PostgresServer:
    """One cluster: started, killed, started again on the same port."""

    programs: Path
    folder: Path
    port: int
    account: str | None
    process: subprocess.Popen[str] | None = None
    draining: threading.Thread | None = None

    def start(self) -> None:
        """Returns when connections are taken."""
        self.process = subprocess.Popen(
            [
                str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port),
                "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}",
                "-c", "fsync=off", "-c", "max_connections=200", "-c", "shared_buffers=64MB",
            ],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            user=self.account,
            group=self.account,
            extra_groups=[] if self.account else None,
            cwd=self.folder,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )  # fmt: skip
        assert self.process.stderr is not None
        said: list[str] = []
        for line in self.process.stderr:
            said.append(line)
            if "ready to accept connections" in line:
                # Its log goes on; a full pipe would stop the server.
                self.draining = threading.Thread(target=_drain, args=(self.process.stderr,), daemon=True)
                self.draining.start()
                return
        raise AssertionError(f"PostgreSQL ended with {self.process.wait()}: {''.join(said)}")

    def stop(self, how: int = signal.SIGQUIT) -> None:
        """Ends it: at once without SIGINT, which lets it end its sessions first."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            assert self.draining is not None
            self.draining.join()
            self.process = None

    def url(self, database: str, *, password: str = _ESCAPED) -> str:
        return f"postgresql+psycopg://{_ROLE}:{password}@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template0") -> str:
        """The URL of a new database, a copy of another."""
        name = f"t_{uuid.uuid4().hex}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        name = url.rpartition("/")[2]
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def run(self, statement: str) -> None:
        with psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=_ROLE,
            password=PASSWORD,
            dbname="postgres",
            autocommit=True,
        ) as connection:
            connection.execute(statement)  # type: ignore[arg-type]


def _drain(log: IO[str]) -> None:
    with log:
        for _ in log:
            pass


def _end_with_parent() -> None:
    # SIGQUIT is PostgreSQL's immediate shutdown: no test run, however it ends, leaves a server.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A cluster for as long as the block; skips the test, with the reason, where there can be none."""
    programs = installed()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    try:
        account = _account()
    except KeyError:
        pytest.skip("PostgreSQL refuses to run as root, and there is no user `postgres`")
    folder = Path(tempfile.mkdtemp(prefix="findspot-postgres-"))
    try:
        if account:
            shutil.chown(folder, account, account)
        server = PostgresServer(programs, folder, _free_port(), account)
        _initialise(server)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _initialise(server: PostgresServer) -> None:
    password = server.folder / "password"
    password.write_text(PASSWORD)
    password.chmod(0o644)
    made = subprocess.run(
        [
            str(server.programs / "initdb"), "-D", str(server.folder / "data"), "-U", _ROLE, "-A", "scram-sha-256",
            "--pwfile", str(password), *_ENCODING, "--no-sync",
        ],
        capture_output=True,
        text=True,
        user=server.account,
        group=server.account,
        extra_groups=[] if server.account else None,
        cwd=server.folder,
        check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The cluster of this test process."""
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """The name of a database with an empty manifest: copied, since migrating takes longer than most tests."""
    url = postgres_server.create()
    engine = open_engine(url)
    schema.upgrade(engine)
    engine.dispose()
    return url.rpartition("/")[2]


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a database with nothing in it."""
    url = postgres_server.create()
    yield url
    postgres_server.drop(url)


@pytest.fixture
def postgres_manifest(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """The URL of a database with an empty manifest."""
    url = postgres_server.create(postgres_template)
    yield url
    postgres_server.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def manifest_place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Where an empty manifest is, in each of the two databases: a data folder, or a URL."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_manifest"))
    engine = open_engine(tmp_path, synchronous="NORMAL")
    schema.upgrade(engine)
    engine.dispose()
    return tmp_path


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Where no manifest is yet."""
    return str(request.getfixturevalue("empty_postgres")) if request.param == "postgresql" else tmp_path
