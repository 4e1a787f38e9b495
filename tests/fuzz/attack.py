"""Sends damaged files, some at a time, and judges each answer and what is left of the service."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from findspot.errors import FindspotError, Reason
from tests.fuzz.mutation import mutated
from tests.fuzz.seeds import book, built
from tests.fuzz.service import Target, watched

WALL_SECONDS = 20
"""What the service gives one document."""
SLACK_SECONDS = 10.0
"""For the way there and back on a busy machine, and a new worker process."""
AT_A_TIME = 4
"""Calls at the same time, more than there are workers: some wait."""
MOST_GROWTH = 100 * 1024**2
"""Bytes that the service may hold more after the run than before."""
SETTINGS = {
    "ocr": "off",
    "workers": "2",
    "worker_memory_mib": "1024",
    "worker_cpu_seconds": str(WALL_SECONDS),
    "worker_wall_seconds": str(WALL_SECONDS),
}
TYPED = frozenset(
    {
        Reason.DOCUMENT_CORRUPT,
        Reason.DOCUMENT_ENCRYPTED,
        Reason.DOCUMENT_TOO_LARGE,
        Reason.EXTRACTION_CRASHED,
        Reason.EXTRACTION_TIMEOUT,
        Reason.INVALID_FIELD,
        Reason.NO_TEXT,
        Reason.UNSUPPORTED_TYPE,
    }
)
"""Reasons that a file may have for not being read; every other one is a fault of the service."""
WORTH_A_LOOK = frozenset({Reason.EXTRACTION_CRASHED, Reason.EXTRACTION_TIMEOUT})
"""Typed, and yet something that a reader should have known."""


@dataclass(frozen=True)
class Input:
    """One damaged file. The same seed and number give the same bytes, as long as the files it is made of are the same."""

    name: str
    form: str
    how: str
    data: bytes
    drawn: bool = False
    """Sent to RenderPage and not to Extract."""


@dataclass(frozen=True)
class Answer:
    """What came of one input."""

    sent: Input
    outcome: str
    """`document`, `page`, or the reason of the failure."""
    seconds: float
    """With waiting for a worker."""
    message: str = ""
    fault: bool = False
    """The answer may not be."""


@dataclass
class Run:
    """What came of all inputs, and of the service."""

    answers: list[Answer] = field(default_factory=list)
    before: int = 0
    """Bytes that the service held before the first input, workers not counted."""
    after: int = 0
    worker_peak: int = 0
    """The most bytes that a worker held."""
    faults: list[str] = field(default_factory=list)
    """What is wrong with the service after the run."""


def inputs(count: int, seed: int, seeds: Mapping[str, Sequence[bytes]]) -> Iterator[Input]:
    """Damaged files, of one format after the other."""
    forms = tuple(seeds)
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        form = forms[number % len(forms)]
        data, how = mutated(chance, form, seeds[form])
        drawn = form in ("pdf", "png", "jpeg") and chance.random() < 0.25
        yield Input(f"{seed}-{number}.{form}", form, how, data, drawn)


async def attack(target: Target, sent: Iterator[Input], told: Callable[[Answer], None]) -> Run:
    """Sends all inputs and looks at the service before and after. `told` is called for each answer as it comes."""
    run = Run()
    for _ in range(3):
        await _healthy(target)
    run.before = target.resident()

    async def send_some() -> None:
        for one in sent:
            answer = await _answer(target, one)
            run.answers.append(answer)
            told(answer)

    async with watched(target.process) as peak, asyncio.TaskGroup() as group:
        for _ in range(AT_A_TIME):
            group.create_task(send_some())
    run.worker_peak = peak.worker
    await _look_at(target, run)
    return run


async def _look_at(target: Target, run: Run) -> None:
    if not await target.serving():
        run.faults.append("the service does not serve any more")
        return
    try:
        await _healthy(target)
    except FindspotError as failure:
        run.faults.append(f"a healthy document is not read any more: {failure.message}")
    run.after = target.resident()
    if run.after - run.before > MOST_GROWTH:
        run.faults.append(
            f"the service holds {(run.after - run.before) >> 20} MiB more than before; "
            f"the limit is {MOST_GROWTH >> 20} MiB"
        )


async def _healthy(target: Target) -> None:
    """Files that are right are read, or the error says why not."""
    document = await target.extraction.extract(book(), file_name="healthy.epub", timeout=60)
    if "The water rises." not in document.text:
        raise AssertionError(f"the healthy book reads as {document.text!r}")
    await target.extraction.extract(built("pdf")[0], file_name="healthy.pdf", timeout=60)


async def _answer(target: Target, sent: Input) -> Answer:
    # In the worst case every call before this one takes as long as it may.
    longest = (WALL_SECONDS + SLACK_SECONDS) * AT_A_TIME / int(SETTINGS["workers"])
    began = time.monotonic()
    try:
        if sent.drawn:
            await target.extraction.render_page(sent.data, file_name=sent.name, timeout=longest)
        else:
            await target.extraction.extract(sent.data, file_name=sent.name, timeout=longest)
    except FindspotError as failure:
        reason, seconds = failure.reason, time.monotonic() - began
        return Answer(sent, reason.value, seconds, failure.message, fault=reason not in TYPED)
    return Answer(sent, "page" if sent.drawn else "document", time.monotonic() - began)
