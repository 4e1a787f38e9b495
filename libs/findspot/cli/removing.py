"""`findspot delete` and `findspot purge`: documents and whole collections, asked for once more before it is done."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from rich.progress import track

from findspot.cli.operation_view import follow, show_end
from findspot.cli.output import Data, Json, err, escape, exit_code, out, print_json, reported, show_failure
from findspot.cli.reindex import scope_of
from findspot.client.calls import call
from findspot.client.connect import connect_sync
from findspot.client.requests import At
from findspot.client.sync import Client
from findspot.errors import FindspotError, InvalidArgument
from findspot.v1 import collection_pb2, indexing_pb2

_PAGE = 1000
_ALL_STATES = [
    state for state in indexing_pb2.DocumentState.values() if state != indexing_pb2.DOCUMENT_STATE_UNSPECIFIED
]

Paths = Annotated[
    list[str],
    typer.Argument(
        help="Documents as search shows them, or their ids; a collection with those below it.",
        show_default=False,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@dataclass
class Removal:
    """What was asked for, and what became of it."""

    name: str
    document: str | At | None = None
    subtree: str = ""
    documents: int = 0
    """In the subtree, deleted ones counted only where they are purged."""
    removed: int = 0
    scrub: str = ""
    failure: FindspotError | None = None
    counts: dict[str, int] = field(default_factory=dict)


@reported
def delete(paths: Paths, yes: Yes = False, data: Data = None, json_: Json = False) -> None:
    """Take documents out of every search. Their passages stay readable by id; adding the file again brings them back."""
    with connect_sync(data) as client:
        wanted = [_resolved(client, path, purging=False) for path in paths]
        _confirm(wanted, "delete", yes=yes)
        for removal in wanted:
            _attempt(removal, lambda item: _delete(client, item, quiet=json_))
    _end(wanted, "deleted", as_json=json_)


@reported
def purge(
    paths: Paths,
    yes: Yes = False,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait until the stores are free of its bytes too.")
    ] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Erase documents, or collections with all that is in and below them. There is no way back."""
    with connect_sync(data) as client:
        wanted = [_resolved(client, path, purging=True) for path in paths]
        _confirm(wanted, "purge for good", yes=yes)
        last = wanted[-1]
        for removal in wanted:
            # Only with the last: one scrub is enough for them all.
            _attempt(removal, lambda item: _purge(client, item, at_once=wait and item is last))
        scrub = next((removal.scrub for removal in reversed(wanted) if removal.scrub), "")
        if scrub and wait:
            operation = follow(client, scrub, quiet=json_)
            if not json_:
                show_end(operation)
        elif scrub and not json_:
            out.print(
                f"  [dim]the stores are written anew without it: findspot operations --watch {scrub}[/]"
            )
    _end(wanted, "purged", as_json=json_)


def _resolved(client: Client, name: str, *, purging: bool) -> Removal:
    """What a name means. One that means nothing fails by itself, not the others."""
    try:
        scope = scope_of(client, name) if name.strip("/") else {}
        if not scope:
            raise InvalidArgument(f"{name!r} names no document and no collection.")
    except FindspotError as failure:
        return Removal(name, failure=failure)
    if "document" in scope:
        return Removal(name, document=scope["document"], documents=1)
    subtree = scope["subtree"]
    states = _ALL_STATES if purging else []
    return Removal(name, subtree=subtree, documents=len(_documents(client, subtree, states)))


def _documents(client: Client, subtree: str, states: Sequence[Any]) -> list[str]:
    found: list[str] = []
    request = indexing_pb2.ListDocumentsRequest(subtree=subtree, states=states, page_size=_PAGE)
    while True:
        answer = call(client.indexing.ListDocuments, request, 60.0)
        found += [document.document_id for document in answer.documents]
        if not answer.next_page_token:
            return found
        request.page_token = answer.next_page_token


def _confirm(wanted: Sequence[Removal], what: str, *, yes: bool) -> None:
    meant = [removal for removal in wanted if removal.failure is None]
    if yes or not meant:
        return
    shown = ", ".join(
        f"{removal.name} ({removal.documents} documents)" if removal.subtree else removal.name
        for removal in meant
    )
    if not sys.stdin.isatty():
        raise InvalidArgument(f"This would {what}: {shown}. Say --yes where nobody can be asked.")
    typer.confirm(f"{what}: {shown}?", abort=True, err=True)


def _attempt(removal: Removal, act: Callable[[Removal], None]) -> None:
    if removal.failure is None:
        try:
            act(removal)
        except FindspotError as failure:
            removal.failure = failure


def _delete(client: Client, removal: Removal, *, quiet: bool) -> None:
    if removal.document is not None:
        client.delete(removal.document, request_id=str(uuid.uuid4()))
        removal.removed = 1
        return
    ids = _documents(client, removal.subtree, [])
    hidden = quiet or not out.is_terminal
    for identifier in track(
        ids, f"  deleting {escape(removal.name)}", console=err, transient=True, disable=hidden
    ):
        client.delete(identifier, request_id=str(uuid.uuid4()))
        removal.removed += 1


def _purge(client: Client, removal: Removal, *, at_once: bool) -> None:
    if removal.document is not None:
        answer = client.purge(removal.document, scrub_now=at_once, request_id=str(uuid.uuid4()))
        removal.removed, removal.scrub = 1, answer.scrub_operation_id
        removal.counts = {
            "chunks": answer.chunk_count, "vectors": answer.vector_count, "blobs": answer.blob_count,
        }  # fmt: skip
        return
    for path in _roots(client, removal.subtree):
        removed = client.delete_collection(path, force=True, timeout=None)
        removal.removed += removed.purged_document_count
    removal.scrub = _scrub(client)


def _scrub(client: Client) -> str:
    """The scrub that follows the removal of collections, which do not name it."""
    running = client.operations(state="running", limit=100)
    return next((operation.operation_id for operation in running if operation.kind == "scrub"), "")


def _roots(client: Client, subtree: str) -> list[str]:
    """The uppermost collections of a subtree: removing one removes those below it."""
    request = collection_pb2.ListCollectionsRequest(subtree=subtree, page_size=_PAGE)
    paths: list[str] = []
    while True:
        answer = call(client.collections.ListCollections, request, 60.0)
        paths += [collection.path for collection in answer.collections]
        if not answer.next_page_token:
            break
        request.page_token = answer.next_page_token
    return [path for path in paths if not any(path.startswith(f"{other}/") for other in paths)]


def _end(wanted: Sequence[Removal], done: str, *, as_json: bool) -> None:
    failed = [removal for removal in wanted if removal.failure is not None]
    if as_json:
        print_json({"removed": [_as_json(removal) for removal in wanted]})
    else:
        for removal in wanted:
            if removal.failure is None:
                counts = ", ".join(f"{count} {name}" for name, count in removal.counts.items())
                many = f"   {removal.removed} documents" if removal.subtree else ""
                out.print(
                    f"[green]{done}[/] {escape(removal.name)}{many}"
                    + (f"   [dim]{counts}[/]" if counts else "")
                )
            else:
                show_failure(removal.failure, as_json=False)
    if failed:
        raise typer.Exit(exit_code(failed[0].failure) if len(failed) == len(wanted) else 3)  # type: ignore[arg-type]


def _as_json(removal: Removal) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": removal.name, "document_count": removal.removed, **removal.counts}
    if removal.scrub:
        shown["scrub_operation_id"] = removal.scrub
    if removal.failure is not None:
        shown["error"] = {"reason": removal.failure.reason.value, "message": removal.failure.message}
    return shown
