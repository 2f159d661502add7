from nomadspec.model.cluster.components.blocked_stats import (
    PRUNE_AGE_NS,
    BlockedStats,
    Shortage,
    count_in,
    count_out,
    prune,
)
from nomadspec.model.cluster.entities import AllocMetric, Resources
from tests.model.cluster.components.evals import ev

METRIC = AllocMetric(
    node_pool="mills",
    nodes_available={"north": 2, "south": 1},
    class_exhausted={"alder": 1},
    resources_exhausted={
        "oar": Resources(cpu_mhz=200, memory_mb=64),
        "sail": Resources(cpu_mhz=100, memory_mb=32),
    },
)
SHORT = ev("a", failed_tg_allocs={"bow": METRIC})


def test_what_is_waited_for_is_summed_by_job_and_by_pool() -> None:
    """BLOCKED-47."""
    stats = count_in(BlockedStats(), SHORT, 7)
    wanted = Shortage(cpu_mhz=300, memory_mb=96, changed_ns=7)

    assert {("default", "j"): wanted} == dict(stats.by_job.items())
    assert {(place, "alder", "mills"): wanted for place in ("north", "south")} == dict(stats.by_pool.items())
    assert 1 == stats.blocked


def test_what_was_counted_in_is_counted_out() -> None:
    """BLOCKED-47: the entries stay, as zero."""
    stats = count_out(count_in(BlockedStats(), SHORT, 1), SHORT, 2)

    assert 0 == stats.blocked
    assert {Shortage(changed_ns=2)} == {*stats.by_job.values(), *stats.by_pool.values()}


def test_nodes_without_a_class_share_one_entry() -> None:
    metric = AllocMetric(node_pool="p", nodes_available={"d": 1})
    stats = count_in(BlockedStats(), ev("a", failed_tg_allocs={"g": metric}), 0)

    assert [("d", "", "p")] == list(stats.by_pool.keys())


def test_counting_out_leaves_the_escaped_to_the_caller() -> None:
    """02/S10."""
    entry = ev("a", escaped_computed_class=True, quota_limit_reached="q")
    stats = count_out(count_in(BlockedStats(), entry, 0), entry, 0)

    assert (0, 1, 0) == (stats.blocked, stats.escaped, stats.quota_limit)


def test_only_old_zeros_are_pruned() -> None:
    """BLOCKED-47."""
    stats = count_in(count_in(BlockedStats(), SHORT, 0), ev("b", "idle"), 5)

    assert stats == prune(stats, 5 + PRUNE_AGE_NS)
    assert [("default", "j")] == list(prune(stats, 6 + PRUNE_AGE_NS).by_job.keys())
