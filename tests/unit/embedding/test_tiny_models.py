"""The tiny models that other tests load by their folder are models like any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.fixtures.tiny_models import write_tiny_model

from findspot.errors import Reason
from findspot.model import InputType
from findspot_embedding.loading import load_folder
from findspot_embedding.provider import Refusal


def test_tiny_models_embed_differ_and_know_their_limit(tmp_path: Path) -> None:
    small = load_folder(write_tiny_model(tmp_path / "small", dimension=8, limit=16))
    wide = load_folder(write_tiny_model(tmp_path / "wide", dimension=24))
    assert (small.identity.display, wide.identity.display) == ("small@8", "wide@24")
    assert small.identity.key != wide.identity.key
    assert (small.identity.input_limit, small.identity.special_tokens) == (16, 2)
    near, far, same = wide.embed(
        ["the lamp is lit", "a quick brown fox", "The lamp is lit."], InputType.DOCUMENT
    )
    assert isinstance(near, np.ndarray)
    assert isinstance(far, np.ndarray)
    assert isinstance(same, np.ndarray)
    assert float(near @ same) > float(near @ far) + 0.2
    (refused,) = small.embed(["these words are more than sixteen tokens"], InputType.DOCUMENT)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.EMBEDDING_INPUT_TOO_LONG


def test_the_same_parameters_give_the_same_identity(tmp_path: Path) -> None:
    one = load_folder(write_tiny_model(tmp_path / "one" / "tiny"))
    again = load_folder(write_tiny_model(tmp_path / "two" / "tiny"))
    other = load_folder(write_tiny_model(tmp_path / "three" / "tiny", seed=1))
    assert one.identity == again.identity
    assert one.identity.key != other.identity.key
