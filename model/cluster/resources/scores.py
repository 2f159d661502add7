"""How well a node would be filled: the two scores of fit."""

from __future__ import annotations

import math
from typing import Final

from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.powers import raise_ten

MAX_FIT: Final = 18.0
"""The greatest score, and what a score is divided by to lie between 0 and 1."""


def compute_binpack(capacity: Amounts, used: Amounts) -> float:
    """Score how full a node would be, from 0 (empty) to 18 (exactly full or more).

    Spec: RANK-45, RANK-46, RANK-48.
    """
    return _clamp(20.0 - _sum_free_powers(capacity, used))


def compute_spread(capacity: Amounts, used: Amounts) -> float:
    """Score how empty a node would be, from 0 (exactly full or more) to 18 (empty).

    Spec: RANK-45, RANK-47, RANK-48.
    """
    return _clamp(_sum_free_powers(capacity, used) - 2.0)


def normalise(score: float) -> float:
    """Bring a score of fit between 0 and 1, which is what a ranked node is given."""
    return score / MAX_FIT


def _sum_free_powers(capacity: Amounts, used: Amounts) -> float:
    free_cpu = 1.0 - _divide(used.cpu_mhz, capacity.cpu_mhz)
    free_memory = 1.0 - _divide(used.memory_mb, capacity.memory_mb)
    return raise_ten(free_cpu) + raise_ten(free_memory)


def _clamp(score: float) -> float:
    if score > MAX_FIT:
        return MAX_FIT
    return max(score, 0.0)  # what is no number stays none


def _divide(part: int, whole: int) -> float:
    if whole:
        return float(part) / float(whole)
    return math.copysign(math.inf, part) if part else math.nan
