"""What the kills and the race hold the index to: too little and they find nothing, too much and they cry wolf."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from tests.crash.book import Book
from tests.crash.documents import Version, edited, written
from tests.race.history import Ending, Write, lost_updates, possible_ends

A, B, C = (written(random.Random(number)) for number in range(3))


def write(version: Version | None, began: float, ended: float, ending: Ending = Ending.DONE) -> Write:
    return Write("a.txt", version, began, ended, ending)


def test_an_answer_decides_and_a_call_without_one_leaves_it_open() -> None:
    book = Book("crash/sent")
    book.acknowledged("a.txt", A)
    assert book.present() == ["a.txt"]
    book.unanswered("a.txt", B)
    assert book.of("a.txt").allowed() == [A, B]
    assert book.present() == book.absent() == []
    book.seen("a.txt", B)
    assert book.of("a.txt").allowed() == [B]
    assert A in book.of("a.txt").former
    book.acknowledged("a.txt", None)
    assert book.absent() == ["a.txt"]
    assert book.of("a.txt").former == [A, B]


@given(st.integers(0, 10_000))
def test_every_version_has_words_of_its_own(seed: int) -> None:
    chance = random.Random(seed)
    before = written(chance)
    after = edited(before, chance)
    assert after != before
    assert after.names != before.names
    assert all(name in after.text.lower() for name in after.names)
    assert len(after.names) == len(after.paragraphs)


def test_the_last_of_writes_in_order_is_the_end() -> None:
    assert possible_ends([write(A, 0, 1), write(B, 2, 3)]) == [B]
    assert possible_ends([write(B, 2, 3), write(None, 4, 5)]) == [None]


def test_of_writes_at_the_same_time_each_may_be_the_end() -> None:
    assert possible_ends([write(A, 0, 3), write(B, 2, 4)]) == [A, B]
    assert possible_ends([write(A, 0, 1), write(B, 2, 5), write(C, 4, 6)]) == [B, C]


def test_refused_writes_do_nothing_and_open_ones_perhaps() -> None:
    assert possible_ends([write(A, 0, 1), write(B, 2, 3, Ending.REFUSED)]) == [A]
    assert possible_ends([write(A, 0, 1), write(B, 2, 3, Ending.OPEN)]) == [A, B]
    assert possible_ends([write(B, 2, 3, Ending.OPEN)]) == [None, B]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=6), st.randoms())
def test_what_some_serial_order_gives_is_possible(
    spans: list[tuple[int, int]], chance: random.Random
) -> None:
    writes = [
        write(written(random.Random(number)), began, began + length)
        for number, (began, length) in enumerate(spans)
    ]
    moments = [(chance.uniform(one.began, one.ended), one.version) for one in writes]
    assert max(moments, key=lambda moment: moment[0])[1] in possible_ends(writes)


def test_two_writes_that_replaced_the_same_generation_are_a_lost_update() -> None:
    first = Write("a.txt", A, 0, 1, Ending.DONE, over=4)
    refused = Write("a.txt", B, 0, 1, Ending.REFUSED, over=4)
    assert lost_updates([first, refused]) == []
    assert lost_updates([first, Write("a.txt", B, 0, 1, Ending.DONE, over=4)]) != []
    assert lost_updates([first, Write("b.txt", B, 0, 1, Ending.DONE, over=4)]) == []
