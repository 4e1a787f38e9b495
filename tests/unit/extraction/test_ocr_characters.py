"""From the columns of the recognition model to words: spaces, full width, extents."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from findspot_extraction.readers.ocr_characters import words_of_line

ALPHABET = ["blank", *"abcdefgh,.(-12一二，", " "]


def columns(text: str, spaces: dict[int, float] | None = None, step: int = 2) -> NDArray[np.float32]:
    """Each character sure in a column of its own, `step` columns apart; `spaces` adds a second thought behind the
    character of an index."""
    table = np.zeros((step * len(text) + 1, len(ALPHABET)), np.float32)
    table[:, 0] = 0.9
    for place, character in enumerate(text):
        table[step * place + 1, ALPHABET.index(character)] = 0.95
        table[step * place + 1, 0] = 0.0
    for place, probability in (spaces or {}).items():
        table[step * place + 2, -1] = probability
    return table


def words(text: str, spaces: dict[int, float] | None = None) -> list[str]:
    return [word.text for word in words_of_line(columns(text, spaces), ALPHABET, 1.0)[0]]


@pytest.mark.parametrize(
    ("text", "spaces", "expected"),
    [
        ("abcd", {}, ["abcd"]),
        ("abcd", {1: 0.3}, ["ab", "cd"]),
        ("abcd", {1: 0.03}, ["abcd"]),
        ("ab,cd", {2: 0.03}, ["ab,", "cd"]),
        ("ab,cd", {1: 0.3}, ["ab,cd"]),
        ("ab(cd", {1: 0.03}, ["ab", "(cd"]),
        ("-ab", {}, ["-", "ab"]),
        ("-12", {}, ["-12"]),
        ("一二", {0: 0.3}, ["一二"]),
        ("ab，cd", {2: 0.3}, ["ab,", "cd"]),
        ("一，二", {}, ["一，二"]),
    ],
)
def test_spaces(text: str, spaces: dict[int, float], expected: list[str]) -> None:
    assert words(text, spaces) == expected


def test_a_small_chance_of_a_space_counts_where_letters_stand_apart() -> None:
    table = columns("abcd", {1: 0.03})
    apart = np.insert(table, 4, table[0], axis=0)
    assert [word.text for word in words_of_line(apart, ALPHABET, 1.0)[0]] == ["ab", "cd"]


def test_repeated_columns_are_one_character_and_a_blank_parts_two() -> None:
    table = columns("aab")
    assert words("aab") == ["aab"]
    without_blank = np.delete(table, 2, axis=0)
    assert words_of_line(without_blank, ALPHABET, 1.0)[0][0].text == "ab"


def test_words_follow_each_other_within_the_line() -> None:
    found, confidence = words_of_line(columns("abcdefgh", {3: 0.5}), ALPHABET, 1.0)
    assert confidence == pytest.approx(0.95)
    assert [word.text for word in found] == ["abcd", "efgh"]
    first, second = found
    assert 0 <= first.start < first.end <= second.start < second.end <= 1
    assert first.end == pytest.approx(0.5, abs=0.05)


def test_columns_beyond_the_line_do_not_count() -> None:
    table = columns("abcd")
    padded = np.vstack([table, np.repeat(table[:1], len(table), axis=0)])
    [word] = words_of_line(padded, ALPHABET, 0.5)[0]
    assert word.end == pytest.approx(1.0, abs=0.15)


def test_a_line_of_nothing() -> None:
    assert words_of_line(columns("")[:1], ALPHABET, 1.0) == ((), 0.0)
