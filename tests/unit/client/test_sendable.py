"""Text that is no Unicode is refused before a call is made, by a failure with a type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from findspot.client import requests
from findspot.client.requests import At, Upload
from findspot.errors import InvalidArgument

HALF = "half \ud83d of a smile"


@pytest.mark.parametrize(
    "build",
    [
        lambda: requests.upload_messages(Upload("a", HALF, b"")),
        lambda: requests.upload_messages(Upload("a", "b.txt", b"", metadata={"note": HALF})),
        lambda: requests.check_request("a", [(HALF, "0" * 64)]),
        lambda: requests.search_request(HALF),
        lambda: requests.chunk_name(At("a", HALF)),
        lambda: requests.document_name(HALF),
        lambda: requests.text_request(At("a", HALF), 0, 0),
    ],
)
def test_half_a_character_is_refused_with_its_place(build: Callable[[], object]) -> None:
    with pytest.raises(InvalidArgument, match=r"'\\ud83d' at 5"):
        build()


def test_whole_characters_of_any_plane_are_sent() -> None:
    header, data = requests.upload_messages(Upload("a", "whole 😀.txt", b"x"))
    assert header.header.file_path == "whole 😀.txt"
    assert data.data == b"x"
