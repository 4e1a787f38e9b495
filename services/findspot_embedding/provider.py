"""The seam between the service and whatever makes vectors: one protocol and the values that cross it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from findspot.errors import Reason
from findspot.model import EmbeddingIdentity, InputType


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one text of a call got no vector; the other texts of the call are not touched by it."""

    reason: Reason
    message: str


class Provider(Protocol):
    """Makes vectors and counts tokens for one identity. Called from several threads at once."""

    @property
    def identity(self) -> EmbeddingIdentity:
        """What its vectors may be compared with."""

    @property
    def kind(self) -> str:
        """What sort of provider this is, as ListModels names it: `fastembed` or `openai`."""

    @property
    def texts_per_call(self) -> int:
        """How many texts `embed` is best given at once, from 1."""

    @property
    def document_threads(self) -> int:
        """How many threads should call `embed` for documents at the same time, from 1."""

    def embed(self, texts: Sequence[str], side: InputType) -> Sequence[NDArray[np.float32] | Refusal]:
        """A finite vector of length 1, or the refusal, of each text in order.

        Raises a `FindspotError` when the call as a whole failed: credential, endpoint, answer.
        """

    def token_starts(self, texts: Sequence[str]) -> Sequence[NDArray[np.uint32]]:
        """Code points at which the tokens of each text start, ascending, nothing cut, no special tokens."""

    def close(self) -> None:
        """Let go of connections and memory; nothing is called afterwards."""
