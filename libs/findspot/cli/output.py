"""What commands show: tables and colour for people, JSON for programs, one sentence and a code for failures."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import markup
from rich.console import Console

from findspot.errors import FailedPrecondition, FindspotError, InvalidArgument, NotFound, Reason, Unavailable

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

_DRIVES = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON leaves as it is and a terminal may obey (C1 controls, changes of direction) or cannot encode."""
_HARMLESS = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060"
"""Invisible characters that writing needs: soft hyphens, joiners of Persian and of emoji, marks of direction."""

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
        except UnicodeEncodeError as error:
            # Bytes of an argument that are no UTF-8 arrive as lone surrogates, which no message can carry.
            bad = InvalidArgument(f"{error.object!r} is not UTF-8; write it in UTF-8")
            show_failure(bad, as_json=bool(kwargs.get("json_", False)))
            raise typer.Exit(2) from error
        except BrokenPipeError:
            raise  # the reader of a pipe went away; click ends the command for it
        except OSError as error:
            what = f"{error.filename}: " if error.filename else ""
            cannot = FailedPrecondition(f"{what}{error.strerror or error}", reason=Reason.SOURCE_UNREADABLE)
            show_failure(cannot, as_json=bool(kwargs.get("json_", False)))
            raise typer.Exit(1) from error
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
    """One JSON document on standard output, with every character escaped that could drive a terminal."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    sys.stdout.write(_DRIVES.sub(lambda char: f"\\u{ord(char[0]):04x}", text) + "\n")


def print_text(text: str) -> None:
    """Text as it is, for files and pipes; on a terminal without what would drive it."""
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def as_dict(message: Message) -> dict[str, Any]:
    """A message as JSON knows it: field names as in the protos, absent optional fields left out."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def escape(text: str) -> str:
    """Text that is shown as it is: no markup, and no control character that would drive the terminal."""
    return markup.escape(printable(text))


def counted(count: int, what: str) -> str:
    """A count with its noun, in the plural where it is not one."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def printable(text: str) -> str:
    """The same where no markup is read."""
    return "".join(
        char if char.isprintable() or char in "\n\t" or char in _HARMLESS else _named(char) for char in text
    )


def shortened(text: str, most: int = 200) -> str:
    """What somebody typed as an error quotes it: its beginning, and how long it was."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def _named(char: str) -> str:
    if char.isspace():  # the return of CRLF, no-break spaces, form feeds
        return " "
    return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
