"""Which model answers which key, in every state a model can be in."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest
from fake_provider import IDENTITY, FakeProvider

from findspot.errors import FailedPrecondition, Internal, Reason, Unavailable
from findspot_embedding.engine import EngineLimits
from findspot_embedding.models import Models, ModelState, ModelStatus, OnReady, Progress, Source
from findspot_embedding.provider import Provider

OTHER = replace(IDENTITY, key="other-key", display="other@4")


def source(provider: FakeProvider, known: bool = True) -> Source:
    return Source(
        provider.identity.name, "fake", lambda progress: provider, provider.identity if known else None
    )


def noting(ready: list[ModelStatus]) -> OnReady:
    async def note(status: ModelStatus) -> None:
        ready.append(status)

    return note


def models(*sources: Source) -> Models:
    return Models(sources, EngineLimits(), first_retry=0.01)


async def test_without_a_provider_a_search_by_vectors_is_not_performed() -> None:
    none = models()
    await none.load()
    with pytest.raises(FailedPrecondition) as refused:
        none.engine()
    assert refused.value.reason is Reason.SEARCH_NOT_PERFORMED
    assert none.statuses() == ()


async def test_an_empty_key_means_the_first_model_and_each_key_its_own() -> None:
    both = models(source(FakeProvider()), source(FakeProvider(identity=OTHER)))
    ready: list[ModelStatus] = []
    await both.load(noting(ready))
    assert both.engine().identity == IDENTITY
    assert both.engine(IDENTITY.key).identity == IDENTITY
    assert both.engine(OTHER.key).identity == OTHER
    assert {(status.label, status.active) for status in ready} == {("fake", True), ("fake", False)}
    with pytest.raises(FailedPrecondition, match="also_load") as refused:
        both.engine("nobody")
    assert refused.value.reason is Reason.EMBEDDING_IDENTITY_NOT_LOADED
    await both.close()


async def test_a_model_being_loaded_is_unavailable_and_says_what_it_does() -> None:
    building, go_on = threading.Event(), threading.Event()

    def slow(progress: Progress) -> Provider:
        progress("quantizing")
        building.set()
        assert go_on.wait(10)
        return FakeProvider()

    loading = models(Source("fake", "fake", slow, IDENTITY), Source("second", "fake", slow))
    task = asyncio.create_task(loading.load())
    await asyncio.to_thread(building.wait, 10)
    for key in ("", IDENTITY.key, "may-be-the-second"):
        with pytest.raises(Unavailable) as refused:
            loading.engine(key)
        assert refused.value.reason is Reason.EMBEDDING_UNAVAILABLE
        assert refused.value.retry_after
    assert loading.statuses()[0].state is ModelState.LOADING
    assert loading.statuses()[0].message == "quantizing"
    assert loading.statuses()[0].identity == IDENTITY
    go_on.set()
    await task
    assert loading.engine().identity == IDENTITY
    await loading.close()


async def test_a_model_that_cannot_be_loaded_keeps_saying_why() -> None:
    def missing(progress: Progress) -> Provider:
        raise FailedPrecondition("run make setup")

    def broken(progress: Progress) -> Provider:
        raise ZeroDivisionError("surprise")

    failing = models(Source("a", "fake", missing, IDENTITY), Source("b", "fake", broken, OTHER))
    ready: list[ModelStatus] = []
    await failing.load(noting(ready))
    assert ready == []
    with pytest.raises(FailedPrecondition, match="make setup"):
        failing.engine()
    with pytest.raises(Internal, match="ZeroDivisionError surprise"):
        failing.engine(OTHER.key)
    assert [status.state for status in failing.statuses()] == [ModelState.FAILED] * 2
    assert failing.statuses()[0].message == "run make setup"


async def test_an_endpoint_that_was_away_is_asked_again() -> None:
    attempts = 0

    def away_twice(progress: Progress) -> Provider:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise Unavailable("away", reason=Reason.EMBEDDING_UNAVAILABLE)
        return FakeProvider()

    waiting = models(Source("fake", "fake", away_twice))
    await waiting.load()
    assert attempts == 3
    assert waiting.engine().identity == IDENTITY
    assert waiting.statuses()[0].state is ModelState.READY
    await waiting.close()


async def test_closing_ends_the_attempts() -> None:
    tried = threading.Event()

    def away(progress: Progress) -> Provider:
        tried.set()
        raise Unavailable("away")

    waiting = Models([Source("fake", "fake", away)], EngineLimits(), first_retry=60)
    task = asyncio.create_task(waiting.load())
    await asyncio.to_thread(tried.wait, 10)
    await waiting.close()
    await asyncio.wait_for(task, 10)
