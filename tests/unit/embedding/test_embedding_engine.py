"""The engine: order, both lanes, bounded queues, cancellation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from fake_provider import FakeProvider, vector_of

from findspot.errors import ResourceExhausted, Unavailable
from findspot.model import InputType
from findspot_embedding.engine import Engine, EngineLimits
from findspot_embedding.provider import Refusal


class Gate:
    """Holds documents back until opened, and tells when the first has arrived."""

    def __init__(self) -> None:
        self.arrived = threading.Event()
        self.open = threading.Event()

    def __call__(self, texts: Sequence[str], side: InputType) -> None:
        if side is InputType.DOCUMENT:
            self.arrived.set()
            assert self.open.wait(10)


@pytest.mark.parametrize("texts_per_call", [1, 3, 64])
async def test_outcomes_keep_the_order_of_the_texts(texts_per_call: int) -> None:
    engine = Engine(FakeProvider(texts_per_call=texts_per_call, document_threads=4), EngineLimits())
    texts = [f"t{number}" for number in range(50)] + ["far too long a text"] + ["last"]
    outcomes = await engine.embed(texts, InputType.DOCUMENT)
    engine.close()
    assert len(outcomes) == len(texts)
    for text, outcome in zip(texts, outcomes, strict=True):
        if len(text) > 10:
            assert isinstance(outcome, Refusal)
        else:
            assert (np.asarray(outcome) == vector_of(text)).all()


async def test_a_query_never_waits_behind_documents() -> None:
    gate = Gate()
    engine = Engine(FakeProvider(before=gate), EngineLimits())
    documents = asyncio.create_task(engine.embed(["a", "b", "c", "d"], InputType.DOCUMENT))
    await asyncio.to_thread(gate.arrived.wait, 10)
    outcome = await asyncio.wait_for(engine.embed(["query"], InputType.QUERY), 10)
    assert (np.asarray(outcome[0]) == vector_of("query")).all()
    assert not documents.done()
    gate.open.set()
    assert len(await documents) == 4
    engine.close()


async def test_tokens_are_counted_while_documents_wait() -> None:
    gate = Gate()
    engine = Engine(FakeProvider(before=gate), EngineLimits())
    documents = asyncio.create_task(engine.embed(["a", "b", "c", "d"], InputType.DOCUMENT))
    await asyncio.to_thread(gate.arrived.wait, 10)
    assert len(await asyncio.wait_for(engine.token_starts(["one two", "three"]), 10)) == 2
    assert not documents.done()
    gate.open.set()
    await documents
    engine.close()


async def test_a_full_queue_refuses_at_once_and_says_when_to_come_back() -> None:
    gate = Gate()
    engine = Engine(FakeProvider(before=gate), EngineLimits(document_queue=10))
    accepted = asyncio.create_task(engine.embed(["x"] * 8, InputType.DOCUMENT))
    await asyncio.to_thread(gate.arrived.wait, 10)
    with pytest.raises(ResourceExhausted, match="over 10") as refused:
        await engine.embed(["y"] * 3, InputType.DOCUMENT)
    assert refused.value.retry_after is not None
    assert refused.value.retry_after > 0
    fits = asyncio.create_task(engine.embed(["z"] * 2, InputType.DOCUMENT))
    gate.open.set()
    assert len(await accepted) == 8
    assert len(await fits) == 2
    # What is done frees its place.
    assert len(await engine.embed(["y"] * 10, InputType.DOCUMENT)) == 10
    engine.close()


async def test_one_call_fits_an_idle_queue_of_any_size() -> None:
    engine = Engine(FakeProvider(), EngineLimits(document_queue=1))
    assert len(await engine.embed(["x"] * 5, InputType.DOCUMENT)) == 5
    engine.close()


async def test_a_cancelled_call_stops_at_the_next_text() -> None:
    gate = Gate()
    provider = FakeProvider(before=gate, document_threads=2)
    engine = Engine(provider, EngineLimits())
    call = asyncio.create_task(engine.embed([str(number) for number in range(100)], InputType.DOCUMENT))
    await asyncio.to_thread(gate.arrived.wait, 10)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    gate.open.set()
    await asyncio.to_thread(engine.close)  # waits for the texts that were being worked on
    assert 1 <= len(provider.calls) <= provider.document_threads


async def test_a_failure_ends_the_call_and_leaves_the_engine_working() -> None:
    def fail(texts: Sequence[str], side: InputType) -> None:
        if texts[0] == "bad":
            raise Unavailable("endpoint away")

    provider = FakeProvider(before=fail, document_threads=1)
    engine = Engine(provider, EngineLimits(document_queue=4))
    with pytest.raises(Unavailable, match="endpoint away"):
        await engine.embed(["good", "bad", "never", "never"], InputType.DOCUMENT)
    assert provider.calls == [("good",), ("bad",)]
    assert len(await engine.embed(["a", "b", "c", "d"], InputType.DOCUMENT)) == 4
    engine.close()
    assert provider.closed.is_set()
