"""EmbeddingService: protobuf to dataclasses and back, one call each."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc

from findspot.errors import FieldViolation, InvalidArgument, NotYetAvailable
from findspot.model import EmbeddingIdentity, InputType
from findspot.rpc.vectors import fill_packed
from findspot.v1 import common_pb2, embedding_pb2, embedding_pb2_grpc
from findspot_embedding import service
from findspot_embedding.cache import QueryCache
from findspot_embedding.models import Models, ModelState, ModelStatus

SERVICE = embedding_pb2.DESCRIPTOR.services_by_name["EmbeddingService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

_SIDES = {
    embedding_pb2.INPUT_TYPE_DOCUMENT: InputType.DOCUMENT,
    embedding_pb2.INPUT_TYPE_QUERY: InputType.QUERY,
}
_STATES = {
    ModelState.LOADING: embedding_pb2.MODEL_STATE_LOADING,
    ModelState.READY: embedding_pb2.MODEL_STATE_READY,
    ModelState.FAILED: embedding_pb2.MODEL_STATE_FAILED,
}


class EmbeddingHandler(embedding_pb2_grpc.EmbeddingServiceServicer):
    """The RPCs over `findspot_embedding.service`."""

    def __init__(self, models: Models, cache: QueryCache) -> None:
        self._models = models
        self._cache = cache

    async def Embed(
        self, request: embedding_pb2.EmbedRequest, context: Context
    ) -> embedding_pb2.EmbedResponse:
        """See embedding.proto."""
        made = await service.embed(
            self._models, self._cache, list(request.texts), _side(request.input_type), request.identity
        )
        response = embedding_pb2.EmbedResponse(
            identity=_identity(made.identity),
            dimension=made.identity.dimension,
            failures=[
                embedding_pb2.EmbedItemFailure(
                    index=failure.index,
                    reason=f"ERROR_REASON_{failure.reason}",
                    message=failure.message,
                )
                for failure in made.failures
            ],
        )
        fill_packed(response, embedding_pb2.EmbedResponse.VALUES_FIELD_NUMBER, made.vectors)
        return response

    async def ListModels(
        self, request: embedding_pb2.ListModelsRequest, context: Context
    ) -> embedding_pb2.ListModelsResponse:
        """See embedding.proto."""
        return embedding_pb2.ListModelsResponse(models=[_model(status) for status in self._models.statuses()])

    async def Tokenize(
        self, request: embedding_pb2.TokenizeRequest, context: Context
    ) -> embedding_pb2.TokenizeResponse:
        """See embedding.proto."""
        made = await service.tokenize(self._models, list(request.texts), request.identity)
        return embedding_pb2.TokenizeResponse(
            identity=_identity(made.identity),
            texts=[embedding_pb2.TokenStarts(starts=starts.tolist()) for starts in made.starts],
        )

    async def Rerank(
        self, request: embedding_pb2.RerankRequest, context: Context
    ) -> embedding_pb2.RerankResponse:
        """See embedding.proto."""
        raise NotYetAvailable("This version has no reranker: leave reranking off.")


def _side(given: embedding_pb2.InputType) -> InputType:
    side = _SIDES.get(given)
    if side is None:
        description = "Say which side the texts are on: INPUT_TYPE_DOCUMENT or INPUT_TYPE_QUERY."
        raise InvalidArgument(description, fields=[FieldViolation("input_type", description)])
    return side


def _identity(identity: EmbeddingIdentity) -> common_pb2.EmbeddingIdentity:
    return common_pb2.EmbeddingIdentity(
        key=identity.key,
        display=identity.display,
        name=identity.name,
        dimension=identity.dimension,
        input_limit=identity.input_limit,
        special_tokens=identity.special_tokens,
    )


def _model(status: ModelStatus) -> embedding_pb2.EmbeddingModel:
    return embedding_pb2.EmbeddingModel(
        identity=_identity(status.identity) if status.identity else None,
        state=_STATES[status.state],
        active=status.active,
        provider=status.provider,
        message=status.message,
        source=status.source,
    )
