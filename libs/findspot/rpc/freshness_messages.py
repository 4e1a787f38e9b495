"""Freshness and its evidence, to protobuf."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from findspot.freshness import Verdict
from findspot.model import Freshness
from findspot.v1 import common_pb2

FRESHNESS = {
    Freshness.FRESH: common_pb2.FRESHNESS_FRESH,
    Freshness.NOT_INDEXED: common_pb2.FRESHNESS_NOT_INDEXED,
    Freshness.INDEX_BEHIND_ROWS: common_pb2.FRESHNESS_INDEX_BEHIND_ROWS,
    Freshness.ROWS_BEHIND_FILE: common_pb2.FRESHNESS_ROWS_BEHIND_FILE,
    Freshness.UNKNOWN: common_pb2.FRESHNESS_UNKNOWN,
}


def evidence_message(verdict: Verdict) -> common_pb2.FreshnessEvidence:
    """What a freshness was derived from, with the sentence that says it."""
    evidence = verdict.evidence
    return common_pb2.FreshnessEvidence(
        source_hash=verdict.source_hash,
        row_hash=evidence.row_hash,
        row_fingerprint=evidence.row_fingerprint,
        index_fingerprint=evidence.index_fingerprint,
        diverged_time=_time(verdict.diverged_at),
        message=verdict.message,
    )


def evidence_unless_fresh(verdict: Verdict) -> common_pb2.FreshnessEvidence | None:
    """The same for answers of many chunks, of which most are fresh and need none."""
    return None if verdict.freshness is Freshness.FRESH else evidence_message(verdict)


def _time(microseconds: int) -> Timestamp | None:
    if not microseconds:
        return None
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1_000)
