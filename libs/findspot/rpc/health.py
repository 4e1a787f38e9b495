"""The health service, whose watches end when the server stops instead of holding it up."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import grpc
from grpc_health.v1 import (  # type: ignore[import-untyped, unused-ignore]
    health_pb2,
    health_pb2_grpc,
)


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc, unused-ignore]
    """`grpc.health.v1.Health`: Check and Watch by service name, "" for the whole server."""

    def __init__(self) -> None:
        self._statuses: dict[str, Any] = {}
        self._changed = asyncio.Condition()
        self._stopped = False

    async def set(self, service: str, serving: bool) -> None:
        """Sets the status of a service; ignored once the server stops."""
        if not self._stopped:
            self._statuses[service] = _word(serving)
            await self._tell()

    async def stop(self) -> None:
        """NOT_SERVING everywhere for good, and the end of every watch."""
        self._stopped = True
        self._statuses = dict.fromkeys(self._statuses, _word(False))
        await self._tell()

    async def Check(self, request: health_pb2.HealthCheckRequest, context: Any) -> Any:
        """The status now; NOT_FOUND for a service that the server does not have."""
        if request.service not in self._statuses:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"There is no service {request.service!r} here.")
        return health_pb2.HealthCheckResponse(status=self._statuses[request.service])

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: Any) -> None:
        """The status now and after every change, until the caller leaves or the server stops."""
        told = None
        while True:
            status = self._status(request.service)
            if status != told:
                await context.write(health_pb2.HealthCheckResponse(status=status))
                told = status
            elif self._stopped:
                return
            else:
                async with self._changed:
                    await self._changed.wait_for(partial(self._has_news, request.service, told))

    def _has_news(self, service: str, told: Any) -> bool:
        return self._stopped or self._status(service) != told

    def _status(self, service: str) -> Any:
        return self._statuses.get(service, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def _word(serving: bool) -> Any:
    response = health_pb2.HealthCheckResponse
    return response.SERVING if serving else response.NOT_SERVING
