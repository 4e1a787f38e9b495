"""An OpenAI-compatible HTTP endpoint (`POST <url>/embeddings`) as a provider.

What went wrong is decided here, where status and body are known, and carried along unchanged:

    401, 403                                   PermissionDenied    EMBEDDING_CREDENTIAL_REJECTED
    408, 425, 429, 5xx, unreachable, timeout   Unavailable         EMBEDDING_UNAVAILABLE
    any other status that is not 2xx           FailedPrecondition  EMBEDDING_REQUEST_REJECTED
    2xx with anything but sound vectors        FailedPrecondition  EMBEDDING_RESPONSE_INVALID

The credential is the service's own, not the caller's: hence PermissionDenied and not Unauthenticated, which
would ask the caller to sign in. Nothing is repeated here: indexing repeats documents, and a query has no time
for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

from findspot.errors import (
    FailedPrecondition,
    FindspotError,
    PermissionDenied,
    Reason,
    Unavailable,
)
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding.checks import checked_vectors
from findspot_embedding.counting import TokenCounter
from findspot_embedding.identity import NO_PREFIXES, Prefixes, Provenance, identity_of
from findspot_embedding.provider import Refusal

BODY_KEPT = 2048
"""Characters of an endpoint's answer that an error carries."""
LONGEST_WAIT = 60.0
"""Seconds: the most of an endpoint's Retry-After that is passed on."""
ABOUT_THE_TEXT = (400, 413, 422)
"""Statuses that may be the fault of one text among several."""


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """Where an endpoint is and how to ask it."""

    url: str
    """Base address, for example `https://host/v1`; `/embeddings` is appended."""
    model: str
    api_key: str = ""
    dimension: int = 0
    """Floats in a vector; 0 asks the endpoint once, at the start."""
    send_dimension: bool = False
    """Ask for `dimension` in each request, for models that can shorten their vectors."""
    input_limit: int = 8191
    tokenizer: Path | None = None
    """tokenizer.json of the model; None counts each UTF-8 byte as a token, which is never too few."""
    prefixes: Prefixes = NO_PREFIXES
    revision: str = ""
    texts_per_call: int = 32
    connections: int = 4
    timeout: float = 30.0
    """Seconds for a request with documents."""
    query_timeout: float = 5.0
    """Seconds for a request with queries."""


