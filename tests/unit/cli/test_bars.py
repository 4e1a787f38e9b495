"""The bars of `findspot add`, drawn on a terminal of a known width."""

import io

from rich.console import Console
from rich.text import Text

from findspot.cli.bars import Bars
from findspot.v1 import common_pb2, indexing_pb2


def terminal(width: int = 80) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, soft_wrap=True, highlight=False)


def drawn(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def event(**fields: object) -> indexing_pb2.WatchIndexingResponse:
    return indexing_pb2.WatchIndexingResponse(**fields)  # type: ignore[arg-type]


def test_the_bars_are_drawn_on_a_terminal_from_the_first_file_on() -> None:
    console = terminal()
    with Bars(console, 2, quiet=False) as bars:
        bars.sent()
        bars.sent()
        bars.show(event(document_count=2, pending_document_count=1))
        bars.show(event(document_count=2, chunk_count=90, embedded_chunk_count=30, chunks_per_second=30.0))
    shown = drawn(console)
    for part in ("files sent", "2/2", "documents read", "passages embedded", "30/90", "30/s, 2 s left"):
        assert part in shown


def test_no_bar_is_wider_than_a_terminal_of_80_columns() -> None:
    console = terminal()
    with Bars(console, 50_000, quiet=False) as bars:
        bars.show(
            event(
                document_count=50_000, chunk_count=90_000, embedded_chunk_count=30_000, chunks_per_second=10.0
            )
        )
    lines = [Text.from_ansi(line).plain for line in drawn(console).split("\n")]
    assert max(len(line) for line in lines) <= 80
    assert any(line.rstrip().endswith("100 min left") for line in lines)


def test_what_the_work_waits_for_is_said_whole_and_once() -> None:
    console = terminal()
    message = (
        "the embedding service cannot be reached, and this sentence is far longer than what fits beside a bar"
    )
    failure = common_pb2.Failure(message=message)
    with Bars(console, 1, quiet=False) as bars:
        for _ in range(3):
            bars.show(event(document_count=1, chunk_count=1, blocked_by=failure))
    assert drawn(console).count(message) == 1


def test_nothing_is_drawn_where_no_terminal_is() -> None:
    console = Console(file=io.StringIO(), force_terminal=False)
    with Bars(console, 1, quiet=False) as bars:
        bars.sent()
        bars.show(event(document_count=1, chunk_count=1, blocked_by=common_pb2.Failure(message="gone")))
    assert drawn(console) == ""
