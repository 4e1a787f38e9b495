"""The one place where failures of the engine become errors of the suite: it raises bare `Exception`s with
a text."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from findspot.errors import (
    DataLoss,
    FailedPrecondition,
    FindspotError,
    Internal,
    InvalidArgument,
    NotFound,
    Reason,
    ResourceExhausted,
    Unavailable,
)

_log = logging.getLogger(__name__)

_WRONG_INPUT = (
    "Vector dimension error",
    "Not existing vector name",
    "Wrong input",
    "Bad request",
    "No range index for",
    "Validation error",
)


@contextmanager
def engine_errors(collection: str) -> Iterator[None]:
    """Turns what the engine raises while `collection` is worked on into a `FindspotError`.

    A Rust panic arrives as `PanicException`, a BaseException of a class that cannot be imported, hence by
    name.
    """
    try:
        yield
    except FindspotError:
        raise
    except Exception as failure:
        raise translate(collection, failure) from failure
    except BaseException as failure:
        if type(failure).__name__ != "PanicException":
            raise
        _log.error("the vector engine panicked in collection %s: %s", collection, failure)
        raise Internal(
            f"The vector engine panicked while working on collection `{collection}`: {failure}. "
            "Restart the vectors service; if it happens again, drop the collection and rebuild it."
        ) from failure


def translate(collection: str, failure: Exception) -> FindspotError:
    """The error for one failure of the engine, by its class where it has one, else by its text."""
    text = str(failure)
    where = f"Collection `{collection}`: {text}."
    if isinstance(failure, ValueError | TypeError | OverflowError) or any(
        part in text for part in _WRONG_INPUT
    ):
        return InvalidArgument(f"Wrong input. {where} Change the request.")
    if "No point with id" in text:
        return NotFound(f"Not found: {where}", reason=Reason.CHUNK_NOT_FOUND)
    if "WouldBlock" in text:
        return FailedPrecondition(
            f"{where} Another process has these files open; stop it first.", reason=Reason.STORE_LOCKED
        )
    if "not initialized" in text:
        return Unavailable(
            f"{where} The shard is closed; the service is stopping.", reason=Reason.VECTOR_STORE_UNAVAILABLE
        )
    if "No space left" in text or "os error 28" in text:
        return ResourceExhausted(f"{where} The disk is full; make room, then try again.")
    if any(word in text for word in ("does not exist", "shorter than expected", "orrupt", "eserializ")):
        return DataLoss(f"{where} Files are missing or damaged; drop the collection and rebuild it.")
    return Internal(f"The vector engine failed. {where}")
