"""Bytes to text: byte order marks, UTF-8, then a guess; never a lone surrogate, never a silent loss."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

from findspot.model import Notice

_MARKS = (
    # UTF-32 first: its little-endian mark begins with the one of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 65_536
# What browsers take these labels for: pages that claim them hold characters outside the named set.
_LABELS = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}
_LABELS |= {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "ks_c_5601-1987": "cp949"}
_LABELS |= {"euc-kr": "cp949", "big5": "big5hkscs", "iso-8859-9": "cp1254", "tis-620": "cp874"}
_BY_LANGUAGE = {
    "ru": ("cp1251", "koi8_r", "cp866", "iso8859_5"),
    "uk": ("cp1251", "koi8_u", "cp866"),
    "bg": ("cp1251", "cp866"),
    "ja": ("cp932", "euc_jp", "iso2022_jp"),
    "zh": ("gb18030", "big5hkscs"),
    "ko": ("cp949",),
    "el": ("cp1253", "iso8859_7"),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "th": ("cp874",),
    "tr": ("cp1254",),
    "pl": ("cp1250", "iso8859_2"),
    "cs": ("cp1250", "iso8859_2"),
    "hu": ("cp1250", "iso8859_2"),
}
# Where several encodings fit a file equally well, the one that such files mostly are in.
_USUAL = ("cp1252", "cp1251", "cp1250", "koi8_r", "cp866", "cp932", "gb18030", "cp949", "big5hkscs", "cp1254")
_TRIED = (
    *_USUAL,
    *(
        "cp1253",
        "cp1255",
        "cp1256",
        "cp1257",
        "cp1258",
        "cp874",
        "koi8_u",
        "euc_jp",
        "iso2022_jp",
        "iso8859_2",
    ),
    *("iso8859_5", "iso8859_7", "cp437", "cp850", "mac_roman"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the Python name of the encoding it was in, and what a caller should know about the decoding."""

    text: str
    encoding: str
    warnings: tuple[Notice, ...] = ()


def decode(data: bytes, *, declared: str = "", language: str = "") -> Decoded:
    """Decode a whole file. A byte order mark is no part of the text; NUL and invalid bytes become U+FFFD.

    `declared` is what the file says of itself (an HTML meta, an XML declaration); `language` (BCP 47) settles
    which of several possible encodings is taken. Both are hints: bytes that are strict UTF-8 stay UTF-8.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], encoding)
    wide = _wide_encoding(data)
    if wide:
        return _lenient(data, wide)
    try:
        return _finish(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data, declared, language)


def looks_like_text(data: bytes) -> bool:
    """True when the bytes decode to something a person can read: few control characters, few replacements."""
    sample = data[:_SAMPLE]
    if any(sample.startswith(mark) for mark, _ in _MARKS) or _wide_encoding(sample):
        return True
    controls = sum(sample.count(bytes((code,))) for code in range(32) if code not in (9, 10, 12, 13, 27))
    if controls > len(sample) // 100 + (1 if len(sample) < 100 else 0):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        # Not UTF-8: single-byte text has few of the control characters 0x80-0x9F and many letters.
        letters = sum(sample.count(bytes((code,))) for code in (*range(65, 91), *range(97, 123), 32))
        return letters * 4 > len(sample) or controls == 0
    return True


def _lenient(data: bytes, encoding: str, name: str = "") -> Decoded:
    text = data.decode(encoding, errors="replace")
    replaced = text.count("\ufffd")
    if replaced:
        # The file may hold U+FFFD of its own: those are no loss.
        replaced -= data.decode(encoding, errors="ignore").count("\ufffd")
    return _finish(text, name or encoding, (_invalid(replaced, name or encoding),) if replaced else ())


def _invalid(count: int, encoding: str) -> Notice:
    return Notice("INVALID_BYTES", f"{count:,} byte sequences are not valid {encoding}: each became U+FFFD.")


def _finish(text: str, encoding: str, warnings: tuple[Notice, ...] = ()) -> Decoded:
    nuls = text.count("\0")
    if nuls:
        text = text.replace("\0", "\ufffd")
        warnings += (Notice("NUL_CHARACTERS", f"{nuls:,} NUL characters became U+FFFD."),)
    return Decoded(text, encoding, warnings)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark: text of the Latin script has a NUL in every other place (and is valid UTF-8)."""
    sample = data[: _SAMPLE & ~1]
    if len(sample) < 4 or len(data) % 2 or b"\0" not in sample:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    for encoding, full, bare in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if full > half * 0.4 and bare < half * 0.05:
            readable = sum(not _is_control(character) for character in sample.decode(encoding, "replace"))
            return encoding if readable > half * 0.95 else ""
    return ""


def _is_control(character: str) -> bool:
    return character < " " and character not in "\t\n\r\f\x1b"


def _not_utf8(data: bytes, declared: str, language: str) -> Decoded:
    stated = _strict(data, _codec_name(declared))
    if stated:
        return stated
    try:
        # Surrogates written as UTF-8 (CESU-8): pairs are joined, lone ones replaced.
        paired = data.decode("utf-8", errors="surrogatepass").encode("utf-16-le", errors="surrogatepass")
        return _lenient(paired, "utf-16-le", "utf-8")
    except UnicodeDecodeError:
        mostly = _mostly_utf8(data)
    return mostly or _guess(data, language)


def _codec_name(label: str) -> str:
    label = label.strip().strip("\"'").lower()
    if not label or label in ("utf-8", "utf8", "unicode") or label.startswith(("utf-16", "utf-32", "utf-7")):
        return ""
    try:
        return codecs.lookup(_LABELS.get(label, label)).name
    except LookupError:
        return ""


def _strict(data: bytes, encoding: str) -> Decoded | None:
    if not encoding:
        return None
    try:
        text = data.decode(encoding)
    except (UnicodeError, LookupError):
        return None
    # A codec that is no character encoding (`zip`, `hex`) does not give text.
    return _finish(text, encoding) if isinstance(text, str) else None


def _mostly_utf8(data: bytes) -> Decoded | None:
    """A UTF-8 file with a few broken places: far more valid multi-byte characters than invalid bytes."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    wide = len(text) - broken - _ascii_count(data)
    return _lenient(data, "utf-8") if wide >= broken * 3 else None


def _ascii_count(data: bytes) -> int:
    return len(data.translate(None, delete=bytes(range(128, 256))))


def _guess(data: bytes, language: str) -> Decoded:
    preferred = (*_BY_LANGUAGE.get(language.split("-")[0].lower(), ()), *_USUAL)
    decoded = _lenient(data, _likeliest(data, preferred))
    notice = Notice("ENCODING_GUESSED", f"The file is not UTF-8 and was read as {decoded.encoding}.")
    return Decoded(decoded.text, decoded.encoding, (notice, *decoded.warnings))


def _likeliest(data: bytes, preferred: Sequence[str]) -> str:
    from charset_normalizer import from_bytes

    matches = list(from_bytes(data[: 16 * _SAMPLE], cp_isolation=list(_TRIED)))
    best = matches[0] if matches else None
    near: set[str] = set()
    for match in matches:
        if best and match.chaos <= best.chaos + 0.02 and match.coherence >= best.coherence - 0.1:
            near.update((match.encoding, *match.could_be_from_charset))
    usual = next((name for name in preferred if name in near), "")
    return usual or (best.encoding if best else preferred[0])
