"""Equal texts of several documents are embedded once, also when they wait at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexing_fakes import QUICK, Desk, FakeEmbedder, desk_over, replace


class SlowEmbedder(FakeEmbedder):
    """Answers when told to."""

    gate = asyncio.Event()

    async def embed(self, texts: Sequence[str], *arguments: Any, **named: Any) -> Any:
        answer = await super().embed(texts, *arguments, **named)
        await self.gate.wait()
        return answer


async def test_a_text_that_is_being_embedded_is_not_sent_a_second_time(tmp_path: Path) -> None:
    embedder = SlowEmbedder()
    embedder.gate = asyncio.Event()
    async with desk_over(tmp_path, embedder=embedder, limits=replace(QUICK, embed_batch=1)) as desk:
        for path in ("a", "b", "c"):
            await desk.put(path, f"Shared.\n\nOwn of {path}.")
        await desk.until(lambda: _waiting(desk) == 6 and embedder.calls == 3)
        assert len(set(embedder.texts)) == len(embedder.texts) == 3
        embedder.gate.set()
        await desk.until(lambda: all(desk.indexed(path, 1) for path in ("a", "b", "c")))
    assert sorted(embedder.texts) == ["Own of a.", "Own of b.", "Own of c.", "Shared."]


def _waiting(desk: Desk) -> int:
    return len(desk.rows("SELECT 1 FROM chunk_vectors WHERE state = 'PENDING'"))
