"""Addresses that a server listens on: how they are written, who can reach them, and why one cannot be had."""

from __future__ import annotations

import ipaddress
import socket

from findspot.errors import FailedPrecondition, FieldViolation, InvalidArgument, Reason

_UNIX = ("unix:", "unix-abstract:")


def join_address(host: str, port: int) -> str:
    """`host:port`, with brackets around an IPv6 address; a Unix socket stays as it is."""
    if host.startswith(_UNIX):
        return host
    bare = host.strip("[]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def is_loopback(host: str) -> bool:
    """True for addresses that only this machine reaches: 127.0.0.0/8, ::1, localhost, Unix sockets."""
    if host == "localhost" or host.startswith(_UNIX):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def refuse_exposure(service_name: str, host: str) -> None:
    """InvalidArgument when `host` is not loopback: for a server that has neither TLS nor leave to go
    without."""
    if is_loopback(host):
        return
    raise InvalidArgument(
        f"{service_name} would listen on {host!r}, beyond this machine, without TLS and auth. "
        "Use 127.0.0.1, or say insecure=True (FINDSPOT_INSECURE=true) when something else protects it.",
        fields=[FieldViolation("host", f"{host!r} is not a loopback address")],
    )


def cannot_listen(service_name: str, host: str, port: int) -> FailedPrecondition:
    """What to tell when gRPC could not bind, which says only that it failed; binding once more gives the
    reason."""
    return FailedPrecondition(
        f"{service_name} cannot listen on {join_address(host, port)}: {_why_not(host, port)}. "
        "Stop what uses the port, or choose another port (0 takes any free one).",
        reason=Reason.SERVICE_UNAVAILABLE,
        metadata={"host": host, "port": str(port)},
    )


def _why_not(host: str, port: int) -> str:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except OSError as exc:
        return exc.strerror or str(exc)
    return "gRPC refused the address"
