"""`findspot chunk`: how a file would be cut, with any setting, and where two settings differ; nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from findspot.cli.chunk_diff import Comparison, compare, show_comparison
from findspot.cli.chunk_view import Lab, show_chunks
from findspot.cli.output import Data, Json, out, print_json, reported
from findspot.client import AsyncClient, connect_async
from findspot.errors import FieldViolation, InvalidArgument
from findspot.model import ChunkingOptions, ExtractedDocument, Strategy

STRATEGIES = ", ".join(Strategy)
_NUMBERS: dict[str, Callable[[ChunkingOptions, int], ChunkingOptions]] = {
    "size": lambda options, number: replace(options, size=number),
    "overlap": lambda options, number: replace(options, overlap=number),
    "token-cap": lambda options, number: replace(options, token_cap=number),
}
"""Names in `--compare` that take a number, and what they set."""


@dataclass(frozen=True)
class Setting:
    """One way to cut."""

    options: ChunkingOptions
    characters_only: bool


@reported
def chunk(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="The file.")],
    strategy: Annotated[str, typer.Option(help=f"One of {STRATEGIES}.", show_default="the file type's")] = "",
    size: Annotated[
        int | None, typer.Option(help="Characters of a chunk with its context.", show_default="the type's")
    ] = None,
    overlap: Annotated[
        int | None,
        typer.Option(help="Characters repeated where a section is split.", show_default="the type's"),
    ] = None,
    token_cap: Annotated[
        int | None, typer.Option(help="Tokens of a chunk with its context.", show_default="the model's limit")
    ] = None,
    characters_only: Annotated[bool, typer.Option("--characters-only", help="Count no tokens.")] = False,
    compare_: Annotated[
        str,
        typer.Option(
            "--compare",
            help='The same again with changes, such as "strategy=paragraph,size=800"; shows where the cuts differ.',
            show_default=False,
        ),
    ] = "",
    type_: Annotated[
        str,
        typer.Option("--type", help="What the file is, such as markdown.", show_default="told by the file"),
    ] = "",
    data: Data = None,
    json_: Json = False,
) -> None:
    """Show how a file is cut into passages; nothing is stored."""
    first = Setting(ChunkingOptions(_strategy(strategy), size, overlap, token_cap), characters_only)
    settings = [first, changed(first, compare_)] if compare_ else [first]
    document, labs = asyncio.run(_run((file.name, file.read_bytes(), type_), settings, data))
    comparison = compare(labs[0].cut, labs[1].cut) if len(labs) == 2 else None
    if json_:
        print_json(_as_json(file, document, labs, comparison))
    elif comparison is None:
        show_chunks(out, document, labs[0])
    else:
        show_comparison(out, document, (labs[0], labs[1]), comparison)


def changed(first: Setting, changes: str) -> Setting:
    """The setting with changes such as `strategy=paragraph,size=800`; InvalidArgument says which is wrong."""
    options, characters_only = first.options, first.characters_only
    for change in filter(None, map(str.strip, changes.split(","))):
        name, _, value = (part.strip() for part in change.partition("="))
        if name == "strategy":
            options = replace(options, strategy=_strategy(value))
        elif name in _NUMBERS and value.isdecimal():
            options = _NUMBERS[name](options, int(value))
        elif name == "characters-only" and value in ("", "true", "false"):
            characters_only = value != "false"
            options = replace(options, token_cap=None) if characters_only else options
        else:
            names = ", ".join(("strategy", *_NUMBERS))
            raise _wrong(
                "compare", f"{change!r} changes nothing; write {names} with = and a value, or characters-only"
            )
    return Setting(options, characters_only)


def _strategy(name: str) -> Strategy | None:
    if not name:
        return None
    if name not in set(Strategy):
        raise _wrong("strategy", f"there is no strategy {name!r}; use one of {STRATEGIES}")
    return Strategy(name)


def _wrong(field: str, message: str) -> InvalidArgument:
    return InvalidArgument(message, fields=[FieldViolation(field, message)])


async def _run(
    file: tuple[str, bytes, str], settings: list[Setting], data: Path | None
) -> tuple[ExtractedDocument, list[Lab]]:
    name, content, document_type = file
    async with connect_async(data) as client:
        loop = asyncio.get_running_loop()
        began = loop.time()
        document = await client.extract(content, name, document_type=document_type, omit_words=True)
        read = loop.time() - began
        return document, [await _cut(client, name, document, setting, read) for setting in settings]


async def _cut(
    client: AsyncClient, name: str, document: ExtractedDocument, setting: Setting, read: float
) -> Lab:
    loop = asyncio.get_running_loop()
    began = loop.time()
    cut = await client.chunk_document(document, setting.options, characters_only=setting.characters_only)
    return Lab(name, cut, read, loop.time() - began)


def _as_json(
    file: Path, document: ExtractedDocument, labs: list[Lab], comparison: Comparison | None
) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "file": str(file),
        "document_type": document.document_type,
        "title": document.title,
        "characters": len(document.text),
        "extraction_seconds": round(labs[0].read_seconds, 4),
        "extraction_notices": [asdict(notice) for notice in document.warnings],
        "cut": _cut_as_json(labs[0]),
    }
    if comparison is not None:
        answer["compared"] = _cut_as_json(labs[1])
        answer["boundaries"] = asdict(comparison)
    return answer


def _cut_as_json(lab: Lab) -> dict[str, Any]:
    content = asdict(lab.cut)
    content["notices"] = content.pop("warnings")
    return {**content, "chunking_seconds": round(lab.cut_seconds, 4)}
