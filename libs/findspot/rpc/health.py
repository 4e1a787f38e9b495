"""The health service, whose watches end when the server stops instead of holding it up."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc_health.v1 import health_pb2  # type: ignore[import-untyped, unused-ignore]
from grpc_health.v1._async import HealthServicer  # type: ignore[import-untyped, unused-ignore]


class DrainingHealth(HealthServicer):  # type: ignore[misc, unused-ignore]
    """`grpc.health.v1.Health`: Check and Watch by service name, "" for the whole server."""

    def __init__(self) -> None:
        super().__init__()
        self._draining = asyncio.Event()

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Any) -> None:
        """Every change of status until the caller leaves or the server stops; the last message is then
        NOT_SERVING."""
        watching = asyncio.ensure_future(super().Watch(request, context))
        draining = asyncio.ensure_future(self._draining.wait())
        try:
            await asyncio.wait([watching, draining], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (watching, draining):
                task.cancel()
            await asyncio.wait([watching, draining])
        if not watching.cancelled():
            watching.result()
        await context.write(health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING))

    async def enter_graceful_shutdown(self) -> None:
        """NOT_SERVING for good, and the end of every watch."""
        await super().enter_graceful_shutdown()
        self._draining.set()
