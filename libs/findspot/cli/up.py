"""`findspot up`: every service of the embedded profile under one supervisor, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer

from findspot.cli.output import Json, err, escape, out, print_json, reported
from findspot.suite.layout import SERVICES, Endpoints
from findspot.suite.process import ServiceEvent, ServiceState
from findspot.suite.settings import configured_ports, load_suite_settings
from findspot.suite.supervisor import SuiteOptions, run_suite

_COLOURS = {
    ServiceState.READY: "green",
    ServiceState.CRASHED: "yellow",
    ServiceState.GIVEN_UP: "bold red",
    ServiceState.STOPPED: "dim",
}


@reported
def up(
    directory: Annotated[
        Path | None, typer.Argument(help="The suite's folder, like --data.", show_default=False)
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="Folder for everything the suite stores.", show_default="~/.local/share/findspot"
        ),
    ] = None,
    free_ports: Annotated[
        bool, typer.Option("--free-ports", help="Take any free ports instead of the usual 7411 to 7416.")
    ] = False,
    json_: Json = False,
) -> None:
    """Start every service and keep it running, until Ctrl-C or SIGTERM."""
    settings = load_suite_settings(data=data or directory)
    options = SuiteOptions(
        data=settings.data.resolve(),
        registry=settings.registry,
        host=settings.host,
        configured_ports=configured_ports(settings.data),
        free_ports=free_ports,
    )
    asyncio.run(_run(options, as_json=json_))


async def _run(options: SuiteOptions, *, as_json: bool) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()

    def ready(endpoints: Endpoints) -> None:
        if as_json:
            print_json({"ready": True, "data": str(endpoints.data), "services": endpoints.addresses})
            return
        out.print(
            f"\n[bold green]ready[/] in {loop.time() - began:.1f} s   data in {escape(str(endpoints.data))}"
        )
        out.print("next: [cyan]findspot add FOLDER[/], then [cyan]findspot search QUESTION[/]   stop: Ctrl-C")

    if not as_json:
        out.print(
            f"[bold]Findspot[/] starts {len(SERVICES)} services; logs in {escape(str(options.data / 'logs'))}"
        )
    with contextlib.suppress(asyncio.CancelledError):
        await run_suite(options, (lambda event: None) if as_json else _show, ready)


def _show(event: ServiceEvent) -> None:
    if event.state is ServiceState.STARTING:
        return
    colour = _COLOURS[event.state]
    line = f"  [{colour}]{event.state:<8}[/] {event.service:<11}"
    if event.state is ServiceState.READY:
        line += f"{event.address:<18} [dim]{event.seconds:5.1f} s   process {event.pid}[/]"
    if event.message:
        line += escape(event.message)
    if event.state is ServiceState.CRASHED:
        line += f"; starting again in {event.seconds:.1f} s"
    console = err if event.state in {ServiceState.CRASHED, ServiceState.GIVEN_UP} else out
    console.print(line)
