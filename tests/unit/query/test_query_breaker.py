"""A part that hangs costs two searches their wait, not every one."""

from __future__ import annotations

import asyncio

import pytest

from findspot.errors import Cancelled, Reason, Unavailable
from findspot_query.breaker import Breaker


class Part:
    """Answers, fails or hangs for as long as its budget; time passes only here."""

    def __init__(self) -> None:
        self.now = 0.0
        self.takes = 0.0
        self.error: Exception | None = None
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        self.now += self.takes
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return "answer"

    def hang(self) -> None:
        self.takes, self.error = 5.0, Unavailable("no answer", reason=Reason.VECTOR_STORE_UNAVAILABLE)

    def recover(self) -> None:
        self.takes, self.error = 0.001, None


@pytest.fixture
def part() -> Part:
    return Part()


@pytest.fixture
def breaker(part: Part) -> Breaker:
    return Breaker("The vector store", Reason.VECTOR_STORE_UNAVAILABLE, 5.0, lambda: part.now)


async def test_after_two_hangs_calls_are_refused_at_once_until_a_probe_succeeds(
    part: Part, breaker: Breaker
) -> None:
    part.hang()
    for _ in range(2):
        with pytest.raises(Unavailable, match="no answer"):
            await breaker.call(part)
    for _ in range(5):
        with pytest.raises(
            Unavailable, match=r"within 5 s 2 times in a row; it is asked again in 1\.0 s"
        ) as refused:
            await breaker.call(part)
    assert refused.value.reason is Reason.VECTOR_STORE_UNAVAILABLE
    assert refused.value.retry_after == 1.0
    assert part.calls == 2
    part.now += 1.0
    part.recover()
    assert await breaker.call(part) == "answer"
    assert await breaker.call(part) == "answer"
    assert part.calls == 4


async def test_one_call_probes_while_the_others_are_refused(part: Part, breaker: Breaker) -> None:
    part.hang()
    for _ in range(2):
        with pytest.raises(Unavailable):
            await breaker.call(part)
    part.now += 1.0
    part.recover()
    ended = await asyncio.gather(*(breaker.call(part) for _ in range(4)), return_exceptions=True)
    assert [type(one) for one in ended] == [str, Unavailable, Unavailable, Unavailable]


async def test_pauses_grow_to_a_limit(part: Part, breaker: Breaker) -> None:
    part.hang()
    pauses = []
    for _ in range(9):
        with pytest.raises(Unavailable):
            await breaker.call(part)
        with pytest.raises(Unavailable) as refused:
            await breaker.call(part)
        if part.calls >= 2 and refused.value.retry_after:
            pauses.append(refused.value.retry_after)
            part.now += refused.value.retry_after
    assert pauses[:4] == [1.0, 2.0, 4.0, 8.0]
    assert max(pauses) == 15.0


async def test_failures_at_once_and_cancelled_calls_do_not_count(part: Part, breaker: Breaker) -> None:
    part.error = Unavailable("refused", reason=Reason.VECTOR_STORE_UNAVAILABLE)
    for _ in range(5):
        with pytest.raises(Unavailable, match="refused"):
            await breaker.call(part)
    part.takes, part.error = 5.0, Cancelled("the caller left")
    for _ in range(5):
        with pytest.raises(Cancelled):
            await breaker.call(part)
    assert part.calls == 10
