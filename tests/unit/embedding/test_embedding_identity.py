"""An identity is equal exactly where vectors may be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from findspot.model import InputType
from findspot_embedding.identity import NO_PREFIXES, Prefixes, Provenance, identity_of, prefixes_of
from findspot_embedding.packaged import DEFAULT

SOURCE = Provenance("some-model", 384, "int8", "aa", "bb", 1)


def test_default_identity_never_changes_by_accident() -> None:
    # Stored vectors carry this key: whoever changes it makes every installation embed everything again.
    assert DEFAULT.identity.key == "2210be363a51a2fb2fe5fb6b35a486a4"
    assert DEFAULT.identity.display == "all-MiniLM-L6-v2-int8@384"
    assert (DEFAULT.identity.input_limit, DEFAULT.identity.special_tokens) == (256, 2)


@pytest.mark.parametrize(
    "other",
    [
        replace(SOURCE, name="other"),
        replace(SOURCE, dimension=256),
        replace(SOURCE, precision="fp32"),
        replace(SOURCE, weights_sha256="ab"),
        replace(SOURCE, tokenizer_sha256="ba"),
        replace(SOURCE, recipe=2),
        replace(SOURCE, prefixes=Prefixes(query="query: ")),
        replace(SOURCE, prefixes=Prefixes(document="query: ")),
        replace(SOURCE, revision="2"),
    ],
    ids=lambda other: repr(other),
)
def test_whatever_changes_numbers_changes_the_key(other: Provenance) -> None:
    def key(source: Provenance) -> str:
        return identity_of(source, input_limit=256, special_tokens=2).key

    assert key(SOURCE) == key(replace(SOURCE))
    assert key(other) != key(SOURCE)


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("e5-base-v2", "query: ", "passage: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-m3", "", ""),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
    ],
)
def test_prefixes_by_published_name(model: str, query: str, document: str) -> None:
    prefixes = prefixes_of(model)
    assert (prefixes.of(InputType.QUERY), prefixes.of(InputType.DOCUMENT)) == (query, document)


def test_unknown_models_have_no_prefixes() -> None:
    assert prefixes_of("somebody/their-model") is NO_PREFIXES
