"""One run after another: clients work, a process is killed at a random moment, and all is examined at rest."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from findspot.errors import FindspotError, Unavailable
from findspot.v1 import collection_pb2
from tests.crash import examine
from tests.crash.actions import ACTIONS, COLLECTION, Round
from tests.crash.book import Book
from tests.crash.folder import Folder
from tests.crash.world import SUPERVISOR, VICTIMS, World
from tests.stub_calls import call

MODEL_EVERY = 20
INSIST_SECONDS = 20.0
AGAIN_SHARE = 0.15
"""Of the runs, in which a second process is killed."""
DELAYS = (0.05, 0.3, 0.3, 0.9)
"""Most seconds from the calls to the kill: while they are answered, while documents are read and cut, or embedded."""


@dataclass
class Outcome:
    """How one run went."""

    number: int
    victim: str
    delay: float
    second: str = ""
    """What was killed once more as soon as everything served again."""
    model: str = ""
    """How the suite came to another model, if it did."""
    answers: list[tuple[str, str]] = field(default_factory=list)
    recovery: float = 0.0
    """Seconds from the kill until everything serves."""
    rest: float = 0.0
    """Seconds from then until nothing waits."""
    examined: float = 0.0
    """Seconds that the examination took."""
    log: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass
class Siege:
    """A suite under attack, and the book of what it must hold."""

    world: World
    seed: int
    folder: Folder
    book: Book = field(default_factory=lambda: Book(COLLECTION))

    @classmethod
    def of(cls, world: World, seed: int) -> Siege:
        """A siege whose directory lies beside the data of the suite."""
        return cls(world, seed, Folder(world.suite.data.with_name("followed")))

    async def begin(self) -> None:
        """Makes the collections."""
        async with self.world.client() as client:
            made = collection_pb2.CreateCollectionRequest(
                collection=collection_pb2.Collection(path=COLLECTION)
            )
            await call(client.collections.CreateCollection, made)
            await self.folder.begin(client, random.Random(self.seed))

    async def run(self, number: int) -> Outcome:
        """One kill, chosen by the seed and the number alone."""
        chance = random.Random(f"{self.seed}/{number}")
        victim = chance.choice(VICTIMS)
        delay = chance.uniform(0, chance.choice(DELAYS))
        outcome = Outcome(number, victim, delay)
        async with self.world.client() as client:
            run = Round(number, chance, client, self.book, self.folder)
            # Random numbers of their own: what one action draws does not depend on how far the others are.
            parts = [
                (action, replace(run, chance=random.Random(chance.getrandbits(64))))
                for action in _chosen(chance, number)
            ]
            doing = [asyncio.ensure_future(action(part)) for action, part in parts]
            began = time.monotonic()
            await asyncio.sleep(delay)
            if number % MODEL_EVERY == 0:
                how = chance.choice((signal.SIGKILL, signal.SIGTERM))
                outcome.victim, outcome.model = SUPERVISOR, how.name
                await self.world.change_model(how)
            else:
                await self._kill(outcome, victim)
                if chance.random() < AGAIN_SHARE:
                    # What is half repaired is hit again.
                    outcome.second = chance.choice(VICTIMS)
                    await self._kill(outcome, outcome.second)
            outcome.recovery = time.monotonic() - began - delay
            await asyncio.gather(*doing)
        await self._examine([run, *(part for _, part in parts)], outcome)
        outcome.answers, outcome.log = run.answers, run.log
        outcome.faults = run.faults + outcome.faults
        return outcome

    async def _kill(self, outcome: Outcome, victim: str) -> None:
        try:
            await self.world.kill(victim)
        except TimeoutError:
            outcome.faults.append(f"{victim} did not come back")

    async def _examine(self, parts: Sequence[Round], outcome: Outcome) -> None:
        run = parts[0]
        async with self.world.client() as client:
            for part in parts:
                part.client = client
            began = time.monotonic()
            try:
                # Half of the clients insist; of the calls of the others nobody ever learns whether they were done.
                for again in run.again if run.chance.random() < 0.5 else ():
                    await again()
                async with asyncio.timeout(INSIST_SECONDS):
                    await _insist(lambda: self.folder.sync(client))
                self.folder.settle()
                outcome.faults += await examine.rest(client)
                outcome.rest = time.monotonic() - began
                began = time.monotonic()
                outcome.faults += await examine.documents(client, self.book)
                outcome.faults += await examine.documents(client, self.folder.book)
                outcome.faults += await self.folder.kept_their_documents(client)
                outcome.faults += await examine.counts(client, self.world, self.there())
            except FindspotError as failure:
                outcome.faults.append(f"at rest, a call was refused: {failure.reason} {failure.message}")
            except TimeoutError:
                outcome.faults.append("a call that was made again got no answer although everything serves")
            outcome.examined = time.monotonic() - began

    def there(self) -> int:
        """How many documents both collections hold."""
        return len(self.book.present()) + len(self.folder.files)


async def _insist(ask: Callable[[], Awaitable[None]]) -> None:
    while True:
        try:
            return await ask()
        except Unavailable:
            await asyncio.sleep(0.05)


def _chosen(chance: random.Random, number: int) -> list[Callable[[Round], Awaitable[None]]]:
    names = list(ACTIONS)
    weights = [weight for weight, _ in ACTIONS.values()]
    count = chance.randint(2, 6) if number > 1 else 12
    picked = chance.choices(names, weights, k=count) if number > 1 else ["add"] * count
    return [ACTIONS[name][1] for name in picked]
