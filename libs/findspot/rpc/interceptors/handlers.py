"""One shape for server interceptors: a context manager around a handler of any of the four call kinds."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from findspot.errors import Internal

Context = Any  # grpc.aio.ServicerContext[request, response]: the interceptors never look at the messages
Handler = Any  # grpc.RpcMethodHandler[request, response]
Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Handler]]

PLUMBING = ("/grpc.health.v1.", "/grpc.reflection.", "/grpc.channelz.")
"""Services of gRPC itself: never limited, never traced, so that a loaded service can still be asked how it
is."""


def is_plumbing(method: str) -> bool:
    """True for health, reflection and channelz; `method` is the full path `/package.Service/Method`."""
    return method.startswith(PLUMBING)


class AroundInterceptor(grpc.aio.ServerInterceptor):
    """Base of interceptors that say what happens before and after a call in `around`, once for all call
    kinds."""

    def __init__(self) -> None:
        self._wrapped: dict[str, tuple[Handler, Handler]] = {}

    def around(self, method: str, context: Context) -> contextlib.AbstractAsyncContextManager[None]:
        """What surrounds one call of `method`; an exception of the handler is raised inside it."""
        raise NotImplementedError

    async def intercept_service(
        self, continuation: Continuation, details: grpc.HandlerCallDetails
    ) -> Handler:
        """The handler of the call, wrapped; None (an unknown method) stays None."""
        handler = await continuation(details)
        if handler is None:
            return None
        method = details.method
        # Wrapping anew for every call would cost a tenth of a call.
        known, wrapped = self._wrapped.get(method, (None, None))
        if known is not handler:
            wrapped = wrap(handler, lambda context: self.around(method, context))
            self._wrapped[method] = (handler, wrapped)
        return wrapped


def wrap(
    handler: Handler, around: Callable[[Context], contextlib.AbstractAsyncContextManager[None]]
) -> Handler:
    """A handler of the same kind whose behaviour runs inside `around(context)`.

    Streams are written with `context.write` rather than yielded: so a cancelled call is cancelled inside
    `around` and its clean-up runs at once, not when the generator is collected.
    """
    kind = _KINDS[handler.request_streaming, handler.response_streaming]
    behaviour = getattr(handler, kind.removesuffix("_rpc_method_handler"))

    async def answer(request: Any, context: Context) -> Any:
        async with around(context):
            result = behaviour(request, context)
            if hasattr(result, "__await__"):
                return await result
            if hasattr(result, "__aiter__"):
                async with contextlib.aclosing(result) as messages:
                    async for message in messages:
                        await context.write(message)
                return None
            raise Internal(f"The handler {behaviour!r} is not asynchronous; handlers of Findspot have to be.")

    make = getattr(grpc, kind)
    return make(answer, handler.request_deserializer, handler.response_serializer)


_KINDS = {
    (False, False): "unary_unary_rpc_method_handler",
    (False, True): "unary_stream_rpc_method_handler",
    (True, False): "stream_unary_rpc_method_handler",
    (True, True): "stream_stream_rpc_method_handler",
}
