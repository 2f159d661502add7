"""Tests of `model/cluster/entities/scalar.py`."""

import pytest
from msgspec import Struct

from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.entities.scalar import (
    NS_PER_MS,
    NS_PER_S,
    NS_PER_US,
    ByteList,
    Instant,
    Int8,
    Uint8,
    Uint16,
    Uint64,
)
from nomadspec.model.errors import InputError


class Numbers(Struct, frozen=True, kw_only=True):
    """One field of each kind."""

    weight: Int8 = 0
    percent: Uint8 = 0
    core: Uint16 = 0
    index: Uint64 = 0
    at_ns: Instant = 0
    nodes: ByteList = ()


def test_units_of_time_are_counted_in_nanoseconds() -> None:
    assert 1_000_000_000 == NS_PER_S == 1_000 * NS_PER_MS == 1_000_000 * NS_PER_US


def test_the_limits_belong_to_their_kind() -> None:
    """OBJ-002."""
    largest = {"Weight": 127, "Percent": 255, "Core": 65_535, "Index": 2**64 - 1}

    assert largest == write(read(Numbers, largest))
    for member, value in largest.items():
        with pytest.raises(InputError, match=f"at {member}: expected an? .*integer"):
            read(Numbers, {member: value + 1})


def test_times_and_bytes_have_a_form_of_their_own() -> None:
    """OBJ-002, WIRE-022."""
    numbers = read(Numbers, {"At": "1970-01-01T00:00:01.5Z", "Nodes": "AAE="})

    assert Numbers(at_ns=1_500_000_000, nodes=(0, 1)) == numbers
    assert {"At": "1970-01-01T00:00:01.5Z", "Nodes": [0, 1]} == write(numbers)
