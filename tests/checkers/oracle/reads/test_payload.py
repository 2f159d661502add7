"""Payloads are packed where they are stored, and plain where one job is read."""

import pytest

from nomadspec.checkers.oracle.reads.payload import MOST_BYTES, unpack


@pytest.mark.parametrize(
    ("packed", "plain"),
    [
        (b"\x00", b""),
        (b"\x0a$frame-list", b"frame-list"),
        (b"\x08\x0cabcd\x01\x04", b"abcdabcd"),
        (b"\x07\x00a\x16\x01\x00", b"aaaaaaa"),
        (b"\x05\x00a\x0f\x01\x00\x00\x00", b"aaaaa"),
        (b"\x41\xf0\x40" + 65 * b"x", 65 * b"x"),
        (b"\x80\x02\xf4\xff\x00" + 256 * b"y", 256 * b"y"),
    ],
)
def test_a_block_is_unpacked(packed: bytes, plain: bytes) -> None:
    """WIRE-042."""
    assert unpack(packed) == plain


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\x80",
        b"\x05",
        b"\x05\x10abc",
        b"\x02\x10abcdef",
        b"\x08\x00a\x01\x09",
        b"\xff\xff\xff\x7f\x00a",
    ],
)
def test_what_is_no_block_is_not_unpacked(packed: bytes) -> None:
    assert unpack(packed) is None
    assert MOST_BYTES < 2**27
