"""`findspot status`: how full and how fresh the index is, and where each service listens."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from findspot.cli.document_view import document_view
from findspot.cli.documents import find_stored
from findspot.cli.output import Data, Json, as_dict, out, print_json, reported
from findspot.cli.status_view import SHOWN_COLLECTIONS, status_view
from findspot.client.connect import local_suite
from findspot.client.sync import Client
from findspot.errors import InvalidArgument, NotFound, Reason
from findspot.suite.layout import Endpoints
from findspot.v1 import indexing_pb2

_REDRAW_SECONDS = 0.5
_MOST_COLLECTIONS = 10_000


@reported
def status(
    document: Annotated[
        str,
        typer.Argument(
            help="Only this document, as search shows its path, or by its id: where it stands and how fresh it is.",
            show_default=False,
        ),
    ] = "",
    collection: Annotated[
        str, typer.Option("--collection", "-c", help="Only this collection and those below.")
    ] = "",
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Go on showing it until stopped with Ctrl-C.")
    ] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Show documents by state, vectors by model, collections, failures by reason, and the services."""
    if watch and json_:
        raise InvalidArgument(
            "--watch is for people; ask again and again with --json, or call WatchIndexing."
        )
    if document and (watch or collection):
        raise InvalidArgument("a document and --watch or --collection exclude each other; give one")
    suite = local_suite(data)
    with Client(query=suite.of("query"), indexing=suite.of("indexing")) as client:
        if document:
            _show_document(find_stored(client, document), json_=json_)
            return
        answer = client.status(collection)
        if collection and not answer.collection_count:
            raise NotFound(
                f"There is no collection {collection!r}, and none below it. `findspot status` lists the collections.",
                reason=Reason.COLLECTION_NOT_FOUND,
            )
        if watch:
            _follow(client, collection, suite)
            answer = client.status(collection)
        found = client.list_collections(collection, limit=_MOST_COLLECTIONS if json_ else SHOWN_COLLECTIONS)
    if json_:
        shown = {"data": str(suite.data), "services": suite.addresses, "status": as_dict(answer)}
        print_json({**shown, "collections": [as_dict(each) for each in found]})
    else:
        out.print(status_view(answer, suite, collections=found))


def _show_document(document: indexing_pb2.Document, *, json_: bool) -> None:
    if json_:
        print_json({"document": as_dict(document)})
    else:
        out.print(document_view(document))


def _follow(client: Client, collection: str, suite: Endpoints) -> None:
    """Until Ctrl-C, which here is the way out and no failure."""
    try:
        # Not `out`: what is drawn over and over has to be broken at the edge, or it would be cut off there.
        with Live(console=Console(highlight=False), auto_refresh=False, transient=True) as live:
            while True:
                found = client.list_collections(collection, limit=SHOWN_COLLECTIONS)
                view = status_view(client.status(collection), suite, collections=found)
                live.update(view, refresh=True)
                time.sleep(_REDRAW_SECONDS)
    except KeyboardInterrupt:
        return
