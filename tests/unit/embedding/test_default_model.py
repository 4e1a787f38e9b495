"""The real default model: meaning, repeatability, limits, token offsets, and no network."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findspot.errors import FailedPrecondition, Reason
from findspot.model import InputType
from findspot_embedding.loading import load_named
from findspot_embedding.local import LocalModel
from findspot_embedding.provider import Refusal

TEXTS = [
    "Ownership is a set of rules that govern how a Rust program manages memory.",
    "The borrow checker refuses code that uses a value after it was moved.",
    "Beat the eggs with sugar until the mixture turns pale and fluffy.",
    "Bake the cake for forty minutes and let it cool on a rack.",
    "The central bank raised its interest rate by a quarter of a point.",
    'fn main() { let s = String::from("hello"); println!("{s}"); }',
    "Größe, façade, naïve, 日本語の文章, emoji 😀 and a very short tail",
    "x",
]


def vectors(model: LocalModel, texts: list[str], side: InputType = InputType.DOCUMENT) -> np.ndarray:
    return np.array(model.embed(texts, side))


def test_related_texts_are_closer_than_unrelated_ones(default_model: LocalModel) -> None:
    similarity = vectors(default_model, TEXTS) @ vectors(default_model, TEXTS).T
    assert np.allclose(np.diag(similarity), 1, atol=1e-5)
    assert similarity[0, 1] > max(similarity[0, 2:5].max(), similarity[1, 2:5].max()) + 0.1
    assert similarity[2, 3] > max(similarity[2, [0, 1, 4]].max(), similarity[3, [0, 1, 4]].max()) + 0.1
    question = vectors(default_model, ["how does Rust free memory?"], InputType.QUERY)[0]
    assert int(np.argmax(vectors(default_model, TEXTS) @ question)) == 0


def test_vectors_do_not_drift(default_model: LocalModel) -> None:
    # The fp32 weights give 0.6217 for this pair (measured once); int8 may be 0.02 away, another model is not.
    pair = vectors(default_model, ["a cat sat on the mat", "a kitten rested on a rug"])
    assert float(pair[0] @ pair[1]) == pytest.approx(0.6217, abs=0.02)


def test_threads_and_order_change_no_bit(default_model: LocalModel) -> None:
    serial = vectors(default_model, TEXTS)
    backwards = vectors(default_model, TEXTS[::-1])[::-1]
    assert (serial == backwards).all()
    with ThreadPoolExecutor(8) as pool:
        threaded = list(pool.map(lambda text: vectors(default_model, [text])[0], TEXTS * 4))
    assert (np.array(threaded) == np.tile(serial, (4, 1))).all()


def test_the_limit_counts_special_tokens_and_nothing_is_cut(default_model: LocalModel) -> None:
    fits, over = "word " * 254, "word " * 255
    longest, refused = default_model.embed([fits, over], InputType.DOCUMENT)
    assert not isinstance(longest, Refusal)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.EMBEDDING_INPUT_TOO_LONG
    assert "257 tokens" in refused.message
    assert "256" in refused.message
    # Its very last word counts: fastembed would have dropped it beyond the model's own limit of 128.
    changed = default_model.embed(["word " * 253 + "cat"], InputType.DOCUMENT)[0]
    assert not (np.asarray(changed) == longest).all()


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello, world", ["Hello", ", ", "world"]),
        ("Héllo wörld 😀 日本語", ["Héllo ", "wörld ", "😀 ", "日", "本", "語"]),
        ("é is e\u0301 too", ["é ", "is ", "e\u0301 ", "too"]),
        ("no\u200bzero [SEP] \t\ntail", ["no\u200bzero ", "[SEP] \t\n", "tail"]),
        ("", []),
        (" \n", []),
    ],
)
def test_token_starts_are_code_points_of_the_text(
    default_model: LocalModel, text: str, pieces: list[str]
) -> None:
    starts = default_model.token_starts([text])[0].tolist()
    # The vocabulary decides how many tokens a word has; where words begin is not its choice.
    at, words = len(text) - len("".join(pieces)), []
    for piece in pieces:
        words.append(at)
        at += len(piece)
    assert set(words) <= set(starts)
    assert bool(starts) == bool(pieces)
    assert not any(text[start].isspace() for start in starts)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_token_starts_ascend_inside_the_text(default_model: LocalModel, text: str) -> None:
    starts = default_model.token_starts([text])[0].astype(np.int64)
    assert (np.diff(starts) >= 0).all()
    assert starts.size == 0 or (starts[0] >= 0 and starts[-1] < len(text))
    assert not any(text[start].isspace() for start in starts.tolist())
    # The embedder sees exactly these tokens and two more.
    assert len(default_model._encoder.ids(text)) == len(starts) + 2


def test_a_long_document_is_tokenized_whole(default_model: LocalModel) -> None:
    text = "word " * 20_000
    assert default_model.token_starts([text])[0].tolist() == list(range(0, len(text), 5))


OFFLINE = """
import json, socket, sys
sys.path[:] = json.loads(sys.argv[1])
def refuse(*args, **kwargs):
    sys.exit(f"network asked for: {args}")
socket.getaddrinfo = socket.gethostbyname = socket.socket.connect = socket.create_connection = refuse
from pathlib import Path
from findspot.model import InputType
from findspot_embedding.loading import load_built
model = load_built(Path(sys.argv[2]), threads=1)
print(len(model.embed(["no network"], InputType.QUERY)[0]))
"""


def test_loading_and_embedding_never_ask_the_network(built_model: Path) -> None:
    command = [sys.executable, "-c", OFFLINE, json.dumps(sys.path), str(built_model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("384", 0), done.stderr


def test_a_named_model_without_its_files_is_refused_without_a_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"network asked for: {args}")

    monkeypatch.setattr("socket.getaddrinfo", refuse)
    with pytest.raises(FailedPrecondition, match="downloads nothing"):
        load_named("BAAI/bge-small-en-v1.5", tmp_path)
    with pytest.raises(FailedPrecondition, match="neither a folder nor a model"):
        load_named("nobody/knows-this", tmp_path)
