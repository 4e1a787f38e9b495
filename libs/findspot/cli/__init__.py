"""The `findspot` command: one module a subcommand, everything it shows made by `output`."""


def main() -> None:
    """Runs the command line."""
    from findspot.cli.app import app

    app()
