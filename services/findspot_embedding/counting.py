"""Counts tokens of a model that runs elsewhere, by its tokenizer.json, or by bytes where nobody gave one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from findspot.errors import FailedPrecondition
from findspot_embedding.packaged import sha256_of

ASSUMED_SPECIAL_TOKENS = 2
"""What a model of unknown tokenizer is taken to add to each text."""


class TokenCounter:
    """Token counts and starts, never cut."""

    def __init__(self, tokenizer: Path | None) -> None:
        """`tokenizer` is a tokenizer.json. Raises FailedPrecondition when it cannot be read."""
        self.unit = "tokens" if tokenizer else "bytes (no tokenizer is configured)"
        self.sha256 = ""
        self._tokenizer = None
        if tokenizer is None:
            return
        from tokenizers import Tokenizer

        try:
            self.sha256 = sha256_of(tokenizer)
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        except Exception as problem:  # what `tokenizers` raises for a bad file
            raise FailedPrecondition(
                f"The tokenizer {tokenizer} cannot be read: {problem}. Give the model's tokenizer.json."
            ) from problem
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count(self, text: str) -> int:
        """Tokens of a text with the special tokens added to it; never too few."""
        if self._tokenizer is None:
            return len(text.encode()) + ASSUMED_SPECIAL_TOKENS
        return len(self._tokenizer.encode_batch_fast([text])[0].ids)

    def starts(self, text: str) -> NDArray[np.uint32]:
        """Code points at which the tokens (or bytes) of a text start, ascending, without special tokens."""
        if self._tokenizer is None:
            points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
            sizes = 1 + (points > 0x7F).astype(np.uint8) + (points > 0x7FF) + (points > 0xFFFF)
            return np.repeat(np.arange(len(points), dtype=np.uint32), sizes)
        offsets = self._tokenizer.encode_batch([text], add_special_tokens=False)[0].offsets
        return np.fromiter((start for start, _ in offsets), np.uint32, len(offsets))
