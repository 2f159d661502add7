"""What tasks ask for (RANK-22, RANK-54)."""

import pytest

from nomadspec.model.cluster.entities import Affinity, Job, Resources, Task, TaskGroup
from nomadspec.model.cluster.scheduler.ranking.asks import ask_for_task, list_affinities


@pytest.mark.parametrize(
    ("asked", "has_oversubscription", "memory", "most"),
    [
        pytest.param(Resources(memory_mb=100, secrets_mb=5), False, 105, 0, id="secrets come on top"),
        pytest.param(Resources(memory_mb=2**63 - 2, secrets_mb=5), False, 2**63 - 1, 0, id="saturates"),
        pytest.param(Resources(memory_mb=9, memory_max_mb=20), False, 9, 0, id="no most if not enabled"),
        pytest.param(Resources(memory_mb=9, memory_max_mb=20, secrets_mb=5), True, 14, 25, id="most"),
        pytest.param(Resources(memory_mb=9, memory_max_mb=-1, secrets_mb=5), True, 14, -1, id="no bound"),
        pytest.param(Resources(memory_mb=9, memory_max_mb=-2), True, 9, 0, id="nonsense is nothing"),
    ],
)
def test_memory(asked: Resources, has_oversubscription: bool, memory: int, most: int) -> None:
    """RANK-22."""
    given = ask_for_task(asked, has_oversubscription=has_oversubscription).memory

    assert (memory, most) == (given.memory_mb, given.memory_max_mb)


def test_processor_time() -> None:
    assert ask_for_task(Resources(cpu_mhz=500), has_oversubscription=False).cpu.cpu_shares == 500


def test_affinities_of_the_job_come_first() -> None:
    """RANK-54."""
    a, b, c, d = (Affinity(weight=weight) for weight in (1, 2, 3, 4))
    group = TaskGroup(affinities=(b,), tasks=(Task(affinities=(c,)), Task(affinities=(d,))))

    assert (a, b, c, d) == list_affinities(Job(affinities=(a,)), group)
