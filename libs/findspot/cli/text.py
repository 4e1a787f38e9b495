"""`findspot text`: the full text of a document."""

from __future__ import annotations

from typing import Annotated

import typer

from findspot.cli.documents import find_document
from findspot.cli.output import Data, Json, as_dict, err, print_json, print_text, reported
from findspot.client import connect_sync


@reported
def text(
    document: Annotated[str, typer.Argument(help="Path of the document, as search shows it, or its id.")],
    start: Annotated[int, typer.Option(min=0, help="First character.")] = 0,
    length: Annotated[int, typer.Option(min=0, help="At most so many characters; 0 for all.")] = 0,
    data: Data = None,
    json_: Json = False,
) -> None:
    """Print the text that was extracted from a document."""
    with connect_sync(data) as client:
        place = find_document(client, document)
        answer = client.text(place, start=start, max_length=length)
        if json_:
            print_json(as_dict(answer))
            return
        print_text(answer.text)
        while not length and answer.HasField("next_start"):
            answer = client.text(place, start=answer.next_start)
            print_text(answer.text)
        if not answer.text.endswith("\n"):
            print_text("\n")
        if answer.HasField("next_start"):
            err.print(
                f"[dim]{answer.next_start} of {answer.total_length} characters; go on with --start {answer.next_start}[/]"
            )
