"""What callers do with operations: look at one, list them, stop one. What may not be seen is missing."""

from __future__ import annotations

from sqlalchemy import Connection

from findspot.errors import NotFound, Reason
from findspot.model import Caller, may_read
from findspot.paging import page_size, page_token, read_page_token
from findspot.stores.manifest import operations
from findspot.stores.manifest.operations import Operation
from findspot_indexing import names, rights
from findspot_indexing.service import Indexing

MOST_OPERATIONS = 1000
USUAL_OPERATIONS = 100


def may_see(caller: Caller, operation: Operation) -> bool:
    """True when the caller may read everything that the operation works on."""
    if operation.within is None:
        return caller.readable is None
    return all(may_read(caller, root) for root in operation.within)


async def get(caller: Caller, indexing: Indexing, operation_id: str) -> Operation:
    """The operation of an id. Raises NotFound OPERATION_NOT_FOUND, also for one the caller may not see."""
    return await indexing.manifest.read(lambda c: _find(c, caller, operation_id))


async def list_page(
    caller: Caller, indexing: Indexing, *, state: str, size: int, token: str
) -> tuple[list[Operation], str]:
    """A page of operations, the latest first, and the token of the next (empty at the end). No `state`: all."""
    limit = page_size(size, usual=USUAL_OPERATIONS, most=MOST_OPERATIONS)
    bound = ("ListOperations", state, caller.readable)
    position = read_page_token(token, bound, 2)
    before = (int(position[0]), position[1]) if position else None
    rows = await indexing.manifest.read(lambda c: _visible(c, caller, state, before, limit + 1))
    page = rows[:limit]
    if len(rows) <= limit:
        return page, ""
    return page, page_token((str(page[-1].created_at), page[-1].id), bound)


async def cancel(caller: Caller, indexing: Indexing, operation_id: str) -> Operation:
    """Ask an operation to stop at its next safe point; one that has ended stays as it is."""
    rights.require_writer(caller)

    def write(connection: Connection) -> Operation:
        found = _find(connection, caller, operation_id)
        operations.request_cancel(connection, found.id, indexing.clock())
        return _find(connection, caller, operation_id)

    stopped = await indexing.manifest.write(write)
    indexing.wake.operations.set()
    return stopped


def _find(connection: Connection, caller: Caller, operation_id: str) -> Operation:
    found = operations.get(connection, names.operation_id(operation_id))
    if found is None or not may_see(caller, found):
        raise NotFound(
            f"There is no operation {operation_id}; one that ended is forgotten after 30 days.",
            reason=Reason.OPERATION_NOT_FOUND,
            metadata={"operation_id": operation_id},
        )
    return found


def _visible(
    connection: Connection, caller: Caller, state: str, before: tuple[int, str] | None, limit: int
) -> list[Operation]:
    found: list[Operation] = []
    while True:
        rows = operations.page(connection, state=state, before=before, limit=limit)
        found += [row for row in rows if may_see(caller, row)]
        if len(rows) < limit or len(found) >= limit:
            return found[:limit]
        before = (rows[-1].created_at, rows[-1].id)
