"""What a vector must be before the engine sees it: the engine itself takes NaN and zero vectors without a
word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from findspot.errors import FieldViolation, InvalidArgument
from findspot_vectors.model import Distance, NewPoint, VectorParams


def check_points(params: Mapping[str, VectorParams], points: Sequence[NewPoint]) -> None:
    """Every vector of every point has a known name, the right dimension, finite numbers, and a length for
    cosine.

    Raises InvalidArgument that names the first point that is wrong. A point may lack named vectors, never
    the unnamed one.
    """
    for name in {name for point in points for name in point.vectors}:
        having = [point for point in points if name in point.vectors]
        wanted = _params(params, name)
        for point in having:
            if len(point.vectors[name]) != wanted.size:
                raise _wrong_dimension(name, len(point.vectors[name]), wanted.size, f"point {point.key}")
        _check_numbers(wanted, _rows([p.vectors[name] for p in having]), name, having)
    if "" in params:
        for point in points:
            if "" not in point.vectors:
                raise _wrong_dimension("", 0, params[""].size, f"point {point.key}")


def check_query(params: Mapping[str, VectorParams], name: str, vector: Sequence[float]) -> None:
    """The same for the vector of a query."""
    wanted = _params(params, name)
    if len(vector) != wanted.size:
        raise _wrong_dimension(name, len(vector), wanted.size, "the query")
    _check_numbers(wanted, _rows([vector]), name, None)


def _rows(vectors: Sequence[Sequence[float]]) -> np.ndarray:
    # What is too large for float32 becomes infinite, and is refused as that.
    with np.errstate(over="ignore"):
        return np.asarray(vectors, dtype=np.float32)


def _params(params: Mapping[str, VectorParams], name: str) -> VectorParams:
    if name not in params:
        known = ", ".join(repr(n) for n in params)
        raise InvalidArgument(
            f"Wrong input: Not existing vector name error: {name!r}. The collection's vectors are {known}.",
            fields=(FieldViolation("using", f"{name!r} is none of {known}"),),
        )
    return params[name]


def _wrong_dimension(name: str, got: int, wanted: int, where: str) -> InvalidArgument:
    vector = f" {name!r}" if name else ""
    return InvalidArgument(
        f"Wrong input: Vector dimension error: expected dim: {wanted}, got {got}, "
        f"in vector{vector} of {where}.",
        fields=(FieldViolation("vector", f"has {got} numbers, the collection takes {wanted}"),),
    )


def _check_numbers(
    wanted: VectorParams, rows: np.ndarray, name: str, points: Sequence[NewPoint] | None
) -> None:
    squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
    # NaN and infinity survive into the sum of squares, so that one pass finds both faults.
    bad = ~np.isfinite(squares)
    fault = "holds a number that is not finite; all must be finite"
    if not bad.any() and wanted.distance is Distance.COSINE:
        bad = squares <= 0.0
        fault = "has the norm 0; the cosine distance takes norms above 0 only"
    if bad.any():
        row = int(np.argmax(bad))
        owner = "the query" if points is None else f"point {points[row].key}"
        vector = f" {name!r}" if name else ""
        raise InvalidArgument(
            f"Wrong input: vector{vector} of {owner} {fault}.", fields=(FieldViolation("vector", fault),)
        )
