"""Which failures are the document's own, so that trying again is of no use."""

from __future__ import annotations

from findspot.errors import Reason

FAULTS_OF_DOCUMENTS = frozenset(
    {
        Reason.UNSUPPORTED_TYPE,
        Reason.DOCUMENT_TOO_LARGE,
        Reason.DOCUMENT_CORRUPT,
        Reason.DOCUMENT_ENCRYPTED,
        Reason.NO_TEXT,
    }
)
"""The bytes themselves are the reason: the same bytes fail the same way."""

RARELY_TRIED = frozenset({Reason.EXTRACTION_TIMEOUT, Reason.EXTRACTION_CRASHED})
"""Most likely the document's own, and costly: once more, in case the machine was short of memory or time."""

RARE_TRIES = 2
