"""A BERT of one layer with random weights and a vocabulary of a few words, in the layout of the packaged model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from findspot_embedding.identity import Provenance, identity_of
from findspot_embedding.packaged import SourceModel, sha256_of

HIDDEN, HEADS, WIDE, POSITIONS = 32, 4, 64, 32
LIMIT = 16
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "word", "cat", "dog", "city", "##s"]


def write_tiny_bert(folder: Path) -> SourceModel:
    """Write the files and return what `ensure_built` needs to know of them."""
    folder.mkdir(parents=True)
    save_file(_weights(), str(folder / "model.safetensors"))
    _tokenizer().save(str(folder / "tokenizer.json"))
    config = {
        "num_hidden_layers": 1,
        "num_attention_heads": HEADS,
        "hidden_size": HIDDEN,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    }
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "special_tokens_map.json").write_text(json.dumps(special))
    (folder / "tokenizer_config.json").write_text(json.dumps(special | {"model_max_length": POSITIONS}))
    weights, tokenizer = sha256_of(folder / "model.safetensors"), sha256_of(folder / "tokenizer.json")
    provenance = Provenance("tiny-int8", HIDDEN, "int8", weights, tokenizer, recipe=1)
    identity = identity_of(provenance, input_limit=LIMIT, special_tokens=2)
    return SourceModel(identity, weights, tokenizer, recipe=1, find=lambda: folder)


def _tokenizer() -> Tokenizer:
    vocabulary = {word: at for at, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def _weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)

    def matrix(*shape: int) -> np.ndarray:
        return random.normal(0, 0.2, shape).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": matrix(len(WORDS), HIDDEN),
        "embeddings.position_embeddings.weight": matrix(POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": matrix(2, HIDDEN),
    }
    layer = "encoder.layer.0"
    dense = {
        f"{layer}.attention.self.query": (HIDDEN, HIDDEN),
        f"{layer}.attention.self.key": (HIDDEN, HIDDEN),
        f"{layer}.attention.self.value": (HIDDEN, HIDDEN),
        f"{layer}.attention.output.dense": (HIDDEN, HIDDEN),
        f"{layer}.intermediate.dense": (WIDE, HIDDEN),
        f"{layer}.output.dense": (HIDDEN, WIDE),
    }
    for name, shape in dense.items():
        weights[f"{name}.weight"], weights[f"{name}.bias"] = matrix(*shape), matrix(shape[0])
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        weights[f"{name}.LayerNorm.weight"] = np.ones(HIDDEN, np.float32)
        weights[f"{name}.LayerNorm.bias"] = matrix(HIDDEN)
    return weights
