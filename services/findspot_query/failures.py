"""The failure of one part of an answer that as a whole succeeded: its name, and who can mend it."""

from __future__ import annotations

from dataclasses import dataclass

from findspot.errors import FindspotError, Reason


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a part did not answer. `name` is the stable name on the wire and in JSON."""

    reason: Reason
    message: str
    name: str
    fixed_by: str
    """`operator`, `developer`, `retry` or `nobody`."""


@dataclass(frozen=True, slots=True)
class Degradation:
    """An arm that did not answer, why, and the mode that the answer has in effect."""

    arm: str
    failure: Failure
    effective_mode: str


_TABLE = {
    Reason.EMBEDDING_CREDENTIAL_REJECTED: ("embedding-credential-rejected", "operator"),
    Reason.EMBEDDING_REQUEST_REJECTED: ("embedding-request-rejected", "developer"),
    Reason.EMBEDDING_INPUT_TOO_LONG: ("embedding-request-rejected", "developer"),
    Reason.EMBEDDING_RESPONSE_INVALID: ("embedding-unavailable", "retry"),
    Reason.EMBEDDING_IDENTITY_NOT_LOADED: ("embedding-unavailable", "retry"),
    Reason.EMBEDDING_UNAVAILABLE: ("embedding-unavailable", "retry"),
    Reason.SEARCH_NOT_PERFORMED: ("search-not-performed", "nobody"),
    Reason.VECTOR_STORE_UNAVAILABLE: ("vector-store-unavailable", "operator"),
    Reason.TEXT_INDEX_UNAVAILABLE: ("text-index-unavailable", "operator"),
    Reason.RERANKER_UNAVAILABLE: ("reranker-unavailable", "retry"),
}


def failure_of(error: FindspotError, otherwise: Reason) -> Failure:
    """The failure that an error is. Reasons of the way there (a dead service, a full queue) become `otherwise`."""
    reason = error.reason if error.reason in _TABLE else otherwise
    name, fixed_by = _TABLE[reason]
    return Failure(reason, error.message, name, fixed_by)
