"""The loop that runs operations: one after another of a kind, taken up again after a crash, stopped on demand.

A kind of operation is one function, `Work`. To add one, write it in the package that does the work and name it in
`findspot_indexing.sweep.kinds.KINDS`; a call begins one with `findspot.stores.manifest.operations.begin` in its
transaction and then sets `indexing.wake.operations`. The function

- is told all by `operation.request`, and counts with `progress` (`done`, `total`, `failed`, `count`, `note`);
- calls `await progress.save()` at every point at which it may be stopped: that is where a wish to cancel, or the loss
  of the lease, is raised. It lets both through;
- may be ended anywhere, by kill -9 for one, and is then called again with the same operation and the progress that was
  kept last: what it does has to be idempotent. `progress.reset()` is for work that counts everything again;
- raises a FindspotError to FAIL the operation with that reason. Unavailable (a whole service or the manifest does not
  answer; PartAway is one) fails nothing: the operation is tried again a little later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from findspot.errors import FindspotError, Internal, Unavailable
from findspot.stores.manifest import operation_leases, operations
from findspot.stores.manifest.clock import SECOND
from findspot.stores.manifest.operations import Operation
from findspot_indexing.operations.progress import OperationCancelled, OperationTaken, Progress
from findspot_indexing.outages import PartAway, backoff
from findspot_indexing.service import Indexing
from findspot_indexing.sweep.pause import pause

log = logging.getLogger(__name__)

_SOON = 0.05
"""Seconds after which a claim that another worker got first is looked at again."""

Work: TypeAlias = Callable[[Indexing, Operation, Progress], Awaitable[None]]
"""Does an operation, or the rest of one."""


async def run_operations(indexing: Indexing, kinds: Mapping[str, Work]) -> None:
    """Run what waits, of each kind one after another, until cancelled."""
    running: dict[str, asyncio.Task[None]] = {}

    def ended(task: asyncio.Task[None]) -> None:
        del running[task.get_name()]
        indexing.wake.operations.set()

    async with asyncio.TaskGroup() as group:
        while True:
            indexing.wake.operations.clear()
            wait = indexing.membership.look_seconds(indexing.limits.sweep_seconds)
            for kind in kinds.keys() - running.keys():
                due = await indexing.manifest.read(partial(operation_leases.next_due, kind=kind))
                operation = (
                    await _claim(indexing, kind) if due is not None and due <= indexing.clock() else None
                )
                if operation is not None:
                    running[kind] = group.create_task(_run(indexing, operation, kinds[kind]), name=kind)
                    running[kind].add_done_callback(ended)
                elif due is not None:
                    wait = min(wait, max(_SOON, (due - indexing.clock()) / SECOND))
            await pause(indexing.wake.operations, wait)


async def _claim(indexing: Indexing, kind: str) -> Operation | None:
    lease = int(indexing.limits.lease_seconds * SECOND)
    now = indexing.clock()
    return await indexing.manifest.write(
        lambda c: operation_leases.claim(c, kind, indexing.instance, now, lease)
    )


async def _run(indexing: Indexing, operation: Operation, work: Work) -> None:
    progress = Progress(indexing.manifest, operation, indexing.instance, indexing.clock)
    try:
        if operation.attempts > indexing.limits.max_attempts:
            raise Internal(f"{operation.attempts - 1} tries began, and none came any further.")
        await progress.save(now=True)
        await work(indexing, operation, progress)
    except OperationCancelled:
        await _finish(indexing, operation, progress, operations.CANCELLED)
    except OperationTaken as lost:
        log.warning("%s", lost.message)
    except Unavailable as outage:
        # When it is the manifest that is away, this fails too, and the sweep begins anew once it is back.
        await _put_back(indexing, operation, outage)
    except FindspotError as failure:
        await _finish(indexing, operation, progress, operations.FAILED, failure)
    except Exception as error:
        log.exception("Operation %s (%s) failed.", operation.id, operation.kind)
        fault = Internal(f"{type(error).__name__}: {error}")
        await _finish(indexing, operation, progress, operations.FAILED, fault)
    else:
        await _finish(indexing, operation, progress, operations.SUCCEEDED)


async def _put_back(indexing: Indexing, operation: Operation, outage: Unavailable) -> None:
    limits = indexing.limits
    wait = max(
        backoff(operation.attempts, limits.retry_first_seconds, limits.retry_longest_seconds),
        indexing.outages.wait_seconds(outage.part) if isinstance(outage, PartAway) else 0.0,
    )
    until = indexing.clock() + int(wait * SECOND)
    log.info("Operation %s waits: %s", operation.id, outage.message)
    await indexing.manifest.write(
        lambda c: operation_leases.release(c, operation.id, indexing.instance, until)
    )


async def _finish(
    indexing: Indexing,
    operation: Operation,
    progress: Progress,
    state: str,
    failure: FindspotError | None = None,
) -> None:
    ended = {"reason": failure.reason.value, "message": failure.message} if failure else {}
    await indexing.manifest.write(
        lambda c: operations.finish(
            c, operation.id, indexing.instance, state, progress.standing, indexing.clock(), **ended
        )
    )
