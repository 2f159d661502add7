"""Unpacks the payload of a dispatched job, which is stored packed and read plain."""

from __future__ import annotations

from typing import Final

MOST_BYTES: Final = 1 << 20
"""No payload is unpacked that says to be longer."""
_LITERAL: Final = 0
_LONG_LITERAL: Final = 60
_SHORT_COPY: Final = 1


def unpack(packed: bytes) -> bytes | None:
    """Unpack bytes that were packed by snappy, in one block; None where they are no such block.

    Spec: WIRE-042.
    """
    try:
        size, at = _read_size(packed)
        plain = _unpack_block(packed, at, size) if size <= MOST_BYTES else None
    except IndexError:
        return None
    return plain if plain is not None and len(plain) == size else None


def _read_size(packed: bytes) -> tuple[int, int]:
    """Read the length that stands first, seven bits a byte, the least of them first."""
    size, at = packed[0] & 0x7F, 1
    while packed[at - 1] & 0x80:
        size |= (packed[at] & 0x7F) << (7 * at)
        at += 1
    return size, at


def _unpack_block(packed: bytes, at: int, size: int) -> bytes | None:
    """Put together stretches of bytes as they are, and stretches that stood before."""
    plain = bytearray()
    while at < len(packed) and len(plain) <= size:
        tag, at = packed[at], at + 1
        kind, length = tag & 3, tag >> 2
        if kind == _LITERAL:
            if length >= _LONG_LITERAL:
                width = length - _LONG_LITERAL + 1
                length, at = int.from_bytes(packed[at : at + width], "little"), at + width
            plain += packed[at : at + length + 1]
            at += length + 1
            continue
        if kind == _SHORT_COPY:
            back, length, at = (tag >> 5) << 8 | packed[at], (length & 7) + 4, at + 1
        else:
            width = 2 if kind == _SHORT_COPY + 1 else 4
            back, length, at = int.from_bytes(packed[at : at + width], "little"), length + 1, at + width
        if not 0 < back <= len(plain):
            return None
        for _ in range(length):
            plain.append(plain[-back])
    return bytes(plain)
