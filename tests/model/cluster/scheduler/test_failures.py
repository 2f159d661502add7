"""A group that could not be placed says what ran out, and counts what was not tried again."""

from nomadspec.model.cluster.entities import AllocMetric, Resources, Task
from nomadspec.model.cluster.scheduler.failures import coalesce, note_exhausted
from tests.model.cluster.scheduler.made import make_group

GROUP = make_group(
    tasks=(
        Task(name="main", resources=Resources(cpu_mhz=100, memory_mb=200)),
        Task(name="side", resources=Resources(cpu_mhz=1, memory_mb=2)),
    )
)


def test_only_what_ran_out_is_added() -> None:
    """FEAS-88."""
    metrics = note_exhausted(AllocMetric(dimension_exhausted={"memory": 2}), GROUP)

    assert metrics.resources_exhausted == {"main": Resources(memory_mb=200), "side": Resources(memory_mb=2)}


def test_another_dimension_leaves_empty_entries() -> None:
    """FEAS-88."""
    metrics = note_exhausted(AllocMetric(dimension_exhausted={"disk": 1}), GROUP)

    assert metrics.resources_exhausted == {"main": Resources(), "side": Resources()}


def test_nothing_is_added_when_nothing_ran_out() -> None:
    """FEAS-88."""
    assert note_exhausted(AllocMetric(nodes_filtered=1), GROUP) == AllocMetric(nodes_filtered=1)


def test_what_is_not_tried_again_is_counted_and_added() -> None:
    """FEAS-89, GENERIC-30."""
    first = note_exhausted(AllocMetric(dimension_exhausted={"cpu": 1}), GROUP)

    second = coalesce(first, GROUP)

    assert second.coalesced_failures == 1
    assert second.resources_exhausted["main"] == Resources(cpu_mhz=200)
