"""Models that run in this process, on tokenizer, session and pooling as fastembed loaded them.

fastembed's own `embed` is not used: it cuts what is too long in silence, and counts tokens with the same cut.
Here a text is tokenized once, uncut; the ids are counted, then run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from fastembed.common.onnx_model import OnnxOutputContext
from numpy.typing import NDArray

from findspot.errors import Reason
from findspot.model import EmbeddingIdentity, InputType
from findspot_embedding.checks import checked_vectors
from findspot_embedding.cores import usable_cores
from findspot_embedding.identity import Prefixes
from findspot_embedding.provider import Refusal


class Encoder:
    """One text in, one vector out, by the parts of a fastembed model. Stateless, so any number of threads may
    share it."""

    def __init__(self, loaded: Any) -> None:
        """`loaded` is fastembed's OnnxTextModel; its tokenizer stops cutting and padding from here on."""
        self._loaded = loaded
        self._tokenizer = loaded.tokenizer
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._inputs = {node.name for node in loaded.model.get_inputs()}

    def ids(self, text: str) -> list[int]:
        """All token ids of a text, with the special tokens that the model adds."""
        # The batch form with one text: unlike `encode` it lets go of the interpreter lock. The fast form
        # keeps no offsets.
        ids: list[int] = self._tokenizer.encode_batch_fast([text])[0].ids
        return ids

    def run(self, ids: list[int]) -> NDArray[np.floating[Any]]:
        """The pooled output for one text, shape (1, dimension)."""
        tokens = np.array([ids], np.int64)
        present = np.ones_like(tokens)
        given: dict[str, Any] = {"input_ids": tokens}
        if "attention_mask" in self._inputs:
            given["attention_mask"] = present
        if "token_type_ids" in self._inputs:
            given["token_type_ids"] = np.zeros_like(tokens)
        given = self._loaded._preprocess_onnx_input(given)
        output = self._loaded._run_model(given, self._loaded.ONNX_OUTPUT_NAMES)
        context = OnnxOutputContext(model_output=output, attention_mask=present, input_ids=tokens)
        return np.asarray(list(self._loaded._post_process_onnx_output(context)))

    def starts(self, text: str) -> NDArray[np.uint32]:
        """Code points at which the tokens of a text start, ascending; special tokens have none."""
        offsets = self._tokenizer.encode_batch([text], add_special_tokens=False)[0].offsets
        return np.fromiter((start for start, _ in offsets), np.uint32, len(offsets))


class LocalModel:
    """A provider on one single-threaded session: the same text gives the same bits, whatever else is
    running."""

    kind = "fastembed"
    texts_per_call = 1
    """Alone a text needs no padding, and its int8 scales depend on nothing but itself."""

    def __init__(
        self, encoder: Encoder, identity: EmbeddingIdentity, prefixes: Prefixes, threads: int = 0
    ) -> None:
        """`threads` for documents; 0 means one a usable core."""
        self.identity = identity
        self.document_threads = threads or usable_cores()
        self._encoder = encoder
        self._prefixes = prefixes

    def embed(self, texts: Sequence[str], side: InputType) -> Sequence[NDArray[np.float32] | Refusal]:
        """See `Provider.embed`. A text over the limit is refused with its token count."""
        return [self._embed_one(self._prefixes.of(side) + text) for text in texts]

    def _embed_one(self, text: str) -> NDArray[np.float32] | Refusal:
        ids = self._encoder.ids(text)
        limit = self.identity.input_limit
        if len(ids) > limit:
            return Refusal(
                Reason.EMBEDDING_INPUT_TOO_LONG,
                f"The text has {len(ids)} tokens with its prefix and special tokens; "
                f"{self.identity.display} takes {limit}. Send a shorter text.",
            )
        row: NDArray[np.float32] = checked_vectors(self._encoder.run(ids), 1, self.identity.dimension)[0]
        return row

    def token_starts(self, texts: Sequence[str]) -> Sequence[NDArray[np.uint32]]:
        """See `Provider.token_starts`."""
        return [self._encoder.starts(text) for text in texts]

    def close(self) -> None:
        """Nothing to let go of: the session ends with this object."""
