"""Updates: in place where that can be, the rest within the limits of each group."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedDevice,
    AllocatedPort,
    Allocation,
    AllocDeploymentStatus,
    Job,
    NetworkResource,
    Node,
    Port,
    UpdateStrategy,
)
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.scheduler.in_place import Updater
from nomadspec.model.cluster.scheduler.ranking.system_stack import SystemStack
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.system_updates import (
    compute_limits,
    evict_within,
    update_where_possible,
)
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.fleet import (
    make_deployment,
    make_fleet_group,
    make_fleet_job,
    make_host,
    make_member,
    make_old,
    make_resident,
    roll,
    see,
)
from tests.model.cluster.scheduler.made import make_context

JOB = make_fleet_job()
SAME_BUT_NEWER = replace(JOB, job_modify_index=99)


def make_updater(job: Job, *rows: Node | Allocation) -> Updater:
    context = make_context(see(*rows, job), job, scheduler="system")
    stack = SystemStack(context)
    stack.set_job(job)
    return Updater(context, stack)


def make_entry(alloc: Allocation, *, is_canary: bool = False) -> NodeEntry:
    group = make_fleet_group(alloc.task_group)
    return NodeEntry(name=alloc.name, group=group, alloc=alloc, is_canary=is_canary)


def make_entries(group: str, count: int, *, canary: bool = False) -> list[NodeEntry]:
    allocs = [make_resident(f"n{number}", JOB, group) for number in range(count)]
    return [make_entry(alloc, is_canary=canary) for alloc in allocs]


def test_an_update_in_place_keeps_what_was_assigned() -> None:
    """SYSTEM-18."""
    alloc = make_member("n0", JOB)
    assert alloc.allocated_resources is not None
    task = alloc.allocated_resources.tasks["main"]
    held = replace(
        alloc.allocated_resources,
        tasks={"main": replace(task, devices=(AllocatedDevice(name="gpu"),))},
        shared=replace(alloc.allocated_resources.shared, ports=(AllocatedPort(label="http", value=80),)),
    )
    alloc = replace(alloc, allocated_resources=held)
    updater = make_updater(SAME_BUT_NEWER, make_host("n0"), alloc)
    updates = update_where_possible(updater, [make_entry(alloc)], "d7")
    (updated,) = updater.context.plan.build().node_allocation["n0"]
    resources = updated.allocated_resources

    assert (len(updates.in_place), len(updates.destructive)) == (1, 0)
    assert (updated.id, updated.eval_id, updated.deployment_id) == (alloc.id, "e1", "d7")
    assert updated.deployment_status is None
    assert resources is not None
    assert (resources.tasks["main"].memory.memory_mb, resources.tasks["main"].devices) == (
        100,
        (AllocatedDevice(name="gpu"),),
    )
    assert resources.shared.ports == (AllocatedPort(label="http", value=80),)
    assert updated.metrics is not None
    assert (updated.metrics.nodes_evaluated, updated.metrics.score_meta_data) == (1, ())


@pytest.mark.parametrize(
    ("node", "own"),
    [
        (make_host("n0"), make_old(JOB)),
        (make_host("other"), JOB),
        (make_host("n0", datacenter="dc9"), JOB),
        (make_host("n0", node_pool="lab"), JOB),
        (make_host("n0", cpu_mhz=400), JOB),
    ],
    ids=["another environment", "no node", "another datacenter", "another pool", "no room"],
)
def test_the_rest_has_to_be_replaced(node: Node, own: Job) -> None:
    """SYSTEM-15, SYSTEM-17."""
    alloc = make_resident("n0", own)
    updater = make_updater(SAME_BUT_NEWER, node, alloc)
    updates = update_where_possible(updater, [make_entry(alloc)], "")

    assert (len(updates.in_place), len(updates.destructive)) == (0, 1)
    assert is_no_op(updater.context.plan)


@pytest.mark.parametrize(("profile", "in_place"), [(NOMAD_2_0, 1), (INTENDED, 0)])
def test_a_trial_may_count_on_evictions_that_nobody_makes(profile: Profile, in_place: int) -> None:
    """SYS-06, 07/S-24."""
    lesser = make_fleet_job(id="lesser", priority=20)
    alloc, other = make_resident("n0", JOB), replace(make_member("n0", lesser), id="other", job_id="lesser")
    updater = make_updater(SAME_BUT_NEWER, make_host("n0", cpu_mhz=800), alloc, other)
    updater.context.profile = profile
    updates = update_where_possible(updater, [make_entry(alloc)], "")

    assert in_place == len(updates.in_place)
    assert not updater.context.plan.node_preemptions


def test_what_has_ended_follows_without_an_entry() -> None:
    """SYSTEM-17."""
    ended = make_resident("n0", JOB, client_status="complete")
    forced = make_resident("n1", make_old(JOB), client_status="complete")
    updater = make_updater(SAME_BUT_NEWER, make_host("n0"), make_host("n1"), ended, forced)
    updates = update_where_possible(updater, [make_entry(ended), make_entry(forced)], "")

    assert [entry.alloc.id for entry in updates.in_place] == ["web-n0"]
    assert [entry.alloc.id for entry in updates.destructive] == ["web-n1"]
    assert is_no_op(updater.context.plan)


def test_the_last_one_takes_the_place_of_one_that_follows() -> None:
    """SYSTEM-22: the order of recordings."""
    owners = {"n0": JOB, "n1": make_old(JOB), "n2": make_old(JOB), "n3": JOB, "n4": make_old(JOB)}
    allocs = [make_resident(node_id, own) for node_id, own in owners.items()]
    updater = make_updater(SAME_BUT_NEWER, *map(make_host, owners), *allocs)
    updates = update_where_possible(updater, map(make_entry, allocs), "")

    assert [entry.alloc.node_id for entry in updates.in_place] == ["n0", "n3"]
    assert [entry.alloc.node_id for entry in updates.destructive] == ["n4", "n1", "n2"]


@pytest.mark.parametrize(
    ("of_job", "groups", "entries", "evicted"),
    [
        (2, {"a": None}, {"a": 4}, 2),
        (4, {"a": None}, {"a": 4}, 4),
        (4, {"a": None}, {"a": 2}, 2),
        (1, {"a": 2}, {"a": 4}, 2),
        (0, {"a": 2, "b": 4}, {"a": 4, "b": 4}, 6),
        (2, {"a": 4, "b": None}, {"a": 4, "b": 4}, 6),
        (2, {"a": None, "b": None}, {"a": 4, "b": 4}, 4),
        (0, {"a": None, "b": None}, {"a": 4, "b": 4}, 8),
    ],
)
def test_limits_are_those_of_the_group_or_of_the_job(
    of_job: int, groups: dict[str, int | None], entries: dict[str, int], evicted: int
) -> None:
    """SYSTEM-19."""
    job = make_fleet_job(
        *(make_fleet_group(name, update=limit and roll(limit)) for name, limit in groups.items()),
        update=UpdateStrategy(max_parallel=of_job),
    )
    destructive = [entry for name, count in entries.items() for entry in make_entries(name, count)]
    plan = make_updater(job).context.plan

    limits = compute_limits(job, destructive, [], None, profile=NOMAD_2_0)

    assert len(evict_within(limits, destructive, plan, groups, {}, profile=NOMAD_2_0)) == evicted
    stops = [stop for stops in plan.node_update.values() for stop in stops]
    assert {stop.desired_description for stop in stops} == {"alloc is being updated due to job update"}
    assert len(stops) == evicted


def list_undecided(healths: Sequence[bool | None], deployment_id: str = "d1") -> list[NodeEntry]:
    return [
        make_entry(
            make_resident(
                f"m{number}",
                JOB,
                deployment_id=deployment_id,
                deployment_status=AllocDeploymentStatus(healthy=health),
            )
        )
        for number, health in enumerate(healths)
    ]


@pytest.mark.parametrize(
    ("ignored", "limit"),
    [
        (list_undecided([None, None]), 0),
        (list_undecided([None, None, None]), -1),
        (list_undecided([True, False]), 2),
        (list_undecided([None], "other"), 2),
    ],
    ids=["none left", "below zero", "health is known", "of another deployment"],
)
def test_what_nobody_knows_the_health_of_takes_its_part(ignored: list[NodeEntry], limit: int) -> None:
    """SYSTEM-20."""
    job = make_fleet_job(make_fleet_group(update=roll(2)))

    assert compute_limits(job, [], ignored, make_deployment(job, "failed"), profile=NOMAD_2_0) == {
        "web": limit
    }
    assert compute_limits(job, [], ignored, None, profile=NOMAD_2_0) == {"web": 2}


@pytest.mark.parametrize(
    ("limit", "trying", "evicted"), [(1, {"web"}, 4), (0, {"web"}, 0), (-1, {"web"}, 0), (3, {"db"}, 3)]
)
def test_canaries_do_not_use_the_limit_up(limit: int, trying: set[str], evicted: int) -> None:
    """SYSTEM-21, 05/S16."""
    entries, plan = make_entries("web", 4, canary=True), make_updater(JOB).context.plan

    assert len(evict_within({"web": limit}, entries, plan, trying, {}, profile=NOMAD_2_0)) == evicted


@pytest.mark.parametrize(
    ("limit", "needs", "evicted"),
    [
        (1, {"web": 2}, 2),
        (1, {"web": 9}, 4),
        (1, {"web": 0}, 0),
        (1, {"web": -1}, 0),
        (1, {"db": 1}, 4),
        (0, {"web": 2}, 0),
    ],
)
def test_no_more_make_room_than_canaries_are_needed(limit: int, needs: dict[str, int], evicted: int) -> None:
    """SYSTEM-21, X-78: what is no canary is bounded by its limit alone."""
    entries, plan = make_entries("web", 4, canary=True), make_updater(JOB).context.plan
    others = make_entries("web", 2)

    assert len(evict_within({"web": limit}, entries, plan, {"web"}, needs, profile=NOMAD_2_0)) == evicted
    assert len(evict_within({"web": limit}, others, plan, {"web"}, needs, profile=NOMAD_2_0)) == limit


@pytest.mark.parametrize(
    ("status", "version", "limit"), [("paused", 1, 0), ("failed", 1, 0), ("running", 1, 2), ("failed", 0, 2)]
)
def test_a_held_deployment_should_hold_replacements(status: str, version: int, limit: int) -> None:
    """05/S1, SYSDEP-03."""
    job = make_fleet_job(make_fleet_group(update=roll(2)))
    deployment = replace(make_deployment(job, status), job_version=version)

    assert compute_limits(job, [], [], deployment, profile=NOMAD_2_0) == {"web": 2}
    assert compute_limits(job, [], [], deployment, profile=INTENDED) == {"web": limit}


def test_a_stopped_job_has_no_limits() -> None:
    """SYSTEM-19."""
    assert compute_limits(None, [], [], None, profile=NOMAD_2_0) == {}


def test_a_dynamic_port_may_change_its_number_and_a_static_one_may_not() -> None:
    """SYSTEM-15, SYSTEM-16."""

    def offer(*ports: Port, is_static: bool) -> Job:
        network = NetworkResource(
            mode="host", reserved_ports=ports if is_static else (), dynamic_ports=() if is_static else ports
        )
        return make_fleet_job(make_fleet_group(networks=(network,)), job_modify_index=50)

    def count_destructive(old: Job, new: Job) -> int:
        alloc = make_resident("n0", replace(old, job_modify_index=1))
        updater = make_updater(new, make_host("n0"), alloc)
        return len(update_where_possible(updater, [make_entry(alloc)], "").destructive)

    one, other = Port(label="http", value=8080), Port(label="http", value=8081)

    assert count_destructive(offer(one, is_static=False), offer(other, is_static=False)) == 0
    assert count_destructive(offer(one, is_static=True), offer(other, is_static=True)) == 1
