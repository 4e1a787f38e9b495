"""What commands show: tables and colour for people, JSON for programs, one sentence and a code for failures."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import markup
from rich.console import Console

from findspot.errors import FindspotError, InvalidArgument, NotFound, Unavailable

EXIT_CODES = {
    0: "done",
    1: "failed",
    2: "wrong arguments",
    3: "done in part: some files failed",
    4: "not found",
    5: "the suite, or a service of it, cannot be reached",
}

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data", help="The suite's folder; needed only when several suites run.", show_default=False
    ),
]

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def reported(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Turns a failure into one sentence and an exit code; with `--json` into an object with `error`."""

    @functools.wraps(command)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return command(*args, **kwargs)
        except FindspotError as error:
            show_failure(error, as_json=bool(kwargs.get("json_", False)))
            raise typer.Exit(exit_code(error)) from error
        except KeyboardInterrupt as error:
            err.print("stopped")
            raise typer.Exit(130) from error

    return run


def show_failure(error: FindspotError, *, as_json: bool) -> None:
    """Shows why a command failed."""
    if as_json:
        details = {"reason": error.reason.value, "message": error.message, "metadata": error.metadata}
        if error.fields:
            details["fields"] = {violation.field: violation.description for violation in error.fields}
        print_json({"error": details})
        return
    err.print(f"[bold red]error[/] {escape(error.message)} [dim]({error.reason.value})[/]")
    for violation in error.fields:
        if violation.description not in error.message:
            err.print(f"      {escape(violation.field)}: {escape(violation.description)}")


def exit_code(error: FindspotError) -> int:
    """The command's exit code for a failure."""
    if isinstance(error, InvalidArgument):
        return 2
    if isinstance(error, NotFound):
        return 4
    return 5 if isinstance(error, Unavailable) else 1


def print_json(content: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def as_dict(message: Message) -> dict[str, Any]:
    """A message as JSON knows it: field names as in the protos, absent optional fields left out."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def escape(text: str) -> str:
    """Text that is shown as it is: no markup, and no control character that would drive the terminal."""
    shown = "".join(char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}" for char in text)
    return markup.escape(shown)
