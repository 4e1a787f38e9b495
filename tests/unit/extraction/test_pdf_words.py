"""What becomes of the signs of a word before it is part of the text."""

from __future__ import annotations

import pytest

from findspot_extraction.readers.pdf.glyphs import PageWords, clean_word
from findspot_extraction.readers.pdf.hyphenation import Join, join_lines


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("o\ufb03ce", "office"),
        ("\ufb01led", "filed"),
        ("\ufb05one", "stone"),
        ("soft\u00adhyphen", "softhyphen"),
        ("line-end\u00ad", "line-end-"),
        ("adip\ufffe", "adip-"),
        ("con\x02", "con-"),
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("\ufeb3\ufefc\ufee1", "\u0633\u0644\u0627\u0645"),
        ("\uf0b7", "•"),
        ("\U00010330", "\U00010330"),
        ("ｆｕｌｌ", "ｆｕｌｌ"),
    ],
)
def test_words_are_cleaned(raw: str, cleaned: str) -> None:
    assert clean_word(raw, PageWords(1, 100, 100, degenerate=False)) == cleaned


def test_half_a_surrogate_pair_is_replaced_and_counted() -> None:
    page = PageWords(1, 100, 100, degenerate=False)
    assert clean_word("a\ud800\ud800b", page) == "a\ufffd\ufffdb"
    assert page.unmapped == 2


@pytest.mark.parametrize(
    ("last", "first", "join"),
    [
        ("word", "word", Join.SPACE),
        ("trans-", "late", Join.DROP_HYPHEN),
        ("co-", "operate", Join.GLUE),
        ("state-of-the-", "art", Join.GLUE),
        ("1998-", "1999", Join.GLUE),
        ("FAA–2020–", "0686", Join.GLUE),
        ("-", "word", Join.SPACE),
        ("–", "word", Join.SPACE),
        ("Jean-", "Paul", Join.GLUE),
        ("Haupt-", "und", Join.SPACE),
        ("and/", "or", Join.SPACE),
        ("http://a.b/", "c", Join.GLUE),
        ("日本語の", "文章", Join.GLUE),
        ("ゾルゲ", "and", Join.SPACE),
        ("한국어", "문장", Join.SPACE),
    ],
)
def test_lines_are_joined(last: str, first: str, join: Join) -> None:
    assert join_lines(last, first, {"co-operate"}.__contains__) is join
