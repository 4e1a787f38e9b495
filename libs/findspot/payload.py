"""What of a chunk goes to the embedding model and into the index: one place, so that what is counted is what is sent."""

from __future__ import annotations

PAYLOAD_RECIPE = 2
"""Rises when `embedded_text`, or what a vector is filtered by, changes: chunks with another stamp are then behind."""

JOINT = "\n\n"
"""What stands between context and text."""


def embedded_text(context: str, text: str) -> str:
    """The exact text that is embedded for a chunk: its context, a blank line, its text."""
    return f"{context}{JOINT}{text}" if context else text
