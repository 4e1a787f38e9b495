"""Points and hits of the vector store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32] | Sequence[float]
"""One vector: as many numbers as the collection's dimension, finite, not all zero."""


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """A chunk's vector with what it is filtered by."""

    id: str
    """The chunk's id, a UUID."""
    vector: Vector
    payload: Mapping[str, Any]
    """Values are None, bool, int (64 bits), float, str, and lists and string-keyed maps of them; see
    `schema.INDEXES`."""


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk found."""

    id: str
    score: float
    """Cosine similarity, -1 to 1, higher is nearer."""


@dataclass(frozen=True, slots=True)
class StoredPoint:
    """A point as it lies in the store, without its vector: what it is filtered by, to compare."""

    id: str
    document_id: str
    collection_path: str
    file_path: str
    kind: str
