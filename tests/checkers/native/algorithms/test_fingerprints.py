"""Fingerprints as Python are those of the library, and those of machine code."""

from __future__ import annotations

from random import Random

import pytest

from nomadspec.checkers.native.algorithms import fingerprints
from nomadspec.checkers.native.translate.kinds import Shape
from nomadspec.model.language.fingerprint import digest
from tests.checkers.native.algorithms.both import run_both, set_shape, words_of


@pytest.mark.parametrize("lanes", range(1, fingerprints.MOST_LANES + 1))
def test_every_length_is_that_of_the_library(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random, shape = Random(lanes), Shape(lanes, lanes)
    set_shape(monkeypatch, shape)
    worlds = [random.getrandbits(64 * lanes) for _ in range(30)]

    stored = b"".join(world.to_bytes(8 * lanes, "little") for world in worlds)
    result = words_of([0, 0])
    fingerprints.digest(memoryview(stored).cast("Q"), len(worlds), result)

    assert digest(worlds, 8 * lanes) == result[1] << 64 | result[0]
    lane = words_of([random.getrandbits(64) for _ in range(lanes)])
    run_both(fingerprints.compute_fingerprint, shape, lambda: [words_of(lane), words_of([0, 0])])
