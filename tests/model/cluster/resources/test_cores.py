"""Which cores a task gets (RANK-38, RANK-39)."""

from nomadspec.model.cluster.entities import Core, CpuTopology
from nomadspec.model.cluster.resources.cores import choose_cores
from tests.model.cluster.resources.making import make_cores


def test_the_lowest_free_cores_are_taken() -> None:
    topology = CpuTopology(cores=make_cores(5, disabled=[1]))

    assert ((2, 3), 2000) == choose_cores(topology, frozenset({0}), 2)


def test_their_speed_is_added_up() -> None:
    topology = CpuTopology(cores=(Core(id=0, base_speed=1000), Core(id=1, max_speed=3000)))

    assert ((0, 1), 4000) == choose_cores(topology, frozenset(), 2)


def test_too_few_are_none() -> None:
    assert choose_cores(CpuTopology(cores=make_cores(2)), frozenset({1}), 2) is None
    assert choose_cores(None, frozenset(), 1) is None


def test_cores_out_of_order_are_told_by_their_place() -> None:
    """RANK-39, 07/S-17: cores 0 and 1 are free, and what stands first and second is told."""
    topology = CpuTopology(cores=(Core(id=2, base_speed=3000), Core(id=0, base_speed=1000), Core(id=1)))

    assert ((2, 0), 4000) == choose_cores(topology, frozenset({2}), 2)
