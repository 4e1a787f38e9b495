"""A few damaged files through a service of its own: `make fuzz` sends thousands."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.attack import SETTINGS, TYPED, Answer, attack, inputs
from tests.fuzz.seeds import FORMATS, collected
from tests.fuzz.service import attacked

COUNT = 64
SEED = 7


async def test_damaged_files_are_answered_and_leave_the_service_as_it_was(tmp_path: Path) -> None:
    answers: list[Answer] = []
    async with attacked(tmp_path, SETTINGS) as target:
        run = await attack(target, inputs(COUNT, SEED, collected((), FORMATS)), answers.append)
    assert [(answer.sent.name, answer.outcome, answer.message) for answer in answers if answer.fault] == []
    assert run.faults == []
    assert run.answers == answers
    assert {answer.sent.form for answer in answers} == set(FORMATS)
    outcomes = {answer.outcome for answer in answers}
    # Damage that nothing notices, or that nothing gets past, would try nothing.
    assert "document" in outcomes
    assert outcomes & TYPED
    assert 0 < run.worker_peak < 1024**3


def test_a_seed_gives_the_same_files_each_time() -> None:
    seeds = collected((), FORMATS)
    first, again, other = (list(inputs(COUNT, seed, seeds)) for seed in (SEED, SEED, SEED + 1))
    assert first == again
    assert [one.data for one in first] != [one.data for one in other]
