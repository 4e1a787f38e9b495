"""Documents that hang, crash, eat memory or time: each costs itself and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from findspot.document_types import DOCUMENT_TYPES, DocumentType
from findspot.errors import FindspotError, Internal, InvalidArgument, Reason, ResourceExhausted, Unavailable
from findspot.v1.extraction_pb2 import ExtractResponse
from findspot_extraction.reading import Upload
from findspot_extraction.worker import WorkerLimits
from findspot_extraction.workers import PoolOptions, WorkerPool

HOSTILE = DocumentType("hostile", "hostile file", (".hostile",), reader="hostile_reader")
UPLOAD = Upload(file_name="a.hostile")
OPTIONS = PoolOptions(
    workers=1, wall_seconds=30.0, limits=WorkerLimits(memory_bytes=512 * 1024**2, cpu_seconds=20)
)


@asynccontextmanager
async def pool_of(options: PoolOptions = OPTIONS) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(options, (*DOCUMENT_TYPES, HOSTILE))
    try:
        yield pool
    finally:
        await pool.close()


async def process_id(pool: WorkerPool) -> int:
    text, *_ = (await pool.read(b"pid", UPLOAD)).body
    return int(ExtractResponse.FromString(text).text.text)


async def failure(pool: WorkerPool, command: str) -> FindspotError:
    with pytest.raises(FindspotError) as caught:
        await pool.read(command.encode(), UPLOAD)
    return caught.value


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "told"
    os.mkfifo(path)
    return path


async def ended(pid: int) -> None:
    """Returns when the child is dead; it is left to its parent to collect."""
    with contextlib.suppress(ChildProcessError):
        await asyncio.to_thread(os.waitid, os.P_PID, pid, os.WEXITED | os.WNOWAIT)


async def told(fifo: Path) -> int:
    """The id of the process that reads the hanging document, once it does."""
    return int(await asyncio.to_thread(fifo.read_text))


async def test_a_process_is_reused_and_replaced_after_its_documents() -> None:
    async with pool_of(replace(OPTIONS, documents_per_worker=2)) as pool:
        pool.start()
        ids = [await process_id(pool) for _ in range(4)]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert os.getpid() not in ids


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("signal SIGSEGV", "SIGSEGV"),
        ("signal SIGKILL", "SIGKILL"),
        ("exit 3", "status 3"),
        ("exit 0", "status 0"),
    ],
)
async def test_a_process_that_dies_fails_its_document_only(command: str, said: str) -> None:
    async with pool_of() as pool:
        error = await failure(pool, command)
        assert isinstance(error, Internal)
        assert error.reason is Reason.EXTRACTION_CRASHED
        assert said in error.message
        assert await process_id(pool) > 0


async def test_an_idle_process_that_was_killed_costs_no_document() -> None:
    async with pool_of() as pool:
        first = await process_id(pool)
        os.kill(first, signal.SIGKILL)
        await ended(first)
        assert await process_id(pool) != first


async def test_an_unexpected_exception_fails_the_document_and_keeps_the_process() -> None:
    async with pool_of() as pool:
        before = await process_id(pool)
        for command in ("raise it", "recurse"):
            error = await failure(pool, command)
            assert error.reason is Reason.EXTRACTION_CRASHED
        assert "RecursionError" in error.message
        assert await process_id(pool) == before


async def test_failures_of_readers_arrive_with_all_they_carry() -> None:
    async with pool_of() as pool:
        error = await failure(pool, "corrupt")
    assert isinstance(error, InvalidArgument)
    assert (error.reason, error.metadata) == (Reason.DOCUMENT_CORRUPT, {"page": "7"})


async def test_memory_is_bounded() -> None:
    async with pool_of() as pool:
        error = await failure(pool, "eat")
        assert isinstance(error, ResourceExhausted)
        assert error.reason is Reason.DOCUMENT_TOO_LARGE
        assert "512 MiB" in error.message
        assert (await failure(pool, f"large-answer {240 * 1024**2}")).reason is Reason.DOCUMENT_TOO_LARGE
        assert await process_id(pool) > 0


async def test_wall_time_is_bounded_and_the_process_ends() -> None:
    async with pool_of(replace(OPTIONS, wall_seconds=2.0)) as pool:
        process = await process_id(pool)
        error = await failure(pool, "hang")
        assert isinstance(error, ResourceExhausted)
        assert error.reason is Reason.EXTRACTION_TIMEOUT
        assert "2 s" in error.message
        await ended(process)
        assert await process_id(pool) != process


async def test_processor_time_is_bounded() -> None:
    limits = replace(OPTIONS.limits, cpu_seconds=1)
    async with pool_of(replace(OPTIONS, limits=limits)) as pool:
        error = await failure(pool, "spin")
        assert error.reason is Reason.EXTRACTION_TIMEOUT
        assert "processor time" in error.message


async def test_a_caller_who_leaves_takes_the_process_along(fifo: Path) -> None:
    async with pool_of() as pool:
        task = asyncio.create_task(pool.read(f"hang {fifo}".encode(), UPLOAD))
        process = await told(fifo)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ended(process)
        assert await process_id(pool) != process


async def test_documents_wait_up_to_a_bound(fifo: Path) -> None:
    async with pool_of(replace(OPTIONS, max_waiting=1)) as pool:
        busy = asyncio.create_task(pool.read(f"hang {fifo}".encode(), UPLOAD))
        await told(fifo)
        waiting = asyncio.create_task(process_id(pool))
        await asyncio.wait([waiting], timeout=0)
        error = await failure(pool, "pid")
        assert isinstance(error, ResourceExhausted)
        assert (error.reason, error.retry_after) == (Reason.OVERLOADED, 1.0)
        busy.cancel()
        assert await waiting > 0


async def test_two_processes_read_two_documents_at_a_time(fifo: Path) -> None:
    async with pool_of(replace(OPTIONS, workers=2)) as pool:
        busy = asyncio.create_task(pool.read(f"hang {fifo}".encode(), UPLOAD))
        hanging = await told(fifo)
        assert await process_id(pool) != hanging
        busy.cancel()


async def test_closing_ends_all_processes_and_refuses_more(fifo: Path) -> None:
    async with pool_of() as pool:
        task = asyncio.create_task(pool.read(f"hang {fifo}".encode(), UPLOAD))
        process = await told(fifo)
        await pool.close()
        await ended(process)
        with pytest.raises(Internal):
            await task
        assert isinstance(await failure(pool, "pid"), Unavailable)


PARENT = """
import asyncio, sys
from pathlib import Path
import test_extraction_workers as tests
from findspot_extraction.workers import WorkerPool

async def main():
    pool = WorkerPool(tests.OPTIONS, (*tests.DOCUMENT_TYPES, tests.HOSTILE))
    await pool.read(f"hang {sys.argv[1]}".encode(), tests.UPLOAD)

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_processes_die_with_their_service(fifo: Path, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    parent = await asyncio.create_subprocess_exec(sys.executable, str(script), str(fifo), env=environment)
    process = psutil.Process(await told(fifo))
    parent.kill()
    assert psutil.wait_procs([process], timeout=10)[1] == []
    await parent.wait()
