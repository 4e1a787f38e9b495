"""Front matter leaves the text and becomes metadata, as it was written."""

from __future__ import annotations

import pytest

from findspot_extraction.readers.front_matter import front_matter


def test_yaml_is_flattened_and_keeps_scalars_as_written() -> None:
    source = "---\ntitle: A\nv: 1.10\nno: no\ntags: [a, b]\nauthor:\n  name: X\nl:\n- k: 1\n---\nText"
    found = front_matter(source)
    assert source[found.end :] == "Text"
    assert found.metadata == {
        "title": "A",
        "v": "1.10",
        "no": "no",
        "tags": "a, b",
        "author.name": "X",
        "l.0.k": "1",
    }


def test_toml() -> None:
    source = '+++\r\ntitle = "A"\r\ndraft = true\r\ndate = 2024-01-02\r\n[x]\r\ny = [1, 2]\r\n+++\r\nText'
    found = front_matter(source)
    assert source[found.end :] == "Text"
    assert found.metadata == {"title": "A", "draft": "true", "date": "2024-01-02", "x.y": "1, 2"}


@pytest.mark.parametrize(
    "source",
    [
        "---\nJust a rule above\n\n---\nText",
        "---\n- a\n- b\n---\nText",
        "---\ntitle: never closed\n",
        "----\ntitle: x\n---\n",
        " ---\ntitle: x\n---\n",
        "Text\n---\ntitle: x\n---\n",
        "",
    ],
)
def test_what_is_none(source: str) -> None:
    assert front_matter(source).end == 0


def test_empty_front_matter_is_dropped() -> None:
    assert front_matter("---\n---\nText").end == 8


@pytest.mark.parametrize("body", ['title: "unclosed', "a: [" + "[" * 5_000, "a: b\n" * 20_000])
def test_what_cannot_be_read_is_left_out_with_a_warning(body: str) -> None:
    source = f"---\n{body}\n---\nText"
    found = front_matter(source)
    assert source[found.end :] == "Text"
    assert found.metadata == {}
    assert [notice.code for notice in found.warnings] == ["FRONT_MATTER_INVALID"]


def test_entries_are_bounded_and_aliases_do_not_multiply() -> None:
    many = "---\n" + "".join(f"k{number}: v\n" for number in range(600)) + "---\n"
    found = front_matter(many)
    assert len(found.metadata) == 500
    assert [notice.code for notice in found.warnings] == ["METADATA_CUT"]
    bomb = "---\na: &a [x, x, x, x, x, x, x, x, x]\n"
    for outer, inner in zip("bcdefghi", "abcdefgh", strict=True):
        bomb += f"{outer}: &{outer} [" + ", ".join([f"*{inner}"] * 9) + "]\n"
    assert len(front_matter(bomb + "---\n").metadata) == 500


def test_no_lone_surrogate_comes_out_of_an_escape() -> None:
    for value in front_matter('---\ntitle: "\\ud83d"\n---\n').metadata.values():
        value.encode()
