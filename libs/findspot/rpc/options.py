"""How a server listens and what it bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import grpc

from findspot.config import ServiceSettings
from findspot.rpc.sizes import MAX_MESSAGE_BYTES


@dataclass(frozen=True)
class ServerOptions:
    """How a server listens and what it bounds."""

    host: str = "127.0.0.1"
    """Address to listen on; anything but loopback needs `credentials` or `insecure`."""
    port: int = 0
    """TCP port; 0 takes any free one."""
    max_message_bytes: int = MAX_MESSAGE_BYTES
    """Largest message in either direction."""
    grace_seconds: float = 10.0
    """How long calls in flight may take to finish when the server stops."""
    reflection: bool = True
    """Let tools read the API from the server."""
    channelz: bool = True
    """Let tools read the state of connections and calls from the server."""
    max_concurrent: int = 256
    """Calls served at the same time; further ones are refused. Health, reflection and channelz are exempt."""
    method_limits: Mapping[str, int] = field(default_factory=dict)
    """Methods (`/findspot.v1.QueryService/Search`) with a limit of their own, which is then the only one for
    them."""
    service_name: str = "findspot"
    """The name in logs and traces."""
    serving_on_start: bool = True
    """False for a service that is not ready when it starts: it says SERVING itself with `set_serving`."""
    insecure: bool = False
    """Listen beyond loopback without TLS and auth."""
    credentials: grpc.ServerCredentials | None = None
    """TLS of the server; None serves plain text."""

    @classmethod
    def of(cls, settings: ServiceSettings, service_name: str, **more: Any) -> Self:
        """The options that a service's settings say; `more` for what they do not (credentials, limits)."""
        return cls(
            host=settings.host,
            port=settings.port,
            max_message_bytes=settings.max_message_bytes,
            grace_seconds=settings.grace_seconds,
            max_concurrent=settings.max_concurrent,
            insecure=settings.insecure,
            service_name=service_name,
            **more,
        )
