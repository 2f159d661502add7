"""The scores of fit (RANK-45 to RANK-48)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.resources.amounts import Amounts
from nomadspec.model.cluster.resources.scores import compute_binpack, compute_spread, normalise


@pytest.mark.parametrize(
    ("capacity", "used", "binpack", "spread"),
    [
        ((2048, 4096), (2048, 4096), 1.0, 0.0),
        ((2048, 4096), (0, 0), 0.0, 1.0),
        ((2048, 4096), (1024, 2048), 0.759746926648, 0.240253073352),
        ((3072, 3072), (1024, 1024), 0.595379018487, 0.404620981513),
        ((3900, 7936), (500, 256), 0.181780641197, 0.818219358803),
        ((3900, 7936), (2500, 4256), 0.822542453332, 0.177457546668),
        ((3900, 7936), (4500, 9000), 1.0, 0.0),
    ],
)
def test_worked_examples(
    capacity: tuple[int, int], used: tuple[int, int], binpack: float, spread: float
) -> None:
    there = Amounts(cpu_mhz=capacity[0], memory_mb=capacity[1])
    taken = Amounts(cpu_mhz=used[0], memory_mb=used[1])

    assert binpack == pytest.approx(normalise(compute_binpack(there, taken)), abs=1e-12)
    assert spread == pytest.approx(normalise(compute_spread(there, taken)), abs=1e-12)


def test_a_node_that_has_nothing_left_has_no_score() -> None:
    """Nothing of nothing is no number, and something of nothing is more than full."""
    assert math.isnan(compute_binpack(Amounts(), Amounts()))
    assert 18.0 == compute_binpack(Amounts(), Amounts(cpu_mhz=1, memory_mb=1))


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_two_scores_add_up_to_the_maximum(cpu: int, memory: int, used_cpu: int, used_memory: int) -> None:
    there = Amounts(cpu_mhz=cpu, memory_mb=memory)
    taken = Amounts(cpu_mhz=used_cpu, memory_mb=used_memory)

    assert 18.0 == pytest.approx(compute_binpack(there, taken) + compute_spread(there, taken))
