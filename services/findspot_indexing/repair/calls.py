"""What callers ask for: a repair, or what one would find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from sqlalchemy import Connection

from findspot.errors import FieldViolation, InvalidArgument, PermissionDenied
from findspot.model import Caller, Notice
from findspot.stores.manifest import operations, requests, scrubs
from findspot_indexing import names, rights
from findspot_indexing.repair.findings import Report, Steps, total
from findspot_indexing.repair.run import KIND, Wish, look_through
from findspot_indexing.service import Indexing
from findspot_indexing.status import scope

_METHOD = "Repair"


@dataclass(frozen=True, slots=True)
class Asked:
    """A repair as it was asked for."""

    subtree: str = ""
    rebuild_text: bool = False
    rebuild_vectors: bool = False
    dry_run: bool = False
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """The operation that was begun, or what a dry run found."""

    operation_id: str = ""
    missing: int = 0
    orphaned: int = 0
    duplicated: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


async def repair(caller: Caller, indexing: Indexing, asked: Asked) -> Planned:
    """Begin a repair, or compare only. What may not be seen is missing."""
    rights.require_writer(caller)
    request = names.request_id(asked.request_id)
    subtree = names.subtree(asked.subtree)
    rebuilding = asked.rebuild_text or asked.rebuild_vectors
    _check_rebuilding(caller, subtree, rebuilding)
    within = (subtree,) if subtree else caller.readable
    wish = Wish(within, asked.rebuild_text, asked.rebuild_vectors)
    await indexing.manifest.read(lambda c: _require_scope(c, caller, subtree))
    if asked.dry_run:
        report = Report()
        await look_through(indexing, wish, report, Steps(), mending=False)
        return _planned("", report)
    fingerprint = requests.request_hash(subtree, asked.rebuild_text, asked.rebuild_vectors)

    def begin(connection: Connection) -> str:
        before = requests.recall(connection, request, _METHOD, fingerprint)
        if before is not None:
            return str(before)
        operation_id = operations.begin(
            connection, KIND, scope=subtree, within=within, request=asdict(wish), now=indexing.clock()
        )
        if within is None:
            _scrub_at_once(connection, indexing.clock())
        requests.remember(connection, request, _METHOD, fingerprint, operation_id, indexing.clock())
        return operation_id

    operation_id = await indexing.manifest.write(begin)
    indexing.wake.operations.set()
    return Planned(operation_id)


def _scrub_at_once(connection: Connection, now: int) -> None:
    """What purges left behind is mended too: a scrub that failed is tried again, one that waits begins."""
    if scrubs.last_failure(connection):
        scrubs.want(connection, now, 0)
    scrubs.hurry(connection, now)


def _planned(operation_id: str, report: Report) -> Planned:
    counts = report.counts
    return Planned(
        operation_id,
        total(counts, "missing"),
        total(counts, "orphaned"),
        total(counts, "duplicated"),
        counts,
        tuple(report.notices),
    )


def _check_rebuilding(caller: Caller, subtree: str, rebuilding: bool) -> None:
    if rebuilding and subtree:
        raise InvalidArgument(
            f"rebuild_text and rebuild_vectors do everything anew, not only {subtree}. Leave the subtree out, or "
            "repair the subtree without rebuilding.",
            fields=[FieldViolation("subtree", "must be empty with rebuild_text or rebuild_vectors")],
        )
    if rebuilding and caller.readable is not None:
        raise PermissionDenied(
            f"{caller.subject} may not see all collections; rebuilding does them all anew. Repair a subtree instead."
        )


def _require_scope(connection: Connection, caller: Caller, subtree: str) -> None:
    if subtree and not scope(connection, caller, subtree):
        raise rights.no_collection(subtree)
