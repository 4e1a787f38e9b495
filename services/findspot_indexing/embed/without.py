"""What stands in for an embedding service when none is configured: a legitimate state that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from findspot.errors import FailedPrecondition, Reason
from findspot.model import InputType


class WithoutEmbedding:
    """Answers every question with SEARCH_NOT_PERFORMED: documents are found by their words alone."""

    async def active_identity(self) -> NoReturn:
        """There is none."""
        _refuse()

    async def models(self, timeout: float | None = None) -> NoReturn:
        """There is none."""
        _refuse()

    async def embed(
        self,
        texts: Sequence[str],
        input_type: InputType,
        identity_key: str = "",
        timeout: float | None = None,
    ) -> NoReturn:
        """There is no model."""
        _refuse()


def _refuse() -> NoReturn:
    raise FailedPrecondition(
        "No embedding service and vector store are configured: documents are found by their words alone. "
        "Set embedding_address and vectors_address of the indexing service to change that.",
        reason=Reason.SEARCH_NOT_PERFORMED,
    )
