"""Which words of a query are names of a program."""

from __future__ import annotations

import pytest

from findspot_query.identifiers import query_identifiers


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("how is the configuration read", set()),
        ("p53 and H2O in the USA", set()),
        ("where is parseHTTPConfig called", {"parsehttpconfig"}),
        ("parse_http_config", {"parsehttpconfig"}),
        ("open() a file", {"open"}),
        ("os.path.join", {"os.path.join"}),
        ("session.get_value() fails", {"session.getvalue", "getvalue"}),
        ("e.g. this", set()),
        ("a gRPC call on macOS", set()),
        ("sum() of it", set()),
    ],
)
def test_names_are_told_from_words(query: str, names: set[str]) -> None:
    assert query_identifiers(query) == names
