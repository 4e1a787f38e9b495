"""Freshness in a word or a line: nothing where all is well."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from findspot.cli.output import escape
from findspot.v1 import common_pb2

_WORDS = {
    common_pb2.FRESHNESS_NOT_INDEXED: "unindexed",
    common_pb2.FRESHNESS_INDEX_BEHIND_ROWS: "pending",
    common_pb2.FRESHNESS_ROWS_BEHIND_FILE: "outdated",
    common_pb2.FRESHNESS_UNKNOWN: "unverified",
}
"""What people are told; JSON has the values themselves."""


def word(item: Any) -> str:
    """One word for a hit, chunk or document that is not fresh; empty for a fresh one."""
    return _WORDS.get(item.freshness, "")


def line(item: Any) -> str:
    """Markup for the word, what proves it, and since when; empty for a fresh one."""
    said = word(item)
    if not said:
        return ""
    evidence = item.evidence
    parts = [f"[yellow]{said}[/]", escape(evidence.message)]
    if evidence.HasField("diverged_time"):
        since = datetime.fromtimestamp(evidence.diverged_time.seconds, UTC)
        parts.append(f"[dim]since {since:%Y-%m-%d %H:%M} UTC[/]")
    return " ".join(parts)


def hashes(item: Any) -> str:
    """Markup for the hashes of file and rows, where they differ; else empty."""
    evidence = item.evidence
    if evidence.source_hash == evidence.row_hash or not evidence.row_hash:
        return ""
    return f"[dim]file {evidence.source_hash or 'gone'}\nrows {evidence.row_hash}[/]"
