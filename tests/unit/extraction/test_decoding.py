"""Bytes become text without guessing where they need no guess, and without silent loss."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findspot_extraction.readers.decoding import decode, looks_like_text

GERMAN = "Der Kühlkreislauf wird über das Entlüftungsventil gefüllt, danach ist der Druck zu prüfen."
RUSSIAN = "Насос запускается после открытия клапана, затем проверяется давление в системе."
JAPANESE = "水位が上がったので、係員はすぐに弁を閉じた。次に記録を書いた。"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_mark_decides_and_is_no_text(mark: bytes, encoding: str) -> None:
    decoded = decode(mark + f"é{JAPANESE}\r\n".encode(encoding))
    assert (decoded.text, decoded.encoding, decoded.warnings) == (f"é{JAPANESE}\r\n", encoding, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_mark_is_known_by_its_nul_bytes(encoding: str) -> None:
    decoded = decode(GERMAN.encode(encoding))
    assert (decoded.text, decoded.encoding) == (GERMAN, encoding)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf8_is_taken_as_it_is(text: str) -> None:
    data = text.encode()
    decoded = decode(data)
    # Text in UTF-8 that begins like another encoding's mark cannot be: those bytes are not UTF-8.
    assert decoded.text == text
    assert decoded.encoding == "utf-8"


@pytest.mark.parametrize(
    ("text", "encoding", "language"),
    [
        (GERMAN, "cp1252", ""),
        ("café", "cp1252", ""),
        ("“quoted” — dash", "cp1252", "en"),
        (RUSSIAN, "cp1251", ""),
        (RUSSIAN, "koi8_r", "ru"),
        (RUSSIAN, "cp866", ""),
        (JAPANESE, "cp932", "ja"),
        (JAPANESE, "euc_jp", "ja"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy a vrátil se domů.", "cp1250", ""),
        ("Árvíztűrő tükörfúrógép és még néhány szó.", "cp1250", "hu"),
        ("£5 price", "cp1252", ""),
        ("Zażółć gęślą jaźń i więcej słów polskich", "cp1250", "pl"),
    ],
)
def test_other_encodings_are_guessed_and_the_guess_is_told(text: str, encoding: str, language: str) -> None:
    decoded = decode(text.encode(encoding), language=language)
    assert decoded.text == text
    assert [notice.code for notice in decoded.warnings] == ["ENCODING_GUESSED"]


def test_a_stated_charset_wins_over_a_guess_and_loses_against_utf8() -> None:
    assert decode(RUSSIAN.encode("koi8_r"), declared="KOI8-R").text == RUSSIAN
    assert decode(RUSSIAN.encode(), declared="koi8-r").text == RUSSIAN
    assert decode("£5 each".encode("cp1252"), declared="no-such-charset").text == "£5 each"
    assert decode(b"caf\xe9", declared="hex").text == "café"


def test_invalid_bytes_are_counted() -> None:
    decoded = decode("ä ö ü é è ê ñ ç".encode() + b"\xff tail \xff")
    assert decoded.text == "ä ö ü é è ê ñ ç\ufffd tail \ufffd"
    assert [notice.code for notice in decoded.warnings] == ["INVALID_BYTES"]
    assert decoded.warnings[0].message.startswith("2 ")


def test_replacement_characters_of_the_file_are_no_loss() -> None:
    assert decode("kept \ufffd as it is".encode()).warnings == ()


def test_surrogates_written_as_utf8_are_joined_or_replaced() -> None:
    lone = decode("ok \ud83d tail".encode("utf-8", "surrogatepass"))
    assert lone.text == "ok \ufffd tail"
    assert lone.warnings[0].code == "INVALID_BYTES"
    pair = decode("\ud83d\ude00".encode("utf-8", "surrogatepass"))
    assert (pair.text, pair.warnings) == ("😀", ())


def test_nul_is_replaced_and_counted() -> None:
    decoded = decode(b"pump\0station nine\n")
    assert decoded.text == "pump\ufffdstation nine\n"
    assert decoded.warnings[0].code == "NUL_CHARACTERS"


@given(st.binary())
def test_any_bytes_decode_to_valid_text(data: bytes) -> None:
    decode(data).text.encode()


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE, "", "x", "\x1b[31mred\x1b[0m"])
def test_text_looks_like_text(text: str) -> None:
    assert looks_like_text(text.encode())
    assert looks_like_text(text.encode("utf-16"))


@pytest.mark.parametrize("data", [bytes(range(256)), b"\x89PNG\r\n\x1a\n" + bytes(100), b"\0" * 50])
def test_binary_data_does_not(data: bytes) -> None:
    assert not looks_like_text(data)
