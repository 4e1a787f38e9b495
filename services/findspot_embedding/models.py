"""The models that this process serves: loaded side by side, one of them active, each with its state."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from findspot.errors import FailedPrecondition, FindspotError, Internal, Reason, Unavailable
from findspot.model import EmbeddingIdentity
from findspot_embedding.engine import Engine, EngineLimits
from findspot_embedding.provider import Provider

log = logging.getLogger(__name__)

Result = TypeVar("Result")

Progress = Callable[[str], None]
"""Told, from any thread, what a model that is being loaded is doing."""

OnReady = Callable[["ModelStatus"], Awaitable[None]]
"""Told of each model that became ready."""

FIRST_RETRY, LAST_RETRY = 1.0, 30.0
"""Seconds between attempts to load a model whose endpoint is away."""


class ModelState(StrEnum):
    """How far a model is."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model as ListModels shows it."""

    label: str
    """As configured."""
    provider: str
    identity: EmbeddingIdentity | None
    """None while nobody can know it: before a model other than the default was loaded."""
    state: ModelState
    active: bool
    message: str = ""
    """What it is doing, or why it cannot be used."""
    source: str = ""
    """What has to be configured to have it loaded."""


@dataclass(frozen=True, slots=True)
class Source:
    """A model to load: `load` runs in a thread of its own and may take as long as it needs."""

    label: str
    provider: str
    load: Callable[[Progress], Provider]
    identity: EmbeddingIdentity | None = None
    """What it will be, where that is known before."""
    configured: str = ""
    """What has to be configured to have it loaded, from wherever the service is started; empty: the label."""


class _Slot:
    def __init__(self, source: Source, active: bool) -> None:
        self.source = source
        self.engine: Engine | None = None
        self.error: FindspotError | None = None
        self.status = ModelStatus(
            source.label,
            source.provider,
            source.identity,
            ModelState.LOADING,
            active,
            "starting",
            source.configured or source.label,
        )

    def matches(self, key: str) -> bool:
        if not key:
            return self.status.active
        return self.status.identity is not None and self.status.identity.key == key


class Models:
    """Every configured model; the first source is the active one. Without sources, having none is the normal
    state."""

    def __init__(
        self, sources: Sequence[Source], limits: EngineLimits, first_retry: float = FIRST_RETRY
    ) -> None:
        self._slots = [_Slot(source, active=at == 0) for at, source in enumerate(sources)]
        self._limits = limits
        self._first_retry = first_retry
        self._closing = asyncio.Event()

    def statuses(self) -> tuple[ModelStatus, ...]:
        """Every configured model, the active one first."""
        return tuple(slot.status for slot in self._slots)

    def engine(self, key: str = "") -> Engine:
        """The engine of an identity; an empty key means the active one.

        Raises FailedPrecondition SEARCH_NOT_PERFORMED when no provider is configured,
        EMBEDDING_IDENTITY_NOT_LOADED when no model here has that key, Unavailable while the model is loading,
        and what made its loading fail.
        """
        if not self._slots:
            raise FailedPrecondition(
                'No embedding provider is configured (embedding provider = "none"): search by text alone, '
                "or configure a provider.",
                reason=Reason.SEARCH_NOT_PERFORMED,
            )
        slot = next((slot for slot in self._slots if slot.matches(key)), None)
        if slot is None:
            raise self._unknown(key)
        if slot.engine is not None:
            return slot.engine
        if slot.error is not None:
            raise slot.error
        raise Unavailable(
            f"The embedding model {slot.status.label} is being loaded ({slot.status.message}).",
            reason=Reason.EMBEDDING_UNAVAILABLE,
            retry_after=1.0,
        )

    def _unknown(self, key: str) -> FindspotError:
        shown = [status.identity.display if status.identity else status.label for status in self.statuses()]
        loading = [slot for slot in self._slots if slot.status.identity is None and slot.error is None]
        if loading:  # it may turn out to be the one
            return Unavailable(
                f"Models are being loaded ({', '.join(slot.status.label for slot in loading)}); "
                f"whether one has identity {key} is not known yet.",
                reason=Reason.EMBEDDING_UNAVAILABLE,
                retry_after=1.0,
            )
        return FailedPrecondition(
            f"No loaded embedding model has identity {key}; loaded: {', '.join(shown)}. "
            "Add the model to the embedding service's `also_load`, or re-embed.",
            reason=Reason.EMBEDDING_IDENTITY_NOT_LOADED,
            metadata={"identity": key},
        )

    async def load(self, on_ready: OnReady | None = None) -> None:
        """Load all models at once and tell of each that is ready.

        An endpoint that is away is asked again until it answers or `close` is called; other failures are
        final.
        """
        await asyncio.gather(*(self._load(slot, on_ready) for slot in self._slots))

    async def _load(self, slot: _Slot, on_ready: OnReady | None) -> None:
        pause = self._first_retry
        while not self._closing.is_set():
            slot.error = await self._attempt(slot)
            if slot.error is None:
                if on_ready is not None:
                    await on_ready(slot.status)
                return
            slot.status = replace(slot.status, state=ModelState.FAILED, message=slot.error.message)
            log.error("The embedding model %s cannot be used: %s", slot.source.label, slot.error.message)
            if not isinstance(slot.error, Unavailable):
                return
            try:
                await asyncio.wait_for(self._closing.wait(), pause)
            except TimeoutError:
                pause = min(pause * 2, LAST_RETRY)

    async def _attempt(self, slot: _Slot) -> FindspotError | None:
        label = slot.source.label

        def progress(phase: str) -> None:
            slot.status = replace(slot.status, message=phase)
            log.info("The embedding model %s: %s", label, phase)

        try:
            provider = await _in_daemon_thread(lambda: slot.source.load(progress))
        except FindspotError as problem:
            return problem
        except Exception as problem:
            log.exception("Loading the embedding model %s failed", label)
            return Internal(f"Loading the embedding model {label} failed: {type(problem).__name__} {problem}")
        slot.engine = Engine(provider, self._limits)
        slot.status = replace(slot.status, identity=provider.identity, state=ModelState.READY, message="")
        log.info("The embedding model %s is ready (%s)", provider.identity.display, provider.identity.key)
        return None

    async def close(self) -> None:
        """Stop loading and let every engine go, after the texts being worked on."""
        self._closing.set()
        for slot in self._slots:
            if slot.engine is not None:
                await asyncio.to_thread(slot.engine.close)


async def _in_daemon_thread(work: Callable[[], Result]) -> Result:
    """The result of `work`, run in a thread that does not hold up the end of the process: a build takes
    seconds."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, problem: BaseException | None) -> None:
        if done.cancelled():
            return
        if problem is not None:
            done.set_exception(problem)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        try:
            result = work()
        except BaseException as problem:  # noqa: BLE001 - handed to the waiting coroutine
            loop.call_soon_threadsafe(settle, None, problem)
        else:
            loop.call_soon_threadsafe(settle, result, None)

    threading.Thread(target=run, name="embed-load", daemon=True).start()
    return await done
