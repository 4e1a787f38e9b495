"""Runs every parse in a child process, so that no document costs more than itself.

Processes are spawned, reused, and replaced after a number of documents. A process that dies, hangs or overruns
fails its one document. As many documents are read at a time as there are processes; more wait, up to a bound.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from findspot.document_types import DocumentType
from findspot.errors import FindspotError, Internal, Reason, ResourceExhausted, Unavailable
from findspot.rpc.document_packing import PackedDocument

from .detect import Detection
from .readers.images_values import Drawing, PagePicture
from .readers.ocr import PageReading, PicturesWanted, SeenPage
from .reading import Upload
from .tasks import DetectOnly, DrawPage, ReadText, SeePages
from .worker import Answer, Job, WorkerLimits, run

log = logging.getLogger(__name__)

_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How many processes, how long each lives, how many documents may wait."""

    workers: int = 2
    documents_per_worker: int = 200
    """After so many documents a process is replaced: libraries leak."""
    wall_seconds: float = 120.0
    """Time for one document, waiting not counted."""
    max_waiting: int = 64
    """Documents that may wait for a process; more are refused."""
    limits: WorkerLimits = field(default_factory=WorkerLimits)


class _Worker:
    """One child process and the parent's end of its pipe."""

    def __init__(self, rows: tuple[DocumentType, ...], limits: WorkerLimits) -> None:
        # Started on the thread of the event loop, which lives as long as the service: the kernel ends a child
        # when the thread that started it ends, not when the process does.
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(
            target=run,
            args=(theirs, rows, limits, os.getpid()),
            name="findspot-extraction-worker",
            daemon=True,
        )
        self.process.start()
        theirs.close()
        self.documents = 0
        self.spent = False
        self._talking = threading.Lock()

    def exchange(self, job: Job, data: bytes) -> Answer:
        """Blocking. EOFError or OSError when the process is gone."""
        with self._talking:
            self.documents += 1
            self.connection.send(job)
            self.connection.send_bytes(data)
            answer = cast(Answer, pickle.loads(self.connection.recv_bytes()))
            self.spent = answer.spent
            return answer

    def end(self) -> None:
        """End the process, which holds nothing that could be lost. Blocking, for as long as that takes."""
        self.process.kill()
        # Not while another thread reads: the number of the descriptor could be given to another pipe.
        with self._talking:
            self.connection.close()
        self.process.join()
        self.process.close()


