"""Where a suite lives: which services it has, its data folder, and the file that tells where each one listens."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from findspot.errors import FindspotError, InvalidArgument, Reason, Unavailable

SERVICES = ("vectors", "embedding", "extraction", "chunking", "indexing", "query")
"""In the order in which they start; they stop in the opposite order."""

DEFAULT_PORTS = {
    "extraction": 7411,
    "chunking": 7412,
    "embedding": 7413,
    "vectors": 7414,
    "indexing": 7415,
    "query": 7416,
}
"""Tried first, so that an address in a script stays true; any free port when one is taken."""


@dataclass(frozen=True)
class Endpoints:
    """Where the services of a running suite listen, as `host:port` by service."""

    data: Path
    pid: int
    """The supervisor's."""
    addresses: dict[str, str] = field(default_factory=dict)

    def of(self, service: str) -> str:
        """The address of a service; FindspotError when this suite does not run it."""
        if service not in self.addresses:
            raise Unavailable(f"the suite in {self.data} does not run the service {service!r}")
        return self.addresses[service]


def endpoints_file(data: Path) -> Path:
    """The file of a data folder that holds its endpoints while, and after, the suite runs."""
    return data / "endpoints.json"


def write_endpoints(endpoints: Endpoints, registry: Path) -> None:
    """Tells clients where the suite is: in its own folder, and in the user's registry of running suites."""
    content = json.dumps(
        {"data": str(endpoints.data), "pid": endpoints.pid, "services": endpoints.addresses}, indent=2
    )
    for file in (endpoints_file(endpoints.data), _entry(registry, endpoints.data)):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{endpoints.pid}.new")
        draft.write_text(content + "\n")
        draft.replace(file)


def forget_endpoints(data: Path, registry: Path) -> None:
    """Takes the suite off the registry; its own file stays, so that the next start can use the same ports."""
    _entry(registry, data).unlink(missing_ok=True)


def read_endpoints(data: Path) -> Endpoints | None:
    """The endpoints last written for a data folder, running or not; None when there are none."""
    return _parse(endpoints_file(data))


def running_suites(registry: Path) -> list[Endpoints]:
    """The user's suites whose supervisor is alive, by folder."""
    found = [_parse(file) for file in sorted(registry.glob("*.json"))] if registry.is_dir() else []
    return [suite for suite in found if suite is not None and is_alive(suite.pid)]


def is_alive(pid: int) -> bool:
    """True when a process with this id exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def find_suite(data: Path | None, default_data: Path, registry: Path) -> Endpoints:
    """The suite that a command means: the folder named, else the default one, else the only one that runs.

    Raises Unavailable when none runs there, InvalidArgument when several run and none was named.
    """
    if data is not None:
        return _running_in(data)
    here = read_endpoints(default_data)
    if here is not None and is_alive(here.pid):
        return here
    running = running_suites(registry)
    if len(running) == 1:
        return running[0]
    if not running:
        raise Unavailable(
            "no suite is running; start one with `findspot up`", reason=Reason.SERVICE_UNAVAILABLE
        )
    folders = ", ".join(str(suite.data) for suite in running)
    raise InvalidArgument(f"{len(running)} suites are running; name one with --data: {folders}")


def _running_in(data: Path) -> Endpoints:
    found = read_endpoints(data.resolve())
    if found is None or not is_alive(found.pid):
        raise _not_running(data)
    return found


def _not_running(data: Path) -> FindspotError:
    return Unavailable(f"no suite is running in {data}; start it with `findspot up --data {data}`")


def _entry(registry: Path, data: Path) -> Path:
    return registry / f"{sha256(str(data).encode()).hexdigest()[:16]}.json"


def _parse(file: Path) -> Endpoints | None:
    try:
        content = json.loads(file.read_text())
        return Endpoints(Path(content["data"]), int(content["pid"]), dict(content["services"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidArgument(f"{file} is damaged ({error}); remove it and start the suite again") from error
