"""The embedding service as other services call it: dataclasses in and out, `FindspotError` raised."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import grpc

from findspot.errors import FailedPrecondition, Internal, Reason
from findspot.model import EmbeddingIdentity, EmbeddingModel, InputType
from findspot.rpc.status import from_rpc_error
from findspot.v1 import common_pb2, embedding_pb2, embedding_pb2_grpc, errors_pb2

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIDES = {
    InputType.DOCUMENT: embedding_pb2.INPUT_TYPE_DOCUMENT,
    InputType.QUERY: embedding_pb2.INPUT_TYPE_QUERY,
}

_STATES: dict[int, Literal["LOADING", "READY", "FAILED"]] = {
    embedding_pb2.MODEL_STATE_LOADING: "LOADING",
    embedding_pb2.MODEL_STATE_READY: "READY",
    embedding_pb2.MODEL_STATE_FAILED: "FAILED",
}


@dataclass(frozen=True, slots=True)
class TextFailure:
    """A text that got no vector: its position in the call from 0, and why."""

    index: int
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """Vectors of one call: row i is the vector of text i (length 1), all zeros where text i failed."""

    identity: EmbeddingIdentity
    vectors: NDArray[np.float32]
    """Shape (texts, identity.dimension)."""
    failures: tuple[TextFailure, ...]


class EmbeddingPeer:
    """Calls over one channel of `findspot.rpc.channel.open_channel`; the caller closes the channel.

    Every method raises the `FindspotError` that the service answered; `timeout` is in seconds, None takes the
    deadline of the call being served, else the channel's default.
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = embedding_pb2_grpc.EmbeddingServiceStub(channel)

    async def embed(
        self,
        texts: Sequence[str],
        input_type: InputType,
        identity_key: str = "",
        timeout: float | None = None,
    ) -> EmbeddedBatch:
        """Vectors of 1 to 128 texts by the model with `identity_key`; empty takes the active one."""
        from findspot.rpc.vectors import unpack  # numpy: only where vectors are wanted

        request = embedding_pb2.EmbedRequest(
            texts=texts, input_type=_SIDES[input_type], identity=identity_key
        )
        try:
            response = await self._stub.Embed(request, timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        vectors = unpack(response.values, response.dimension)
        if len(vectors) != len(texts):
            raise Internal(
                f"The embedding service answered {len(vectors)} vectors for {len(texts)} texts.",
                reason=Reason.EMBEDDING_RESPONSE_INVALID,
            )
        failures = tuple(_failure(failure) for failure in response.failures)
        return EmbeddedBatch(_identity(response.identity), vectors, failures)

    async def tokenize(
        self, texts: Sequence[str], identity_key: str = "", timeout: float | None = None
    ) -> tuple[array[int], ...]:
        """Code points at which the tokens of each text start, ascending, as one array of unsigned ints a
        text."""
        request = embedding_pb2.TokenizeRequest(texts=texts, identity=identity_key)
        try:
            response = await self._stub.Tokenize(request, timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return tuple(array("I", text.starts) for text in response.texts)

    async def identities(self, timeout: float | None = None) -> tuple[EmbeddingIdentity, ...]:
        """Identities of the models that are ready, the active one first where it is ready; none without a
        provider."""
        return tuple(_identity(model.identity) for model in await self._models(timeout) if _ready(model))

    async def active_identity(self, timeout: float | None = None) -> EmbeddingIdentity:
        """The identity that an empty key means; known for the default model even while it is being built.

        FailedPrecondition SEARCH_NOT_PERFORMED when no provider is configured, EMBEDDING_IDENTITY_NOT_LOADED
        while the identity is not known.
        """
        models = await self._models(timeout)
        active = next((model for model in models if model.active), None)
        if active is None:
            raise FailedPrecondition(
                "No embedding provider is configured: search by text alone.",
                reason=Reason.SEARCH_NOT_PERFORMED,
            )
        if not active.identity.key:
            raise FailedPrecondition(
                f"The active embedding model is not known yet: {active.message}",
                reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
                retry_after=1.0,
            )
        return _identity(active.identity)

    async def models(self, timeout: float | None = None) -> tuple[EmbeddingModel, ...]:
        """Every model that the service was told to load, the one that it is configured with first; none without a
        provider."""
        return tuple(_model(model) for model in await self._models(timeout))

    async def _models(self, timeout: float | None) -> Sequence[embedding_pb2.EmbeddingModel]:
        try:
            response = await self._stub.ListModels(embedding_pb2.ListModelsRequest(), timeout=timeout)
        except grpc.RpcError as problem:
            raise from_rpc_error(problem) from problem
        return response.models


def _ready(model: embedding_pb2.EmbeddingModel) -> bool:
    return model.state == embedding_pb2.MODEL_STATE_READY


def _identity(identity: common_pb2.EmbeddingIdentity) -> EmbeddingIdentity:
    return EmbeddingIdentity(
        key=identity.key,
        display=identity.display,
        name=identity.name,
        dimension=identity.dimension,
        input_limit=identity.input_limit,
        special_tokens=identity.special_tokens,
    )


def _model(model: embedding_pb2.EmbeddingModel) -> EmbeddingModel:
    return EmbeddingModel(
        identity=_identity(model.identity) if model.identity.key else None,
        state=_STATES.get(model.state, "LOADING"),
        active=model.active,
        source=model.source,
        message=model.message,
    )


def _failure(failure: embedding_pb2.EmbedItemFailure) -> TextFailure:
    value = errors_pb2.ErrorReason.DESCRIPTOR.values_by_number.get(failure.reason)
    name = value.name.removeprefix("ERROR_REASON_") if value else ""
    # A newer service may know reasons that this caller does not.
    reason = Reason(name) if name in Reason.__members__ else Reason.INTERNAL
    return TextFailure(failure.index, reason, failure.message)
