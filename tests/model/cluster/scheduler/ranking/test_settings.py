"""What the configuration says to the ranking (RANK-76 to RANK-79)."""

import pytest

from nomadspec.model.cluster.entities import (
    Job,
    NodePool,
    PoolSchedulerConfiguration,
    PreemptionConfig,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.scheduler.ranking.settings import Settings, find_settings, may_preempt
from tests.model.cluster.scheduler.made import make_snapshot

JOB = Job(node_pool="lab")


def find(configuration: SchedulerConfiguration | None, own: PoolSchedulerConfiguration | None) -> Settings:
    pool = NodePool(name="lab", scheduler_configuration=own)
    return find_settings(make_snapshot(configuration=configuration, node_pools=[pool]), JOB)


def test_defaults_hold_where_nothing_is_configured() -> None:
    expected = Settings(is_spreading=False, has_oversubscription=False, node_limit=100)

    assert expected == find(None, None)
    assert expected == find(SchedulerConfiguration(), PoolSchedulerConfiguration())


def test_the_cluster_is_configured() -> None:
    configuration = SchedulerConfiguration(
        scheduler_algorithm="spread",
        memory_oversubscription_enabled=True,
        node_limit_for_feasibility_checks=7,
    )

    expected = Settings(is_spreading=True, has_oversubscription=True, node_limit=7)

    assert expected == find(configuration, None)


def test_a_pool_overrides_what_it_sets() -> None:
    """RANK-78."""
    configuration = SchedulerConfiguration(scheduler_algorithm="spread", memory_oversubscription_enabled=True)
    own = PoolSchedulerConfiguration(scheduler_algorithm="binpack", memory_oversubscription_enabled=False)

    assert Settings() == find(configuration, own)


@pytest.mark.parametrize("job_type", ["service", "batch", "system", "sysbatch"])
def test_each_type_has_its_flag(job_type: str) -> None:
    """RANK-77."""
    flag = "sys_batch" if job_type == "sysbatch" else job_type
    on = SchedulerConfiguration(preemption_config=PreemptionConfig(**{f"{flag}_scheduler_enabled": True}))

    allowed = [each for each in ("service", "batch", "system", "sysbatch") if may_preempt(on, each)]

    assert [job_type] == allowed


def test_all_may_evict_where_nothing_was_ever_stored() -> None:
    """RANK-77."""
    assert may_preempt(None, "batch")
    assert not may_preempt(SchedulerConfiguration(), "system")
