"""Nothing but sound vectors gets past `checked_vectors`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from findspot.errors import FailedPrecondition, Reason
from findspot_embedding.checks import checked_vectors

rows = arrays(
    np.float32, (3, 5), elements=st.floats(-(2.0**120), 2.0**120, width=32).filter(lambda x: abs(x) > 1e-3)
)


@given(rows)
def test_every_finite_vector_comes_out_with_length_one(vectors: NDArray[np.float32]) -> None:
    checked = checked_vectors(vectors, 3, 5)
    assert checked.dtype == np.float32
    assert np.allclose(np.linalg.norm(checked.astype(np.float64), axis=1), 1, atol=1e-5)
    assert (np.sign(checked) * np.sign(vectors) >= 0).all()


def test_vectors_of_length_one_keep_their_bits() -> None:
    vectors = np.array([[0.6, 0.8], [1.0, 0.0]], np.float32)
    assert (checked_vectors(vectors, 2, 2) == vectors).all()


@pytest.mark.parametrize(
    "vectors",
    [
        np.ones((2, 3)),
        np.ones((1, 4)),
        np.ones(4),
        np.array([[1, np.nan, 0, 0], [1, 0, 0, 0]]),
        np.array([[1, 0, 0, 0], [np.inf, 0, 0, 0]]),
        np.array([[1, 0, 0, 0], [0, 0, 0, 0]]),
    ],
    ids=["dimension", "count", "rank", "nan", "inf", "zero"],
)
def test_anything_else_is_an_invalid_response(vectors: NDArray[np.float64]) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        checked_vectors(vectors, 2, 4)
    assert refused.value.reason is Reason.EMBEDDING_RESPONSE_INVALID
