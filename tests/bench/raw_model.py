"""The floor of ingest: the same texts through onnxruntime alone, on as many threads as cores, nothing stored."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


def texts_per_second(models: Path, texts: Sequence[str]) -> float:
    """Texts a second through the built graph in `models`, one text a call, one-thread sessions shared by threads."""
    (graph,) = models.glob("*/model.onnx")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(graph.parent / "tokenizer.json"))
    limit = json.loads((graph.parent / "tokenizer_config.json").read_text())["model_max_length"]
    tokenizer.enable_truncation(limit)
    tokenizer.no_padding()

    def embed(text: str) -> None:
        encoded = tokenizer.encode(text)
        ids = np.array([encoded.ids], dtype=np.int64)
        mask = np.ones_like(ids)
        session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})

    embed(texts[0])
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        began = time.perf_counter()
        list(pool.map(embed, texts))
        return len(texts) / (time.perf_counter() - began)
