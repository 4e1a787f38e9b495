"""What makes two vectors comparable, and the prefixes that asymmetric models want."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from findspot.model import EmbeddingIdentity, InputType


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model wants in front of a text on each side of retrieval; empty for symmetric models."""

    document: str = ""
    query: str = ""

    def of(self, side: InputType) -> str:
        """The prefix of one side."""
        return self.query if side is InputType.QUERY else self.document


NO_PREFIXES = Prefixes()

_E5 = Prefixes(document="passage: ", query="query: ")
_BGE = Prefixes(query="Represent this sentence for searching relevant passages: ")
_NOMIC = Prefixes(document="search_document: ", query="search_query: ")

_STELLA = Prefixes(
    query="Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: ",
)

_BY_NAME: tuple[tuple[str, Prefixes], ...] = (
    ("multilingual-e5", _E5),
    ("e5-", _E5),
    ("bge-m3", NO_PREFIXES),
    ("bge-", _BGE),
    ("mxbai-embed", _BGE),
    ("snowflake-arctic-embed", _BGE),
    ("nomic-embed-text", _NOMIC),
    ("embeddinggemma", Prefixes(document="title: none | text: ", query="task: search result | query: ")),
    ("stella-en", _STELLA),
)
"""Start of a model's own name (without its organisation, in lower case) and its prefixes; the first match
counts."""


def prefixes_of(model: str) -> Prefixes:
    """The published prefixes of a model by its name; none for a model that the table does not know."""
    own = model.rstrip("/").rpartition("/")[2].lower()
    return next((prefixes for start, prefixes in _BY_NAME if own.startswith(start)), NO_PREFIXES)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Everything that decides the numbers in a vector. Never the hash of a generated file: those differ by
    machine."""

    name: str
    """The model's own name with its precision, for example `all-MiniLM-L6-v2-int8`."""
    dimension: int
    precision: str
    weights_sha256: str
    """Of the source weights; empty for an endpoint, which shows nobody its weights."""
    tokenizer_sha256: str
    recipe: int
    """Version of how the graph is built from the weights and how texts are fed to it."""
    prefixes: Prefixes = NO_PREFIXES
    revision: str = ""
    """What the operator calls this state of an endpoint's model."""


def identity_of(source: Provenance, *, input_limit: int, special_tokens: int) -> EmbeddingIdentity:
    """The identity of a provenance; equal provenances have equal keys on every machine."""
    facts = {
        "name": source.name,
        "dimension": source.dimension,
        "precision": source.precision,
        "weights": source.weights_sha256,
        "tokenizer": source.tokenizer_sha256,
        "recipe": source.recipe,
        "document_prefix": source.prefixes.document,
        "query_prefix": source.prefixes.query,
        "revision": source.revision,
    }
    canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return EmbeddingIdentity(
        key=hashlib.sha256(canonical.encode()).hexdigest()[:32],
        display=f"{source.name}@{source.dimension}",
        name=source.name,
        dimension=source.dimension,
        input_limit=input_limit,
        special_tokens=special_tokens,
    )
