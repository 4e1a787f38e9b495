"""Damages files: bits, numbers, cuts, and parts of others; inside of packages and pictures with checksums that hold."""

from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence

PACKAGES = frozenset({"docx", "pptx", "xlsx", "ods", "epub"})
"""Formats that are ZIP archives."""
_PNG = b"\x89PNG\r\n\x1a\n"
_NUMBER = re.compile(rb"\d+")
_EXTREMES = (
    b"0",
    b"-1",
    b"1",
    b"65535",
    b"2147483647",
    b"4294967296",
    b"99999999999999999999",
    b"1e308",
    b"",
)


def mutated(chance: random.Random, form: str, seeds: Sequence[bytes]) -> tuple[bytes, str]:
    """A damaged file made of one or two of `seeds`, and how it was damaged. The same chance gives the same file."""
    seed = chance.choice(seeds)
    if form in PACKAGES and chance.random() < 0.7:
        return _in_a_member(chance, seed, chance.choice(seeds))
    if form == "png" and chance.random() < 0.6:
        return _in_a_png_chunk(chance, seed)
    return _damaged(chance, seed, chance.choice(seeds))


def _damaged(chance: random.Random, data: bytes, other: bytes) -> tuple[bytes, str]:
    damage = chance.choice(_DAMAGES)
    return damage(chance, data, other), damage.__name__.strip("_")


def _bit_flips(chance: random.Random, data: bytes, other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(2 ** chance.randrange(8)):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _truncation(chance: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _splice(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one and the end of the other."""
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _transplant(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """A part of the other over as much of this one."""
    start, length = chance.randrange(len(other) + 1), chance.randrange(1, 4096)
    part = other[start : start + length]
    place = chance.randrange(len(data) + 1)
    return data[:place] + part + data[place + len(part) :]


def _repetition(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """A part of it many times over."""
    start, length = chance.randrange(len(data) + 1), chance.randrange(1, 256)
    return data[:start] + data[start : start + length] * chance.randrange(2, 400) + data[start + length :]


def _removal(chance: random.Random, data: bytes, other: bytes) -> bytes:
    start, length = chance.randrange(len(data) + 1), chance.randrange(1, 2048)
    return data[:start] + data[start + length :]


def _extreme_numbers(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """Numbers that are written in digits, made as large, small or absent as nobody expects."""
    share = chance.choice((0.002, 0.02, 0.2))
    return _NUMBER.sub(
        lambda found: chance.choice(_EXTREMES) if chance.random() < share else found.group(), data
    )


_DAMAGES: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    _bit_flips,
    _truncation,
    _splice,
    _transplant,
    _repetition,
    _removal,
    _extreme_numbers,
)


def _in_a_member(chance: random.Random, data: bytes, other: bytes) -> tuple[bytes, str]:
    """One to three members of a package damaged, and packed again: what flips in an archive dies of its checksums."""
    members, others = _members(data), _members(other)
    hows = []
    for _ in range(chance.randrange(1, 4)):
        name = chance.choice(sorted(members))
        donor = others[name] if name in others else others[chance.choice(sorted(others))]
        members[name], how = _damaged(chance, members[name], donor)
        hows.append(how)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            # The type of OpenDocument files and books is recognised by a member that is not compressed.
            how_packed = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, how_packed)
    return packed.getvalue(), "members: " + ", ".join(sorted(set(hows)))


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _in_a_png_chunk(chance: random.Random, data: bytes) -> tuple[bytes, str]:
    """A chunk of a picture damaged, with a checksum that holds."""
    chunks, place = [], len(_PNG)
    while place + 12 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        chunks.append((data[place + 4 : place + 8], data[place + 8 : place + 8 + length]))
        place += 12 + length
    number = chance.randrange(len(chunks))
    kind, body = chunks[number]
    chunks[number] = kind, _bit_flips(chance, body, body)
    written = (
        len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        for kind, body in chunks
    )
    return _PNG + b"".join(written), "chunk"
