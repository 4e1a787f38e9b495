"""`findspot serve NAME`: one service in this process, as containers and `findspot up` run it."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from findspot.cli.output import reported
from findspot.errors import FailedPrecondition, InvalidArgument
from findspot.suite.layout import SERVICES


@reported
def serve(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(SERVICES)}.", show_default=False)],
) -> None:
    """Run one service in this process, set up by FINDSPOT_* and findspot.toml, until Ctrl-C or SIGTERM."""
    if name not in SERVICES:
        raise InvalidArgument(f"there is no service {name!r}; the services are {', '.join(SERVICES)}")
    try:
        module = importlib.import_module(f"findspot_{name}.main")
    except ModuleNotFoundError as error:
        message = f"the service {name} lacks the package {error.name!r}; install findspot[{name}]"
        raise FailedPrecondition(message) from error
    module.main()
