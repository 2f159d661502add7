"""Nodes and their clients: what is lost is replaced, and what comes back is stopped."""

from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    EndTasks,
    EnqueueCoreEval,
    FindServers,
    LoseServers,
    MissHeartbeat,
    RegisterNode,
    RestartTasks,
    list_acts,
)
from nomadspec.model.cluster.acts.registry import find_act, show
from nomadspec.model.cluster.entities import JobType
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from tests.model.cluster.acts.running import count_running, list_evals, make_cluster, register, settle

HOUR_NS = 3600 * NS_PER_S


def test_a_lost_node_is_replaced_and_its_return_changes_nothing() -> None:
    """NODEST-08, TRIG-10."""
    world = settle(register(make_cluster(), 3))
    down = settle(LoseServers(node="node-1").take(world), wait_s=60)
    back = settle(FindServers(node="node-1").take(down), wait_s=60)

    assert 1 == list_evals(down).count(("node-update", "complete"))
    assert ["down", "ready", "ready"] == [node.status for node in down.state.list_nodes()]
    assert ["ready"] * 3 == [node.status for node in back.state.list_nodes()]
    assert 3 == count_running(back)


def test_a_node_that_is_down_stays_down_when_it_registers_until_it_is_heard_of() -> None:
    """NODEST-02, NODEST-06, NODEST-07: each registration wakes the jobs that care."""
    world = settle(register(make_cluster(), 0, kind=JobType.SYSTEM))
    world = settle(LoseServers(node="node-1").take(world), wait_s=60)
    node = replace(world.state.nodes["node-1"], status="ready")
    after = RegisterNode(node=node).take(world)

    assert "down" == after.state.nodes["node-1"].status
    assert "node-1" not in after.leader.heartbeats
    assert [("node-update", "pending")] == list_evals(after)[len(list_evals(world)) :]
    assert "ready" == settle(after).state.nodes["node-1"].status


def test_nodes_that_are_collected_are_awaited_no_more_and_wake_their_jobs() -> None:
    """GC-62, GC-63, NODEST-15."""
    world = settle(register(make_cluster(), 0, kind=JobType.SYSTEM))
    world = settle(LoseServers(node="node-1").take(world), wait_s=60)
    old = replace(world, now_ns=world.now_ns + 48 * HOUR_NS)
    after = settle(EnqueueCoreEval(work="node-gc").take(old))

    assert "node-1" in world.state.nodes
    assert "node-1" not in after.state.nodes
    assert 1 + list_evals(world).count(("node-update", "complete")) == list_evals(after).count(
        ("node-update", "complete")
    )


def test_a_heartbeat_is_not_missed_early() -> None:
    """NODEST-07."""
    world = LoseServers(node="node-1").take(settle(make_cluster()))

    assert not list(MissHeartbeat.choices(settle(world, wait_s=19)))


def test_a_failed_alloc_is_rescheduled_when_its_restarts_are_used_up() -> None:
    """ALLOC-18, TRIG-13."""
    world = settle(register(make_cluster(), 1))
    (alloc,) = world.state.list_allocs()
    ended = EndTasks(node=alloc.node_id, alloc=alloc.id, failed=True)

    assert ended not in list(EndTasks.choices(world))
    while RestartTasks(node=alloc.node_id, alloc=alloc.id) in list(RestartTasks.choices(world)):
        world = RestartTasks(node=alloc.node_id, alloc=alloc.id).take(world)
    assert ended in list(EndTasks.choices(world))

    failed = settle(ended.take(world))
    later = settle(failed, wait_s=60)

    assert ("alloc-failure", "complete") in list_evals(failed)
    assert 1 == count_running(later)


def test_a_task_that_is_delayed_never_fails_for_good() -> None:
    """ALLOC-18."""
    policy = {"Attempts": 1, "Interval": HOUR_NS, "Delay": NS_PER_S, "Mode": "delay"}
    world = settle(register(make_cluster(), 1, RestartPolicy=policy))
    (alloc,) = world.state.list_allocs()
    for _ in range(3):
        world = RestartTasks(node=alloc.node_id, alloc=alloc.id).take(world)

    assert [False] == [each.failed for each in EndTasks.choices(world)]


def test_a_batch_job_that_ends_well_is_not_run_again() -> None:
    """BATCH-03."""
    world = settle(register(make_cluster(), 1, kind=JobType.BATCH))
    (alloc,) = world.state.list_allocs()
    done = settle(EndTasks(node=alloc.node_id, alloc=alloc.id, failed=False).take(world), wait_s=600)

    assert ["complete"] == [each.client_status for each in done.state.list_allocs()]
    (job,) = done.state.list_jobs()
    assert "dead" == job.status


def test_an_act_is_found_by_its_name_and_shows_what_was_chosen() -> None:
    assert LoseServers is find_act("LoseServers")
    assert "LoseServers(node-1)" == show(LoseServers(node="node-1"))
    assert all(cls.spec and cls.actor for cls in list_acts())
