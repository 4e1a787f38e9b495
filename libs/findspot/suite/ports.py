"""Which port each service gets: the configured one, else the last or the usual one, else any free one."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping

from findspot.errors import FailedPrecondition, Reason


def choose_ports(
    services: Iterable[str], configured: Mapping[str, int], preferred: Mapping[str, int], host: str
) -> dict[str, int]:
    """A port for each service.

    A configured port (not 0) that is taken raises FailedPrecondition with its number; a preferred one is only a wish.
    """
    chosen: dict[str, int] = {}
    held: list[socket.socket] = []
    try:
        for service in services:
            port = configured.get(service, 0)
            if port:
                listener = _bind(host, port)
                if listener is None:
                    raise FailedPrecondition(
                        f"port {port}, configured for {service}, is taken; free it or configure another"
                        f" (FINDSPOT_{service.upper()}_PORT)",
                        reason=Reason.STORE_LOCKED,
                    )
            else:
                listener = _bind(host, preferred.get(service, 0)) or _bind(host, 0)
            if listener is None:
                raise FailedPrecondition(f"no free port on {host} for {service}")
            held.append(listener)
            chosen[service] = listener.getsockname()[1]
    finally:
        for listener in held:
            listener.close()
    return chosen


def _bind(host: str, port: int) -> socket.socket | None:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1)
    except OSError:
        listener.close()
        return None
    return listener
