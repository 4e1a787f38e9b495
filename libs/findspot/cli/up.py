"""`findspot up`: every service of the embedded profile under one supervisor, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from findspot.cli.output import Json, err, escape, out, print_json, reported
from findspot.suite.layout import SERVICES, Endpoints
from findspot.suite.models import model_environment
from findspot.suite.process import ServiceEvent, ServiceState
from findspot.suite.settings import (
    configured_manifest,
    configured_ports,
    load_suite_settings,
    manifest_environments,
)
from findspot.suite.supervisor import SuiteOptions, run_suite

SLOW_SECONDS = 4.0
"""A start that takes longer is explained."""
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
    manifest: Annotated[
        str,
        typer.Option(
            "--manifest",
            help="URL of the manifest, such as postgresql://USER:PASSWORD@HOST/DATABASE. Processes of others may see "
            "it here; FINDSPOT_MANIFEST and findspot.toml hide it.",
            show_default="manifest.sqlite in the folder",
        ),
    ] = "",
    json_: Json = False,
) -> None:
    """Start every service and keep it running, until Ctrl-C or SIGTERM."""
    settings = load_suite_settings(data=data or directory)
    where = manifest or configured_manifest(settings.data)
    options = SuiteOptions(
        data=settings.data.resolve(),
        registry=settings.registry,
        host=settings.host,
        configured_ports=configured_ports(settings.data),
        free_ports=free_ports,
        environments={
            "embedding": model_environment(settings.data.resolve(), where),
            **manifest_environments(where),
        },
    )
    asyncio.run(_run(options, as_json=json_))


async def _run(options: SuiteOptions, *, as_json: bool) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()

    def ready(endpoints: Endpoints) -> None:
        slow.cancel()
        if as_json:
            print_json({"ready": True, "data": str(endpoints.data), "services": endpoints.addresses})
            return
        out.print(
            f"\n[bold green]ready[/] in {loop.time() - began:.1f} s   data in {escape(str(endpoints.data))}"
        )
        out.print("next: [cyan]findspot add FOLDER[/], then [cyan]findspot search QUESTION[/]   stop: Ctrl-C")

    def stopping() -> None:
        if not as_json:
            out.print("\nstopping, once calls in flight are answered   [dim]at once: Ctrl-C again[/]")

    if not as_json:
        out.print(
            f"[bold]Findspot[/] starts {len(SERVICES)} services; logs in {escape(str(options.data / 'logs'))}"
        )
    waiting: set[str] = set()

    def report(event: ServiceEvent) -> None:
        (waiting.add if event.state is ServiceState.STARTING else waiting.discard)(event.service)
        _show(event)

    builds = not _has_model(options.data)
    slow = loop.call_later(SLOW_SECONDS, lambda: out.print(slow_start(waiting, builds_model=builds)))
    if as_json:
        slow.cancel()
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await run_suite(options, (lambda event: None) if as_json else report, ready, stopping)
    finally:
        slow.cancel()


def slow_start(waiting: Collection[str], *, builds_model: bool) -> str:
    """What a person reads while services are not ready after some seconds."""
    if builds_model and "embedding" in waiting:
        return "  [dim]the first start builds the embedding model, once; this takes 10 to 30 s[/]"
    return f"  [dim]still starting: {', '.join(sorted(waiting))}; `findspot doctor` says what is amiss[/]"


def _has_model(data: Path) -> bool:
    models = data / "models"
    return models.is_dir() and any(entry.is_dir() for entry in models.iterdir())


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
