"""`findspot read`: a passage, and the way to its neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from findspot.cli import freshness
from findspot.cli.documents import find_place, is_id, no_document
from findspot.cli.memory import Memory, recall, remember
from findspot.cli.output import Data, Json, as_dict, escape, out, print_json, reported
from findspot.client import Client, connect_sync
from findspot.client.requests import At
from findspot.errors import InvalidArgument, NotFound, Reason


@reported
def read(
    passage: Annotated[
        str,
        typer.Argument(
            help="Number of a hit of the last search, path#index as search shows it, or a chunk's id;"
            " without it the passage read last, or the first hit.",
            show_default=False,
        ),
    ] = "",
    next_: Annotated[bool, typer.Option("--next", help="The passage after it.")] = False,
    prev: Annotated[bool, typer.Option("--prev", help="The passage before it.")] = False,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Read one passage; --next and --prev walk on."""
    if next_ and prev:
        raise InvalidArgument("--next and --prev exclude each other; give one")
    memory = recall()
    with connect_sync(data) as client:
        start = _place(client, passage, memory, walking=next_ or prev)
        step = int(next_) - int(prev)
        answer = client.chunk(_step(client, start, step) if step else start)
    if not answer.found:
        raise NotFound(answer.message, reason=Reason.CHUNK_NOT_FOUND)
    chunk = answer.chunk
    remember(replace(memory, reading=At(chunk.collection, chunk.file_path, chunk.chunk_index)))
    if json_:
        print_json(as_dict(answer))
    else:
        _show(answer)


def _place(client: Client, passage: str, memory: Memory, *, walking: bool) -> str | At:
    if not passage:
        return _last_place(memory, walking=walking)
    if passage.isdecimal():
        return _hit(memory, int(passage))
    if is_id(passage):
        return passage
    path, index = _path_and_index(passage)
    place = find_place(client, path, index)
    if place is None:
        raise no_document(client, path)
    return place


def _path_and_index(passage: str) -> tuple[str, int]:
    # A file's name may hold a # itself: only what a number follows is a position.
    path, _, index = passage.rpartition("#")
    return (path, int(index)) if path and index.isdecimal() and index.isascii() else (passage, 0)


def _last_place(memory: Memory, *, walking: bool) -> At:
    if memory.reading is not None and (walking or not memory.hits):
        return memory.reading
    return _hit(memory, 1)


def _hit(memory: Memory, number: int) -> At:
    if not memory.hits:
        raise InvalidArgument(
            "there is no last search with results; search first, or name a passage as path#index"
        )
    if not 1 <= number <= len(memory.hits):
        raise InvalidArgument(f"the last search has hits 1 to {len(memory.hits)}, not {number}")
    return memory.hits[number - 1]


def _step(client: Client, start: str | At, step: int) -> At:
    if isinstance(start, At):
        return replace(start, index=start.index + step)
    found = client.chunk(start)
    if not found.found:
        raise NotFound(found.message, reason=Reason.CHUNK_NOT_FOUND)
    return At(found.chunk.collection, found.chunk.file_path, found.chunk.chunk_index + step)


def _show(answer: Any) -> None:
    chunk = answer.chunk
    head = f"[bold]{escape(chunk.collection)}/{escape(chunk.file_path)}[/]"
    out.print(f"{head}  [dim]passage {chunk.chunk_index + 1} of {answer.total_chunks}[/]")
    place = escape(chunk.locator or " > ".join(chunk.heading_path))
    if place:
        out.print(f"[green]{place}[/]")
    if chunk.HasField("retired_time"):
        out.print("[yellow]retired: its document has changed since[/]")
    elif said := freshness.line(chunk):
        out.print(said)
    out.print()
    out.print(escape(chunk.text))
    steps = []
    if answer.HasField("prev_index"):
        steps.append(f"--prev: passage {answer.prev_index + 1}")
    if answer.HasField("next_index"):
        steps.append(f"--next: passage {answer.next_index + 1}")
    out.print(f"\n[dim]{'   '.join(steps) or 'the only passage'}[/]")
