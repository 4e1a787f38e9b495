"""Positions convert to bytes and UTF-16 units and back, for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot.model import Span
from findspot_query.hydrate import around
from findspot_query.offsets import TextUnits
from findspot_query.request import OffsetUnit

_ENCODED = {
    OffsetUnit.CODE_POINT: ("utf-32-le", 4),
    OffsetUnit.UTF8_BYTE: ("utf-8", 1),
    OffsetUnit.UTF16_UNIT: ("utf-16-le", 2),
}
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(_TEXTS, st.integers(1, 400), st.sampled_from(list(OffsetUnit)), st.data())
def test_a_range_cuts_the_encoded_text_as_it_cuts_the_text(
    text: str, times: int, unit: OffsetUnit, data: st.DataObject
) -> None:
    text *= times
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    encoding, width = _ENCODED[unit]
    units = TextUnits(text, unit)
    span = units.span(start, end)
    assert text.encode(encoding)[span.start * width : span.end * width].decode(encoding) == text[start:end]
    assert units.inside(span.start) == start
    assert units.inside(span.end) == end


@given(_TEXTS, st.integers(-5, 500), st.sampled_from(list(OffsetUnit)))
def test_positions_inside_a_character_or_outside_the_text_are_brought_to_one(
    text: str, position: int, unit: OffsetUnit
) -> None:
    units = TextUnits(text, unit)
    inside = units.inside(position)
    assert 0 <= inside <= len(text)
    if 0 <= position <= units.outside(len(text)):
        assert units.outside(inside) <= position


@pytest.mark.parametrize("hit", [Span(100, 200), Span(5_000, 6_000), Span(9_800, 9_900)])
def test_a_long_section_is_cut_around_its_hit(hit: Span) -> None:
    text = "".join(chr(97 + number % 26) for number in range(12_000))
    found = around(text, Span(50, 10_000), hit)
    assert (len(found.text), found.cut) == (4_000, True)
    assert text[hit.start : hit.end] in found.text
    assert found.text in text[50:10_000]
    whole = around(text, Span(50, 4_050), Span(100, 200))
    assert (whole.text, whole.cut) == (text[50:4_050], False)