class Endpoint:
    """A provider behind HTTP; requests from several threads share one pool of connections."""

    kind = "openai"

    def __init__(self, options: EndpointOptions) -> None:
        """Asks the endpoint for one vector when the options do not state the dimension; errors as for
        `embed`."""
        self.texts_per_call = options.texts_per_call
        self.document_threads = options.connections
        self._options = options
        self._url = options.url.rstrip("/") + "/embeddings"
        self._counter = TokenCounter(options.tokenizer)
        headers = {"Authorization": f"Bearer {options.api_key}"} if options.api_key else {}
        self._client = httpx.Client(headers=headers)
        self._dimension = options.dimension
        try:
            self._dimension = options.dimension or self._ask(["dimension"], options.timeout).shape[1]
        except BaseException:
            self._client.close()
            raise
        self.identity: EmbeddingIdentity = identity_of(
            Provenance(
                name=options.model.rpartition("/")[2],
                dimension=self._dimension,
                precision="endpoint",
                weights_sha256="",
                tokenizer_sha256=self._counter.sha256,
                recipe=0,
                prefixes=options.prefixes,
                revision=options.revision,
            ),
            input_limit=options.input_limit,
            special_tokens=self._counter.count(options.prefixes.document),
        )

    def embed(self, texts: Sequence[str], side: InputType) -> Sequence[NDArray[np.float32] | Refusal]:
        """See `Provider.embed`. Texts over the limit are refused before anything is sent."""
        prefixed = [self._options.prefixes.of(side) + text for text in texts]
        outcomes: list[NDArray[np.float32] | Refusal | None] = [self._too_long(text) for text in prefixed]
        open_at = [index for index, outcome in enumerate(outcomes) if outcome is None]
        timeout = self._options.query_timeout if side is InputType.QUERY else self._options.timeout
        answers = self._ask_apart([prefixed[index] for index in open_at], timeout)
        for index, answer in zip(open_at, answers, strict=True):
            outcomes[index] = answer
        return [outcome for outcome in outcomes if outcome is not None]

    def _too_long(self, text: str) -> Refusal | None:
        limit = self.identity.input_limit
        # No tokenizer makes more tokens than there are bytes: most texts need no counting.
        if len(text) * 4 + self.identity.special_tokens <= limit:
            return None
        tokens = self._counter.count(text)
        if tokens <= limit:
            return None
        return Refusal(
            Reason.EMBEDDING_INPUT_TOO_LONG,
            f"The text has {tokens} {self._counter.unit} with its prefix and special tokens; "
            f"{self.identity.display} takes {limit}. Send a shorter text.",
        )

    def _ask_apart(self, texts: Sequence[str], timeout: float) -> list[NDArray[np.float32] | Refusal]:
        """Ask for all texts at once, and one by one when the endpoint rejects them together: one may be at
        fault."""
        if not texts:
            return []
        try:
            return list(self._ask(texts, timeout))
        except FailedPrecondition as problem:
            if len(texts) == 1 or int(problem.metadata.get("status", 0)) not in ABOUT_THE_TEXT:
                raise
            together = problem
        outcomes: list[NDArray[np.float32] | Refusal] = []
        for text in texts:
            try:
                outcomes.append(self._ask([text], timeout)[0])
            except FailedPrecondition as problem:
                if problem.reason is not Reason.EMBEDDING_REQUEST_REJECTED:
                    raise
                outcomes.append(Refusal(problem.reason, problem.message))
        if all(isinstance(outcome, Refusal) for outcome in outcomes):
            raise together
        return outcomes

    def _ask(self, texts: Sequence[str], timeout: float) -> NDArray[np.float32]:
        body: dict[str, Any] = {
            "model": self._options.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._options.send_dimension and self._options.dimension:
            body["dimensions"] = self._options.dimension
        try:
            response = self._client.post(self._url, json=body, timeout=timeout)
        except (httpx.HTTPError, httpx.InvalidURL) as problem:
            raise Unavailable(
                f"The embedding endpoint {self._url} was not reached within {timeout:g} s: "
                f"{type(problem).__name__} {problem}. Check the address, or try again later.",
                reason=Reason.EMBEDDING_UNAVAILABLE,
                metadata=self._about(),
                retry_after=1.0,
            ) from problem
        if not response.is_success:
            raise self._refused(response)
        return self._vectors(response, len(texts))

    def _refused(self, response: httpx.Response) -> FindspotError:
        status = response.status_code
        about = self._about(response)
        said = f"The embedding endpoint {self._url} answered HTTP {status} for model {self._options.model!r}"
        if status in (401, 403):
            return PermissionDenied(
                f"{said}: it rejects the configured API key. Set a valid one.",
                reason=Reason.EMBEDDING_CREDENTIAL_REJECTED,
                metadata=about,
            )
        if status in (408, 425, 429) or status >= 500:
            return Unavailable(
                f"{said}. Try again later.",
                reason=Reason.EMBEDDING_UNAVAILABLE,
                metadata=about,
                retry_after=_retry_after(response),
            )
        return FailedPrecondition(
            f"{said}: it rejects the request as such. Check model name, address and dimensions.",
            reason=Reason.EMBEDDING_REQUEST_REJECTED,
            metadata=about,
        )

    def _vectors(self, response: httpx.Response, count: int) -> NDArray[np.float32]:
        try:
            rows = response.json()["data"]
            ordered = sorted(rows, key=lambda row: row.get("index", 0))
            if [row.get("index", at) for at, row in enumerate(ordered)] != list(range(count)):
                raise ValueError(
                    f"{len(rows)} vectors for {count} texts, or indexes that are not 0 to {count - 1}"
                )
            vectors = np.array([row["embedding"] for row in ordered], np.float32)
            return checked_vectors(vectors, count, self._dimension or vectors.shape[-1])
        except FailedPrecondition as problem:
            problem.metadata.update(self._about(response))
            raise
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise FailedPrecondition(
                f"The embedding endpoint {self._url} answered HTTP {response.status_code} without usable "
                f"vectors: {type(problem).__name__} {problem}.",
                reason=Reason.EMBEDDING_RESPONSE_INVALID,
                metadata=self._about(response),
            ) from problem

    def _about(self, response: httpx.Response | None = None) -> dict[str, str]:
        about = {"endpoint": self._url, "model": self._options.model}
        if response is not None:
            about["status"] = str(response.status_code)
            body = response.text
            left = len(body) - BODY_KEPT
            about["body"] = body if left <= 0 else f"{body[:BODY_KEPT]} [cut: {left} more characters]"
        return about

    def token_starts(self, texts: Sequence[str]) -> Sequence[NDArray[np.uint32]]:
        """See `Provider.token_starts`; without a tokenizer, the start of every UTF-8 byte."""
        return [self._counter.starts(text) for text in texts]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _retry_after(response: httpx.Response) -> float:
    """Seconds that the endpoint asks to wait, 1 when it does not say or says a date."""
    stated = response.headers.get("retry-after", "")
    return min(float(stated), LONGEST_WAIT) if stated.replace(".", "", 1).isdigit() else 1.0
