"""Payload indexes as the engine's parameters."""

from __future__ import annotations

from typing import Any

from findspot.errors import InvalidArgument
from findspot_vectors.filters import edge
from findspot_vectors.model import FieldIndex, IndexKind

_PARAMS = {
    IndexKind.KEYWORD: edge.KeywordIndexParams,
    IndexKind.INTEGER: edge.IntegerIndexParams,
    IndexKind.FLOAT: edge.FloatIndexParams,
    IndexKind.BOOL: edge.BoolIndexParams,
    IndexKind.DATETIME: edge.DatetimeIndexParams,
    IndexKind.UUID: edge.UuidIndexParams,
    IndexKind.TEXT: edge.TextIndexParams,
}

TOKENIZERS = {
    "prefix": edge.TokenizerType.Prefix,
    "whitespace": edge.TokenizerType.Whitespace,
    "word": edge.TokenizerType.Word,
    "multilingual": edge.TokenizerType.Multilingual,
    "code": edge.TokenizerType.Code,
}


def engine_index(index: FieldIndex) -> Any:
    """The engine's parameters of an index. Raises InvalidArgument for a tokenizer that is not there."""
    options = dict(index.options)
    tokenizer = options.pop("tokenizer", None)
    if tokenizer is not None:
        if tokenizer not in TOKENIZERS:
            raise InvalidArgument(
                f"Wrong input: {tokenizer!r} is no tokenizer; use one of {', '.join(TOKENIZERS)}."
            )
        return edge.TextIndexParams(tokenizer=TOKENIZERS[str(tokenizer)], **options)
    return _PARAMS[index.kind](**options)
