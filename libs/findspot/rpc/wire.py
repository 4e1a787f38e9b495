"""Protobuf's wire format where it is written by hand: fields whose bytes are at hand already, packed floats for one."""

from __future__ import annotations

import struct
from collections.abc import Sequence


def delimited(field_number: int, data: bytes) -> bytes:
    """A length-delimited field: a message, a string, or a packed list, as the bytes that a parser takes for it."""
    return varint(field_number << 3 | 2) + varint(len(data)) + data


def packed_floats(values: Sequence[float]) -> bytes:
    """The content of a packed `repeated float` field: little-endian float32."""
    return struct.pack(f"<{len(values)}f", *values)


def varint(value: int) -> bytes:
    """A whole number from 0, seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
