"""Packed floats: the fast path writes and reads the same numbers, and the same bytes, as the slow one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from findspot.errors import Internal, Reason
from findspot.rpc.vectors import fill_packed, unpack
from findspot.v1.embedding_pb2 import EmbedResponse

VALUES = EmbedResponse.DESCRIPTOR.fields_by_name["values"].number
MATRICES = hnp.arrays(
    np.float32,
    st.tuples(st.integers(0, 70), st.integers(1, 40)),
    elements=st.floats(width=32, allow_nan=False),
)


@given(MATRICES)
def test_the_fast_path_writes_the_bytes_of_the_slow_one(matrix: np.ndarray) -> None:
    fast, slow = EmbedResponse(dimension=matrix.shape[1]), EmbedResponse(dimension=matrix.shape[1])
    fill_packed(fast, VALUES, matrix)
    slow.values.extend(float(value) for row in matrix for value in row)
    assert fast == slow
    assert fast.SerializeToString() == slow.SerializeToString()


@given(MATRICES)
def test_a_round_trip_keeps_every_bit(matrix: np.ndarray) -> None:
    message = EmbedResponse()
    fill_packed(message, VALUES, matrix)
    back = unpack(EmbedResponse.FromString(message.SerializeToString()).values, matrix.shape[1])
    assert back.dtype == np.float32
    assert back.shape == matrix.shape
    assert back.tobytes() == np.ascontiguousarray(matrix).tobytes()


@pytest.mark.parametrize("change", [np.asfortranarray, lambda m: m.astype(np.float64), lambda m: m.tolist()])
def test_other_layouts_and_types_are_converted(change: object) -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    message = EmbedResponse()
    fill_packed(message, VALUES, change(matrix))  # type: ignore[operator]
    assert list(message.values) == list(range(12))


def test_filling_appends_and_keeps_other_fields() -> None:
    message = EmbedResponse(dimension=2, values=[1, 2])
    fill_packed(message, VALUES, np.array([3, 4], np.float32))
    assert (message.dimension, list(message.values)) == (2, [1, 2, 3, 4])


def test_the_array_outlives_and_does_not_share_the_message() -> None:
    message = EmbedResponse(values=[1, 2])
    array = unpack(message.values, 2)
    array[0, 0] = 9
    assert list(message.values) == [1, 2]


@pytest.mark.parametrize("dimension", [0, 2, 4])
def test_numbers_that_are_not_whole_rows_are_refused(dimension: int) -> None:
    with pytest.raises(Internal) as caught:
        unpack(EmbedResponse(values=[1, 2, 3]).values, dimension)
    assert caught.value.reason is Reason.EMBEDDING_RESPONSE_INVALID
