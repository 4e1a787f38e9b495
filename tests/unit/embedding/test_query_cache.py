"""The cache of query vectors forgets by age and by use."""

from __future__ import annotations

import numpy as np

from findspot_embedding.cache import QueryCache

VECTOR = np.ones(2, np.float32)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_vector_is_known_for_its_identity_and_text_only() -> None:
    cache = QueryCache()
    cache.put("a", "cats", VECTOR)
    assert cache.get("a", "cats") is VECTOR
    assert cache.get("b", "cats") is None
    assert cache.get("a", "dogs") is None


def test_a_vector_is_forgotten_after_its_time() -> None:
    clock = Clock()
    cache = QueryCache(seconds=300, clock=clock)
    cache.put("a", "cats", VECTOR)
    clock.now = 300.0
    assert cache.get("a", "cats") is VECTOR
    clock.now = 300.1
    assert cache.get("a", "cats") is None
    assert len(cache) == 0


def test_the_least_recently_used_goes_first() -> None:
    cache = QueryCache(entries=2)
    cache.put("a", "one", VECTOR)
    cache.put("a", "two", VECTOR)
    cache.get("a", "one")
    cache.put("a", "three", VECTOR)
    assert cache.get("a", "two") is None
    assert cache.get("a", "one") is VECTOR
    assert len(cache) == 2


def test_a_cache_of_no_entries_keeps_nothing() -> None:
    cache = QueryCache(entries=0)
    cache.put("a", "one", VECTOR)
    assert cache.get("a", "one") is None
