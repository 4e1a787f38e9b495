"""`findspot config`: every setting that is in force, and where its value comes from."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from findspot.cli.output import Data, Json, escape, out, print_json, reported
from findspot.config import ServiceSettings, load_settings, settings_table
from findspot.errors import InvalidArgument
from findspot.suite.layout import SERVICES
from findspot.suite.settings import SuiteSettings


@reported
def config(
    service: Annotated[
        str, typer.Argument(help="Only this one: suite, or a service.", show_default=False)
    ] = "",
    data: Data = None,
    json_: Json = False,
) -> None:
    """Show every setting in force, with where it comes from and what it does."""
    names = ("suite", *SERVICES)
    if service and service not in names:
        raise InvalidArgument(f"there is no {service!r}; use one of {', '.join(names)}")
    overrides: dict[str, Path] = {"data": data} if data else {}
    tables = {
        name: settings_table(load_settings(_settings_class(name), **overrides))
        for name in ([service] if service else names)
    }
    if json_:
        print_json({name: [row._asdict() for row in rows] for name, rows in tables.items()})
        return
    for name, rows in tables.items():
        table = Table(title=f"[bold]{name}[/]", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for column in ("setting", "value", "from", "what it does"):
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(escape(str(cell)) for cell in row))
        out.print(table)


def _settings_class(name: str) -> type[ServiceSettings]:
    if name == "suite":
        return SuiteSettings
    module = importlib.import_module(f"findspot_{name}.config")
    found: type[ServiceSettings] = getattr(module, f"{name.capitalize()}Settings")
    return found
