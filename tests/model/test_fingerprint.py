import os
import subprocess
import sys

import pytest

from nomadspec.model.fingerprint import add_fingerprint, count_bytes, digest, fingerprint, format_digest

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


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_gives_the_same_digest(seed: str) -> None:
    code = f"from nomadspec.model.fingerprint import *; print(format_digest(digest({WORLDS}, 8)))"
    command = [sys.executable, "-c", code]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=True)

    assert format_digest(digest(WORLDS, 8)) == result.stdout.strip()
