"""The child process that reads documents: its limits, and the loop that takes one after another."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from dataclasses import dataclass, field
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from findspot.document_types import DocumentType
from findspot.errors import FindspotError, Internal, Reason

from .readers.reader import ReadLimits, too_large
from .reading import Upload
from .registry import Registry
from .tasks import ReadText, Task, perform

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one worker process may use."""

    memory_bytes: int = 2 * 1024**3
    """Address space of the process."""
    cpu_seconds: int = 120
    """Processor time for one document."""
    read: ReadLimits = field(default_factory=ReadLimits)


@dataclass(frozen=True, slots=True)
class Job:
    """One file and what to do with it; the bytes travel behind it."""

    upload: Upload
    task: Task = field(default_factory=ReadText)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the task gives, or the failure; `trace` says where in the code it failed unexpectedly."""

    value: Any = None
    failure: FindspotError | None = None
    trace: str = ""
    spent: bool = False
    """True when the process ends after this answer."""


def run(connection: Connection, rows: tuple[DocumentType, ...], limits: WorkerLimits, parent: int) -> None:
    """Serve jobs until the other end of the pipe closes."""
    _die_with(parent)
    # Ctrl-C goes to the whole group: the service ends first, and lets its documents finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    quiet_collector()
    registry = Registry(rows)
    while True:
        try:
            job: Job = connection.recv()
            data = connection.recv_bytes()
        except EOFError:
            return
        _allow_cpu(limits.cpu_seconds)
        answer, spent = _answer(job, data, registry, limits)
        connection.send_bytes(answer)
        if spent:
            return


def quiet_collector() -> None:
    """Collect garbage seldom: a document is a hundred thousand small values, each of which is still needed."""
    gc.set_threshold(100_000, 20, 100)


def _die_with(parent: int) -> None:
    """End with the service, however it ends: by a signal of the kernel, and by a pipe that closes with it."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    process = parent_process()
    if process is not None:
        wait([process.sentinel])
        os._exit(1)


def _allow_cpu(seconds: int) -> None:
    """The limit counts from the start of the process: each document gets its own share on top."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))


def _answer(job: Job, data: bytes, registry: Registry, limits: WorkerLimits) -> tuple[bytes, bool]:
    """The answer as bytes, and whether the process is spent. Running out of memory while packing is an answer too."""
    try:
        return _packed(Answer(_work(job, data, registry, limits))), False
    except FindspotError as failure:
        return _packed(Answer(failure=failure)), False
    except MemoryError:
        # Answered below, when the frames that hold the memory are gone.
        pass
    except Exception as problem:  # noqa: BLE001 - the boundary: a fault of any library costs one document
        where = "".join(traceback.format_tb(problem.__traceback__))
        return _packed(Answer(failure=_crashed(problem), trace=f"{type(problem).__name__}\n{where}")), False
    return _packed(Answer(failure=_memory(limits.memory_bytes), spent=True)), True


def _packed(answer: Answer) -> bytes:
    return pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)


def _work(job: Job, data: bytes, registry: Registry, limits: WorkerLimits) -> Any:
    return perform(job.task, data, job.upload, registry, limits.read)


def _crashed(problem: Exception) -> Internal:
    what = f"{type(problem).__name__}: {problem}"[:300].encode("utf-8", errors="replace").decode()
    return Internal(
        f"The reader failed on this document ({what}). Other documents are not concerned.",
        reason=Reason.EXTRACTION_CRASHED,
    )


def _memory(limit: int) -> FindspotError:
    return too_large(
        f"Reading the document needs more than the {limit // 1024**2:,} MiB of memory that one may use. "
        "Split it, or raise worker_memory_mib.",
        limit=str(limit),
    )
