"""The chunk lab against a real suite: what would be cut, compared, as JSON and as people see it; nothing is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.suite_process import LIBRARY, Suite

GUIDE = str(LIBRARY / "guides" / "lighthouse-keeping.md")


def test_json_holds_the_exact_chunks_and_nothing_is_stored(suite: Suite) -> None:
    before = suite.run("status", "--json").json["status"]["chunk_count"]
    answer = suite.run("chunk", GUIDE, "--size", "300", "--overlap", "40", "--json").json
    cut, text = answer["cut"], Path(GUIDE).read_text().split("\n---\n", 1)[1]
    assert (answer["document_type"], cut["strategy"], cut["size"], cut["overlap"]) == (
        "markdown",
        "semantic",
        300,
        40,
    )
    assert cut["token_cap"] == 256
    assert len(cut["chunks"]) > 4
    for chunk in cut["chunks"]:
        assert chunk["text"] == text[chunk["start"] : chunk["end"]]
        assert len(chunk["context"]) + len(chunk["text"]) <= 300
        assert 0 < chunk["token_count"] <= 256
    assert suite.run("status", "--json").json["status"]["chunk_count"] == before


def test_two_settings_are_compared_by_their_boundaries(suite: Suite) -> None:
    change = "strategy=sentence,size=120,overlap=0,characters-only"
    answer = suite.run("chunk", GUIDE, "--compare", change, "--json").json
    first, second, shared = answer["cut"], answer["compared"], answer["boundaries"]
    assert (second["strategy"], second["size"], second["token_cap"]) == ("sentence", 120, None)
    assert len(shared["both"]) + len(shared["only_first"]) == len(first["chunks"]) - 1
    assert len(shared["both"]) + len(shared["only_second"]) == len(second["chunks"]) - 1
    assert shared["only_second"]
    shown = suite.run("chunk", GUIDE, "--compare", change)
    assert f"+ {len(shared['only_second'])} only in the second" in shown.out


def test_people_see_boundaries_places_and_a_summary(suite: Suite) -> None:
    shown = suite.run("chunk", str(LIBRARY / "code" / "ration_book.py"))
    assert shown.code == 0
    assert "order_list" in shown.out
    assert "lines " in shown.out
    assert "python" in shown.out
    assert "syntactic 800/0" in shown.out
    assert "\x1b" not in shown.out


def test_the_types_are_listed_with_how_each_is_cut(suite: Suite) -> None:
    rows = {row["name"]: row for row in suite.run("types", "--json").json["document_types"]}
    assert (rows["markdown"]["strategy"], rows["markdown"]["size"], rows["markdown"]["overlap"]) == (
        "semantic",
        1000,
        100,
    )
    shown = suite.run("types").out
    assert ".markdown" in shown
    assert "recognised and not read: " in shown


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--strategy", "best"), "there is no strategy 'best'; use one of semantic,"),
        (("--size", "100", "--overlap", "100"), "must be below the size of 100"),
        (("--compare", "colour=red"), "'colour=red' changes nothing"),
        (("--type", "novel"), "novel"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(suite: Suite, options: tuple[str, ...], said: str) -> None:
    refused = suite.run("chunk", GUIDE, *options)
    assert refused.code == 2
    assert said in refused.err
    assert "Traceback" not in refused.err
