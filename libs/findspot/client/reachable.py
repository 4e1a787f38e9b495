"""Which services of a suite answer, asked of their health service."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from findspot.rpc.channel import open_sync_channel
from findspot.rpc.status import from_rpc_error

_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether a service answers and serves; `message` says what is the matter where it does not."""

    service: str
    address: str
    serving: bool
    message: str


def reach(addresses: Mapping[str, str]) -> list[Reached]:
    """Asks every service at the same time, for 3 seconds at most; in the order given."""
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        return list(threads.map(lambda item: _reach(*item), addresses.items()))


def _reach(service: str, address: str) -> Reached:
    with open_sync_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=_SECONDS, wait_for_ready=False)
        except grpc.RpcError as error:
            return Reached(
                service, address, False, f"It does not answer at {address}: {from_rpc_error(error).message}"
            )
    if answer.status == health_pb2.HealthCheckResponse.SERVING:
        return Reached(service, address, True, f"It serves at {address}.")
    name = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return Reached(service, address, False, f"It answers at {address} and is not ready ({name}).")
