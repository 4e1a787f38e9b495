"""Stands between a service and those that call it, and notes what they ask for and are answered.

A call that is refused, because all workers are busy for one, had no work done and is not counted.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

Note = Callable[[str, bytes], None]


class _Forward(grpc.GenericRpcHandler):
    """Every method as streams of bytes, as they are."""

    def __init__(self, channel: grpc.aio.Channel, note: Note) -> None:
        self._channel = channel
        self._note = note

    def service(self, handler_call_details: Any) -> Any:
        method: str = handler_call_details.method
        call = self._channel.stream_stream(method)

        async def forward(requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
            asked: list[bytes] = []

            async def noted() -> AsyncIterator[bytes]:
                async for request in requests:
                    asked.append(request)
                    yield request

            answers = call(noted(), timeout=context.time_remaining(), metadata=context.invocation_metadata())
            try:
                async for answer in answers:
                    yield answer
                for request in asked:
                    self._note(method, request)
            except grpc.aio.AioRpcError as error:
                context.set_trailing_metadata(tuple(error.trailing_metadata() or ()))
                await context.abort(error.code(), error.details() or "")

        return grpc.stream_stream_rpc_method_handler(forward)


@contextmanager
def counting(target: str, port: int, what: Callable[[str, bytes], list[str]]) -> Iterator[Counter[str]]:
    """A proxy on `port` before `target`; `what` tells what is to be counted of a message of a method."""
    counted: Counter[str] = Counter()
    loop = asyncio.new_event_loop()
    stop: asyncio.Future[None] = loop.create_future()
    ready = threading.Event()

    async def serve() -> None:
        async with grpc.aio.insecure_channel(target) as channel:
            server = grpc.aio.server()
            server.add_generic_rpc_handlers(
                (_Forward(channel, lambda method, message: counted.update(what(method, message))),)
            )
            server.add_insecure_port(f"127.0.0.1:{port}")
            await server.start()
            ready.set()
            await stop
            await server.stop(None)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield counted
    finally:
        loop.call_soon_threadsafe(stop.set_result, None)
        thread.join(20)
        loop.close()
