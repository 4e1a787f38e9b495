"""Writes the plain ONNX graph of a BERT encoder from its safetensors weights.

Imported only by the child process that builds a model: `onnx` and `safetensors` stay out of the service.
The graph is the textbook one, node by node, so that onnxruntime's optimizer recognises and fuses its
patterns.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

OPSET = 17
MASKED = float(np.finfo(np.float32).min)
"""What is added to the score of a padding token: the lowest float32, so that its weight is exactly zero."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of a BERT encoder, as its config.json states them."""

    layers: int
    heads: int
    hidden: int
    epsilon: float

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden // self.heads


def read_shape(config_file: Path) -> BertShape:
    """The shape that a Hugging Face config.json of a BERT model states."""
    config = json.loads(config_file.read_text(encoding="utf-8"))
    return BertShape(
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["hidden_size"],
        epsilon=config["layer_norm_eps"],
    )


class _Graph:
    """Nodes and constants in the order in which they were added; each op method returns the name of its
    output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def op(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"{name}/{kind}", **attributes))
        return name


def write_graph(weights_file: Path, shape: BertShape, target: Path) -> None:
    """Write `target`: int64 input_ids, attention_mask, token_type_ids [batch, seq] -> last_hidden_state
    [batch, seq, hidden]."""
    weights = load_file(str(weights_file))
    graph = _Graph()
    _shared_constants(graph, shape)
    hidden = _embeddings(graph, weights, shape)
    mask = _mask(graph)
    for layer in range(shape.layers):
        hidden = _layer(graph, weights, shape, f"encoder.layer.{layer}", hidden, mask)
    graph.op("Identity", [hidden], "last_hidden_state")
    batch_seq = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, batch_seq)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*batch_seq, shape.hidden])
    body = helper.make_graph(graph.nodes, "bert", inputs, [output], graph.constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def _shared_constants(graph: _Graph, shape: BertShape) -> None:
    graph.constant("split_heads", np.array([0, 0, shape.heads, shape.head_size], np.int64))
    graph.constant("merge_heads", np.array([0, 0, shape.hidden], np.int64))
    graph.constant("head_scale", np.array(math.sqrt(shape.head_size), np.float32))
    graph.constant("sqrt_two", np.array(math.sqrt(2.0), np.float32))
    graph.constant("one", np.array(1.0, np.float32))
    graph.constant("half", np.array(0.5, np.float32))
    graph.constant("masked", np.array(MASKED, np.float32))
    graph.constant("axis_0", np.array([0], np.int64))
    graph.constant("axis_1", np.array([1], np.int64))
    graph.constant("axis_2", np.array([2], np.int64))


def _embeddings(graph: _Graph, weights: dict[str, Any], shape: BertShape) -> str:
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    types = graph.constant("types", weights["embeddings.token_type_embeddings.weight"])
    positions = graph.constant("positions", weights["embeddings.position_embeddings.weight"])
    word = graph.op("Gather", [words, "input_ids"], "word_rows")
    kind = graph.op("Gather", [types, "token_type_ids"], "type_rows")
    size = graph.op("Shape", ["input_ids"], "input_shape")
    length = graph.op("Slice", [size, "axis_1", "axis_2", "axis_0"], "length")
    position = graph.op("Slice", [positions, "axis_0", length, "axis_0"], "position_rows")
    total = graph.op("Add", [graph.op("Add", [word, kind], "word_type_sum"), position], "embedding_sum")
    return _norm(graph, weights, shape, "embeddings.LayerNorm", total)


def _mask(graph: _Graph) -> str:
    axes = graph.constant("mask_axes", np.array([1, 2], np.int64))
    wide = graph.op("Unsqueeze", ["attention_mask", axes], "mask_wide")
    present = graph.op("Cast", [wide], "mask_present", to=TensorProto.FLOAT)
    absent = graph.op("Sub", ["one", present], "mask_absent")
    return graph.op("Mul", [absent, "masked"], "mask_scores")


def _layer(graph: _Graph, weights: dict[str, Any], shape: BertShape, at: str, hidden: str, mask: str) -> str:
    mixed = _attention(graph, weights, f"{at}.attention", hidden, mask)
    added = graph.op("Add", [mixed, hidden], f"{at}.attention.residual")
    attended = _norm(graph, weights, shape, f"{at}.attention.output.LayerNorm", added)
    wide = _gelu(graph, at, _linear(graph, weights, f"{at}.intermediate.dense", attended))
    narrow = _linear(graph, weights, f"{at}.output.dense", wide)
    return _norm(
        graph, weights, shape, f"{at}.output.LayerNorm", graph.op("Add", [narrow, attended], f"{at}.residual")
    )


def _attention(graph: _Graph, weights: dict[str, Any], at: str, hidden: str, mask: str) -> str:
    query = _heads(graph, weights, f"{at}.self.query", hidden, [0, 2, 1, 3])
    key = _heads(graph, weights, f"{at}.self.key", hidden, [0, 2, 3, 1])
    value = _heads(graph, weights, f"{at}.self.value", hidden, [0, 2, 1, 3])
    scores = graph.op("MatMul", [query, key], f"{at}.scores")
    scaled = graph.op("Div", [scores, "head_scale"], f"{at}.scaled")
    masked = graph.op("Add", [scaled, mask], f"{at}.masked")
    shares = graph.op("Softmax", [masked], f"{at}.shares", axis=-1)
    mixed = graph.op("MatMul", [shares, value], f"{at}.mixed")
    turned = graph.op("Transpose", [mixed], f"{at}.turned", perm=[0, 2, 1, 3])
    merged = graph.op("Reshape", [turned, "merge_heads"], f"{at}.merged")
    return _linear(graph, weights, f"{at}.output.dense", merged)


def _heads(graph: _Graph, weights: dict[str, Any], at: str, hidden: str, perm: list[int]) -> str:
    split = graph.op("Reshape", [_linear(graph, weights, at, hidden), "split_heads"], f"{at}.split")
    return graph.op("Transpose", [split], f"{at}.heads", perm=perm)


def _linear(graph: _Graph, weights: dict[str, Any], at: str, hidden: str) -> str:
    weight = graph.constant(f"{at}.weight", weights[f"{at}.weight"].T)
    bias = graph.constant(f"{at}.bias", weights[f"{at}.bias"])
    return graph.op("Add", [bias, graph.op("MatMul", [hidden, weight], f"{at}.product")], at)


def _gelu(graph: _Graph, at: str, wide: str) -> str:
    erf = graph.op("Erf", [graph.op("Div", [wide, "sqrt_two"], f"{at}.gelu.div")], f"{at}.gelu.erf")
    share = graph.op("Add", [erf, "one"], f"{at}.gelu.share")
    return graph.op("Mul", [graph.op("Mul", [wide, share], f"{at}.gelu.mul"), "half"], f"{at}.gelu")


def _norm(graph: _Graph, weights: dict[str, Any], shape: BertShape, at: str, hidden: str) -> str:
    scale = graph.constant(f"{at}.scale", weights[f"{at}.weight"])
    bias = graph.constant(f"{at}.shift", weights[f"{at}.bias"])
    return graph.op("LayerNormalization", [hidden, scale, bias], at, axis=-1, epsilon=shape.epsilon)


def fuse(source: Path, shape: BertShape, target: Path) -> None:
    """Fuse layer norms with their residuals and GELUs with their biases: the same numbers in fewer passes
    over memory."""
    from onnxruntime.transformers import optimizer

    # opt_level 0: any other level of the optimizer needs torch.
    fused = optimizer.optimize_model(
        str(source), model_type="bert", num_heads=shape.heads, hidden_size=shape.hidden, opt_level=0
    )
    fused.save_model_to_file(str(target))


def quantize(source: Path, target: Path) -> None:
    """Weights of the matrix products as int8 with a scale a column; activations are scaled when a text
    runs."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul", "Attention"],
        # The fused operators are of a domain that onnx cannot infer types for: their outputs are float32.
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