class WorkerPool:
    """Bounded, reused worker processes for the event loop on which it was made."""

    def __init__(self, options: PoolOptions, rows: tuple[DocumentType, ...]) -> None:
        self.options = options
        self._rows = rows
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._free = asyncio.Semaphore(options.workers)
        self._waiting = 0
        self._closed = False
        self._threads = ThreadPoolExecutor(options.workers * 2, thread_name_prefix="extraction")
        self._ends: set[asyncio.Future[None]] = set()

    def start(self) -> None:
        """Start the first process now, so that the first document does not wait for it."""
        self._idle.append(self._spawn())

    async def close(self) -> None:
        """End all processes; documents being read fail with EXTRACTION_CRASHED."""
        if self._closed:
            return
        self._closed = True
        for worker in self._busy:
            worker.process.kill()
        for _ in range(self.options.workers):
            # Every place that comes free now stays taken: those who wait for one learn that it is over.
            await self._free.acquire()
        while self._idle:
            self._retire(self._idle.pop())
        await asyncio.gather(*self._ends)
        self._threads.shutdown(wait=False)

    async def read(
        self, data: bytes, upload: Upload, readings: Mapping[int, PageReading] | None = None
    ) -> PackedDocument:
        """Read one file. Raises what the reader raises, and the typed failures of the process.

        `readings` are what `see` gave for this file: with them the document was admitted before, and only waits.
        """
        job = Job(upload, ReadText(readings or {}))
        return cast(PackedDocument, await self._run(job, data, admitted=readings is not None))

    async def see(self, data: bytes, upload: Upload, wanted: PicturesWanted) -> tuple[SeenPage, ...]:
        """Read pages of a file that was read before from their pictures; raises as `read` does."""
        return cast(tuple[SeenPage, ...], await self._run(Job(upload, SeePages(wanted)), data, admitted=True))

    async def draw(self, data: bytes, upload: Upload, drawing: Drawing) -> PagePicture:
        """Draw a page of a file; raises as `read` does."""
        return cast(PagePicture, await self._run(Job(upload, DrawPage(drawing)), data))

    async def detect(self, head: bytes, upload: Upload) -> Detection:
        """Tell the type of a file from its first bytes."""
        return cast(Detection, await self._run(Job(upload, DetectOnly()), head))

    async def _run(self, job: Job, data: bytes, *, admitted: bool = False) -> Any:
        async with self._worker(admitted) as worker:
            answer = await self._exchange(worker, job, data)
        if answer.trace:
            log.error("a reader failed on a document: %s", answer.trace)
        if answer.failure is not None:
            raise answer.failure
        return answer.value

    @asynccontextmanager
    async def _worker(self, admitted: bool) -> AsyncIterator[_Worker]:
        self.admit(0 if admitted else self._waiting)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            self.admit(0)
            worker = self._take()
            self._busy.add(worker)
            try:
                yield worker
            except BaseException:
                # Whatever it was doing, nobody waits for it any more.
                worker.process.kill()
                worker.spent = True
                raise
            finally:
                self._busy.discard(worker)
                self._give_back(worker)
        finally:
            self._free.release()

    def admit(self, waiting: int) -> None:
        """Raise OVERLOADED when so many documents wait already that one more is too many."""
        if self._closed:
            raise Unavailable(
                "The extraction service is stopping; try another one, or later.", retry_after=1.0
            )
        if waiting >= self.options.max_waiting:
            raise ResourceExhausted(
                f"{waiting} documents wait to be read already; the limit is {self.options.max_waiting}.",
                retry_after=1.0,
            )

    def _spawn(self) -> _Worker:
        return _Worker(self._rows, self.options.limits)

    def _take(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.is_alive():
                return worker
            self._retire(worker)
        return self._spawn()

    def _give_back(self, worker: _Worker) -> None:
        if self._closed or worker.spent or worker.documents >= self.options.documents_per_worker:
            self._retire(worker)
            if not self._closed:
                self._idle.append(self._spawn())
        else:
            self._idle.append(worker)

    def _retire(self, worker: _Worker) -> None:
        end = asyncio.get_running_loop().run_in_executor(self._threads, worker.end)
        self._ends.add(end)
        end.add_done_callback(self._ends.discard)

    async def _exchange(self, worker: _Worker, job: Job, data: bytes) -> Answer:
        loop = asyncio.get_running_loop()
        exchange = loop.run_in_executor(self._threads, worker.exchange, job, data)
        # When the process is killed the pipe ends and so does the thread: nobody asks for its error then.
        exchange.add_done_callback(lambda done: done.cancelled() or done.exception())
        done, _ = await asyncio.wait({exchange}, timeout=self.options.wall_seconds)
        if not done:
            raise _timeout(f"{self.options.wall_seconds:g} s", "worker_wall_seconds")
        try:
            return exchange.result()
        except (EOFError, OSError) as gone:
            raise await self._died(worker) from gone

    async def _died(self, worker: _Worker) -> FindspotError:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, worker.process.join, 5.0)
        code = worker.process.exitcode
        if code == -signal.SIGXCPU:
            return _timeout(f"{self.options.limits.cpu_seconds} s of processor time", "worker_cpu_seconds")
        how = f"by {signal.Signals(-code).name}" if code is not None and code < 0 else f"with status {code}"
        log.error("a worker process ended %s while it read a document", how)
        return Internal(
            f"The process that read the document ended {how}. Other documents are not concerned.",
            reason=Reason.EXTRACTION_CRASHED,
        )


def _timeout(limit: str, setting: str) -> ResourceExhausted:
    return ResourceExhausted(
        f"Reading the document took more than {limit}. Split it, or raise {setting}.",
        reason=Reason.EXTRACTION_TIMEOUT,
    )
