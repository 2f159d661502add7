"""Fingerprints: a number for a world that is the same in every process, on every machine and Python.

A world's canonical bytes are its cells, each less its lowest value, packed low bits first in the order of
the declarations into a number that is written in little-endian words of eight bytes. Its fingerprint is the
128-bit xxh3 of them. The digest of a set of worlds is the sum of their fingerprints, which no order of
visiting changes.
"""

from collections.abc import Iterable
from typing import Final

from xxhash import xxh3_128_intdigest

_WORD_BYTES: Final = 8
_MODULUS: Final = 1 << 128


def count_bytes(bits: int) -> int:
    """Compute how many bytes the canonical form of so many bits has: whole words, at least one."""
    return _WORD_BYTES * max(1, -(-bits // (8 * _WORD_BYTES)))


def fingerprint(packed: int, byte_count: int) -> int:
    """Compute the fingerprint of a packed world."""
    return xxh3_128_intdigest(packed.to_bytes(byte_count, "little"))


def add_fingerprint(digest: int, packed: int, byte_count: int) -> int:
    """Compute the digest of a set with one more world."""
    return (digest + fingerprint(packed, byte_count)) % _MODULUS


def digest(worlds: Iterable[int], byte_count: int) -> int:
    """Compute the digest of a set of packed worlds."""
    return sum(fingerprint(packed, byte_count) for packed in worlds) % _MODULUS


def format_digest(value: int) -> str:
    """Write a digest as 32 hexadecimal digits."""
    return f"{value:032x}"
