"""The graph is built once, whole or not at all, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from math import erf
from pathlib import Path

import numpy as np
import psutil
import pytest
from safetensors.numpy import load_file

from findspot.errors import DataLoss, FailedPrecondition
from findspot.model import InputType
from findspot_embedding import packaged
from findspot_embedding.build import GRAPH, STAMP, ensure_built
from findspot_embedding.loading import load_built, load_folder
from findspot_embedding.packaged import SourceModel

BUILD = """
import sys; sys.path[:] = {path!r}
from pathlib import Path
from tiny_bert import write_tiny_bert
from findspot_embedding.build import ensure_built
source = write_tiny_bert(Path({folder!r}))
print(ensure_built(Path({models!r}), lambda phase: print(phase, flush=True), source), flush=True)
"""


def building(models: Path, folder: Path) -> subprocess.Popen[str]:
    """Another process that builds the tiny model and prints each phase, then the folder."""
    program = BUILD.format(path=sys.path, folder=str(folder), models=str(models))
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


def test_a_build_tells_its_phases_and_is_not_repeated(tmp_path: Path, tiny: SourceModel) -> None:
    phases: list[str] = []
    before = "onnx" in sys.modules  # other tests build models of their own in this process
    folder = ensure_built(tmp_path / "models", phases.append, tiny)
    assert phases == ["verifying", "graph", "optimizing", "quantizing", "writing"]
    assert sorted(file.name for file in folder.iterdir()) == [
        "config.json",
        GRAPH,
        "special_tokens_map.json",
        STAMP,
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert json.loads((folder / "tokenizer_config.json").read_text())["model_max_length"] == 16
    assert ("onnx" in sys.modules) == before, "the build's libraries must stay in its child process"
    phases.clear()
    assert ensure_built(tmp_path / "models", phases.append, tiny) == folder
    assert phases == []

    # A graph that rotted on disk, and a recipe that moved on, are both built again.
    (folder / GRAPH).write_bytes(b"rotten")
    ensure_built(tmp_path / "models", phases.append, tiny)
    assert "quantizing" in phases
    phases.clear()
    ensure_built(tmp_path / "models", phases.append, replace(tiny, recipe=2))
    assert "quantizing" in phases


def test_what_was_built_embeds_like_the_weights_say(tmp_path: Path, tiny: SourceModel) -> None:
    model = load_built(ensure_built(tmp_path / "models", lambda phase: None, tiny), tiny.identity)
    built = np.array(model.embed(["word cat", "dog city"], InputType.DOCUMENT))
    exact = np.array([reference(tiny, [2, 4, 5, 3]), reference(tiny, [2, 6, 7, 3])])
    assert ((built * exact).sum(axis=1) > 0.98).all(), "int8 weights keep the direction of the vectors"


def reference(source: SourceModel, ids: list[int]) -> np.ndarray:
    """The vector of token ids by numpy alone, in float64 on the float32 weights: BERT as it is published."""
    w = {
        name: value.astype(np.float64)
        for name, value in load_file(source.find() / "model.safetensors").items()
    }

    def norm(x: np.ndarray, at: str) -> np.ndarray:
        scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return scaled * w[f"{at}.LayerNorm.weight"] + w[f"{at}.LayerNorm.bias"]

    def dense(x: np.ndarray, at: str) -> np.ndarray:
        return x @ w[f"{at}.weight"].T + w[f"{at}.bias"]

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(ids), 4, 8).transpose(1, 0, 2)

    at = "encoder.layer.0"
    words, places = w["embeddings.word_embeddings.weight"], w["embeddings.position_embeddings.weight"]
    x = norm(words[ids] + places[: len(ids)] + w["embeddings.token_type_embeddings.weight"][0], "embeddings")
    query, key, value = (heads(dense(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value"))
    scores = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(8))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ value
    merged = mixed.transpose(1, 0, 2).reshape(len(ids), 32)
    x = norm(dense(merged, f"{at}.attention.output.dense") + x, f"{at}.attention.output")
    wide = dense(x, f"{at}.intermediate.dense")
    gelu = wide * 0.5 * (1 + np.vectorize(erf)(wide / np.sqrt(2)))
    x = norm(dense(gelu, f"{at}.output.dense") + x, f"{at}.output")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def test_a_killed_build_leaves_nothing_broken_and_two_at_once_end_well(tmp_path: Path) -> None:
    models = tmp_path / "models"
    killed = building(models, tmp_path / "source-0")
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.strip() == "graph":
            break
    children = psutil.Process(killed.pid).children()
    assert children, "the build runs in a child process"
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive, "the child dies with the process that asked for the build"
    killed.stdout.close()
    assert [path.name for path in models.iterdir() if not path.name.startswith(".")] == []

    both = [building(models, tmp_path / f"source-{number}") for number in (1, 2)]
    outputs = [process.communicate(timeout=60)[0].splitlines() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0][-1] == outputs[1][-1], "both end with the same folder"
    assert sum("quantizing" in output for output in outputs) == 1, "one builds, the other waits or finds it"
    assert sorted(path.name for path in models.iterdir() if path.name.endswith(".building")) == []


def test_a_missing_package_names_the_remedy() -> None:
    with pytest.raises(FailedPrecondition, match=r"make setup.*requirements-model\.lock"):
        packaged.model_folder("no_such_package_anywhere")


def test_weights_that_are_not_the_published_ones_are_refused(tmp_path: Path, tiny: SourceModel) -> None:
    with (tiny.find() / "model.safetensors").open("ab") as weights:
        weights.write(b"\0")
    with pytest.raises(DataLoss, match=r"model\.safetensors"):
        ensure_built(tmp_path / "models", lambda phase: None, tiny)
    assert not (tmp_path / "models" / tiny.identity.key).exists()


def test_any_folder_with_a_graph_is_a_model(tmp_path: Path, tiny: SourceModel) -> None:
    folder = ensure_built(tmp_path / "models", lambda phase: None, tiny)
    model = load_folder(folder)
    assert model.identity.dimension == 32
    assert (model.identity.input_limit, model.identity.special_tokens) == (16, 2)
    same = load_built(folder, tiny.identity)
    assert (model.embed(["cat"], InputType.QUERY)[0] == same.embed(["cat"], InputType.QUERY)[0]).all()
    assert model.identity.key == load_folder(folder).identity.key
    (folder / "tokenizer.json").unlink()
    with pytest.raises(FailedPrecondition, match=r"tokenizer\.json"):
        load_folder(folder)
