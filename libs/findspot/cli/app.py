"""The command's tree: its subcommands and their help."""

from __future__ import annotations

import typer

from findspot.cli import (
    add,
    chunk,
    config,
    doctor,
    models,
    operations,
    read,
    reindex,
    removing,
    repair,
    search,
    serve,
    status,
    sync,
    text,
    types,
    up,
)
from findspot.cli.output import EXIT_CODES

app = typer.Typer(
    name="findspot",
    help="Finds passages in your documents, each with the place it came from.",
    epilog="Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + ".",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("up")(up.up)
app.command("add")(add.add)
app.command("sync")(sync.sync)
app.command("search")(search.search)
app.command("read")(read.read)
app.command("text")(text.text)
app.command("chunk")(chunk.chunk)
app.command("status")(status.status)
app.add_typer(models.models, name="models")
app.command("reindex")(reindex.reindex)
app.command("operations")(operations.operations)
app.command("delete")(removing.delete)
app.command("purge")(removing.purge)
app.command("doctor")(doctor.doctor)
app.command("repair")(repair.repair)
app.command("types")(types.types)
app.command("config")(config.config)
app.command("serve")(serve.serve)
