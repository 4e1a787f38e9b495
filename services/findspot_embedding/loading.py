"""Loads models with fastembed: the packaged default, one of fastembed's own list by name, or a folder. Never
the network.

Imported by the thread that loads a model and by nobody before: importing fastembed takes most of the start of
the service.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from fastembed.text.onnx_text_model import OnnxTextModel

from findspot.errors import FailedPrecondition
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding import packaged
from findspot_embedding.build import GRAPH
from findspot_embedding.identity import NO_PREFIXES, Prefixes, Provenance, identity_of, prefixes_of
from findspot_embedding.local import Encoder, LocalModel

_OFFLINE: dict[str, Any] = {"threads": 1, "providers": ["CPUExecutionProvider"], "local_files_only": True}
"""One thread a session (more are slower under load), and never the network."""

_REGISTERING = threading.Lock()
"""fastembed keeps one list of models for the process and refuses a name that is there: models load side by
side."""

_POOLING = {
    "pooling_mode_cls_token": PoolingType.CLS,
    "pooling_mode_mean_tokens": PoolingType.MEAN,
    "pooling_mode_lasttoken": PoolingType.LAST_TOKEN,
}
"""Keys of a sentence-transformers 1_Pooling/config.json."""


def load_built(
    folder: Path, identity: EmbeddingIdentity = packaged.DEFAULT.identity, threads: int = 0
) -> LocalModel:
    """The model in a folder that `findspot_embedding.build` filled; mean pooling, no prefixes."""
    name = f"built/{identity.key}"
    loaded = _load_folder(name, folder, GRAPH, identity.dimension, PoolingType.MEAN)
    return _warm(LocalModel(_encoder(loaded, identity.name), identity, NO_PREFIXES, threads))


def load_named(model: str, cache: Path, prefixes: Prefixes | None = None, threads: int = 0) -> LocalModel:
    """A model of fastembed's own list, from files that are already in `cache`.

    Raises FailedPrecondition when fastembed does not know the name or the files are not there: nothing is
    downloaded.
    """
    known = {entry["model"].lower(): entry for entry in TextEmbedding.list_supported_models()}
    entry = known.get(model.lower())
    if entry is None:
        raise FailedPrecondition(
            f"The embedding model {model!r} is neither a folder nor a model that fastembed knows. "
            "Give the path of a folder with model.onnx, or a name such as BAAI/bge-small-en-v1.5."
        )
    try:
        loaded: Any = TextEmbedding(entry["model"], cache_dir=str(cache), **_OFFLINE).model
    except ValueError as problem:
        raise FailedPrecondition(
            f"The files of embedding model {model!r} are not in {cache}; Findspot downloads nothing "
            f"({problem}). Put them there with fastembed on a connected machine, or give a folder "
            "as the model."
        ) from problem
    files = _ModelFiles(Path(loaded._model_dir), entry["model_file"], tuple(entry["additional_files"]))
    return _described(loaded, files, model, prefixes, threads)


def load_folder(folder: Path, prefixes: Prefixes | None = None, threads: int = 0) -> LocalModel:
    """A model from a folder in the usual layout: model.onnx (or onnx/model.onnx), tokenizer and its
    configuration.

    Pooling is read from 1_Pooling/config.json, else it is the mean. Raises FailedPrecondition for a missing
    file.
    """
    graph = next((name for name in ("model.onnx", "onnx/model.onnx") if (folder / name).is_file()), None)
    missing = [name for name in ("tokenizer.json", "tokenizer_config.json") if not (folder / name).is_file()]
    if graph is None or missing:
        raise FailedPrecondition(
            f"The embedding model folder {folder} lacks "
            f"{', '.join(['model.onnx'] * (graph is None) + missing)}: "
            "export the model to ONNX with its tokenizer."
        )
    name = f"folder/{folder.resolve()}"
    loaded = _load_folder(name, folder, graph, 0, _pooling_of(folder))
    return _described(loaded, _ModelFiles(folder, graph), folder.resolve().name, prefixes, threads)


@dataclass(frozen=True, slots=True)
class _ModelFiles:
    folder: Path
    graph: str
    others: tuple[str, ...] = ()
    """Further files with weights, relative to the folder."""


def _load_folder(name: str, folder: Path, graph: str, dimension: int, pooling: PoolingType) -> Any:
    with _REGISTERING:
        if all(entry["model"] != name for entry in TextEmbedding.list_supported_models()):
            TextEmbedding.add_custom_model(
                model=name,
                pooling=pooling,
                normalization=True,
                sources=ModelSource(hf="local/none"),
                dim=dimension,
                model_file=graph,
            )
    return TextEmbedding(name, specific_model_path=str(folder), **_OFFLINE).model


def _described(
    loaded: Any, files: _ModelFiles, model: str, prefixes: Prefixes | None, threads: int
) -> LocalModel:
    """The model with an identity made from its files and from what one text shows."""
    prefixes = prefixes_of(model) if prefixes is None else prefixes
    encoder = _encoder(loaded, model)
    weights = [files.folder / name for name in (files.graph, *files.others) if "onnx" in name]
    provenance = Provenance(
        name=model.rstrip("/").rpartition("/")[2],
        dimension=encoder.run(encoder.ids("dimension")).shape[-1],
        precision="as published",
        weights_sha256="+".join(packaged.sha256_of(file) for file in weights if file.is_file()),
        tokenizer_sha256=packaged.sha256_of(files.folder / "tokenizer.json"),
        recipe=packaged.GRAPH_RECIPE,
        prefixes=prefixes,
    )
    added = len(encoder.ids(prefixes.document))
    identity = identity_of(provenance, input_limit=_input_limit(files.folder), special_tokens=added)
    return _warm(LocalModel(encoder, identity, prefixes, threads))


def _warm(model: LocalModel) -> LocalModel:
    """The model after its longest input, so that no caller pays for the memory the session takes first."""
    words = "word " * (model.identity.input_limit - model.identity.special_tokens)
    model.embed([words, "word"], InputType.DOCUMENT)
    return model


def _encoder(loaded: Any, model: str) -> Encoder:
    if not isinstance(loaded, OnnxTextModel):
        raise FailedPrecondition(
            f"The embedding model {model!r} does not run as an ONNX graph ({type(loaded).__name__}): "
            "choose another."
        )
    return Encoder(loaded)


def _pooling_of(folder: Path) -> PoolingType:
    file = folder / "1_Pooling" / "config.json"
    if not file.is_file():
        return PoolingType.MEAN
    config = json.loads(file.read_text(encoding="utf-8"))
    return next((pooling for key, pooling in _POOLING.items() if config.get(key)), PoolingType.MEAN)


def _input_limit(folder: Path) -> int:
    """The strictest token limit that the files of a model state; fastembed has refused a model that states
    none."""
    stated = (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("tokenizer_config.json", "max_length"),
    )
    limits = []
    for name, key in stated:
        file = folder / name
        value = json.loads(file.read_text(encoding="utf-8")).get(key) if file.is_file() else None
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9:
            limits.append(value)
    return min(limits)
