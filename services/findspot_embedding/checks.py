"""What every vector must be before anybody stores it: the right count and dimension, finite, of length 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from findspot.errors import FailedPrecondition, Reason

SMALLEST_NORM = 1e-6
"""A vector shorter than this has no direction worth comparing."""


def checked_vectors(vectors: NDArray[Any], count: int, dimension: int) -> NDArray[np.float32]:
    """The vectors as float32 rows scaled to length 1.

    Raises FailedPrecondition EMBEDDING_RESPONSE_INVALID for another shape, a number that is not finite, or a
    zero vector.
    """
    if vectors.shape != (count, dimension):
        raise _invalid(f"shape {vectors.shape} for {count} texts of {dimension} dimensions")
    rows = np.ascontiguousarray(vectors, np.float32)
    # Squares in float64: a huge float32 component would overflow its own square.
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    if not np.isfinite(norms).all():
        raise _invalid(f"a number that is not finite in row {int(np.argmin(np.isfinite(norms)))}")
    if (norms < SMALLEST_NORM).any():
        raise _invalid(f"a vector of length {norms.min():.2g} in row {int(np.argmin(norms))}")
    # Already of length 1 to float32's precision: leave the bits that the model gave.
    if np.abs(norms - 1).max() < 1e-5:
        return rows
    scaled: NDArray[np.float32] = (rows / norms[:, None]).astype(np.float32)
    return scaled


def _invalid(found: str) -> FailedPrecondition:
    return FailedPrecondition(
        f"The embedding model answered {found}. Nothing was stored; "
        "check that model and dimensions fit each other.",
        reason=Reason.EMBEDDING_RESPONSE_INVALID,
        metadata={"found": found},
    )
