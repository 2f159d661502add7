import os
import subprocess
import sys

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.fingerprint import (
    add_fingerprint,
    count_bytes,
    digest,
    fingerprint,
    format_digest,
)
from tests.model.language.search import search

WORLDS = [0, 1, 0b1011, 2**62 + 5]


@pytest.mark.parametrize(("bits", "count"), [(0, 8), (1, 8), (64, 8), (65, 16), (128, 16), (129, 24)])
def test_canonical_bytes_are_whole_words(bits: int, count: int) -> None:
    assert count == count_bytes(bits)


@pytest.mark.parametrize(
    ("packed", "byte_count", "expected"),
    [
        (0, 8, "2c0a8a99dc147d5445c3b49d035665b2"),
        (1, 8, "bdc94bce2eda264dbc08dc21994df8a2"),
        (1, 16, "137ec3075546cf034a4fe11e9c4a1079"),
        (2**62 + 5, 8, "16add9b157269a56e81687e43becae51"),
    ],
)
def test_fingerprints_are_pinned(packed: int, byte_count: int, expected: str) -> None:
    assert expected == format_digest(fingerprint(packed, byte_count))


def test_a_digest_does_not_depend_on_the_order() -> None:
    assert digest(WORLDS, 8) == digest(reversed(WORLDS), 8)


def test_a_digest_grows_world_by_world() -> None:
    result = digest([], 8)
    for world in WORLDS:
        result = add_fingerprint(result, world, 8)

    assert digest(WORLDS, 8) == result
    assert 0 <= result < 2**128


def test_a_digest_is_written_with_all_its_zeros() -> None:
    assert "0" * 31 + "a" == format_digest(10)


def pack(bounded: BoundedModel, cells: Cells) -> int:
    """Pack the cells of a world, each less its lowest value, low bits first."""
    packed = shift = 0
    for interval, value in zip(bounded.frame.intervals, cells, strict=True):
        packed |= (value - interval.low) << shift
        shift += interval.bits
    return packed


def test_the_digest_of_a_known_scope_is_pinned() -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": 3}, profile="intended")
    worlds = {path.cells for path in search(bounded)}
    byte_count = count_bytes(sum(interval.bits for interval in bounded.frame.intervals))

    assert (288, 8) == (len(worlds), byte_count)
    assert "22acd2d35c4445eec292bc5b6b536889" == format_digest(
        digest((pack(bounded, cells) for cells in worlds), byte_count)
    )


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_gives_the_same_digest(seed: str) -> None:
    code = f"from nomadspec.model.language.fingerprint import *; print(format_digest(digest({WORLDS}, 8)))"
    command = [sys.executable, "-c", code]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=True)

    assert format_digest(digest(WORLDS, 8)) == result.stdout.strip()
