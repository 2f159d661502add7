"""Each entry is tried on its own node: found, filtered or too full."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import Allocation, PreemptionConfig, SchedulerConfiguration
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.system_placement import SystemPlacer, count_queued
from nomadspec.model.cluster.scheduler.system_tally import Tally
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.fleet import (
    ON_GOOD_NODES,
    make_deployment,
    make_fleet_group,
    make_fleet_job,
    make_host,
    make_hosts,
    make_old,
    make_resident,
    run_system,
    see,
)
from tests.model.cluster.scheduler.made import FakeSearch, make_alloc, make_context, make_snapshot

SMALL_MHZ = 400
PROFILES = ("shipped", "intended")
PICKY = make_fleet_job(make_fleet_group(constraints=(ON_GOOD_NODES,)))


def make_entry(node_id: str = "n0", **fields: Any) -> NodeEntry:
    usual: dict[str, Any] = {
        "name": "j.web[0]",
        "group": make_fleet_group(),
        "alloc": Allocation(node_id=node_id),
    }
    return NodeEntry(**usual | fields)


def make_placer(*free: str, evicts: tuple[Allocation, ...] = (), **fields: Any) -> SystemPlacer:
    """Make a placer over two nodes, of which the free ones take whatever comes."""
    nodes = make_hosts(2)
    job = make_fleet_job()
    usual: dict[str, Any] = {
        "context": make_context(make_snapshot(*nodes, job), job, scheduler="system"),
        "search": FakeSearch(*free, evicts=evicts),
        "candidates": Candidates(nodes=nodes, by_datacenter={"dc1": 2}),
        "deployment": None,
        "deployment_id": "d1",
        "queued": {"web": 2},
        "tallies": {"web": Tally(candidates=2, destructive=1)},
        "block": lambda _: None,
    }
    return SystemPlacer(**usual | fields)


def test_a_new_allocation_says_where_it_comes_from() -> None:
    """SYSTEM-33, NODE-27."""
    deployment = make_deployment(make_fleet_job())
    placer = make_placer("n0", deployment=deployment)
    earlier = make_alloc("a9", node_id="n0")
    placer.place_all([make_entry(alloc=earlier, is_canary=True)])
    (alloc,) = placer.context.plan.build().node_allocation["n0"]

    assert (alloc.name, alloc.previous_allocation, alloc.deployment_id) == ("j.web[0]", "a9", "d1")
    assert alloc.deployment_status is not None
    assert alloc.deployment_status.canary
    assert alloc.metrics is not None
    assert (alloc.metrics.nodes_in_pool, alloc.metrics.node_pool) == (2, "")


def test_without_a_deployment_there_are_no_canaries() -> None:
    """SYSTEM-33, 05/S16."""
    placer = make_placer("n0")
    placer.place_all([make_entry(is_canary=True)])

    assert placer.placed[0].deployment_status is None


def test_a_node_that_the_job_may_not_use_is_passed_over() -> None:
    """SYSTEM-26."""
    placer = make_placer("n0", "n7")
    placer.place_all([make_entry("n7")])

    assert not placer.placed
    assert (placer.queued, placer.failed, placer.tallies["web"].candidates) == ({"web": 2}, {}, 2)


def test_a_refusal_alone_is_silent() -> None:
    """SYSTEM-27, SYSTEM-28: a group that runs somewhere has not failed, and nothing waits."""
    snapshot = see(*make_hosts(2, bad=(1,)), PICKY, make_resident("n0", PICKY))
    outcome = run_system(snapshot)
    (written,) = outcome.updated_evals

    assert not outcome.created_evals
    assert (written.failed_tg_allocs, written.queued_allocations) == ({}, {"web": 0})


def test_a_group_that_is_refused_everywhere_has_failed() -> None:
    """SYSTEM-28: what was filtered is summed up, and nothing else is told."""
    (written,) = run_system(see(*make_hosts(2, bad=(0, 1)), PICKY)).updated_evals
    metrics = written.failed_tg_allocs["web"]

    assert (metrics.nodes_evaluated, metrics.nodes_filtered) == (2, 2)
    assert metrics.constraint_filtered == {"${meta.good} = yes": 2}
    assert (metrics.nodes_in_pool, metrics.nodes_available) == (0, {})


def test_the_first_full_node_is_waited_for() -> None:
    """SYSTEM-25, SYSTEM-29, SYSTEM-31, SYSTEM-32."""
    job = make_fleet_job()
    hosts = [make_host(f"n{number}", cpu_mhz=SMALL_MHZ) for number in range(3)]
    outcome = run_system(see(*hosts, job))
    (blocked,) = outcome.created_evals
    (written,) = outcome.updated_evals
    metrics = written.failed_tg_allocs["web"]

    assert (blocked.node_id, blocked.previous_eval, blocked.status) == ("n0", "e1", "blocked")
    assert blocked.failed_tg_allocs["web"].coalesced_failures == 0
    assert blocked.class_eligibility == {"v1:good": True}
    assert (metrics.coalesced_failures, metrics.dimension_exhausted) == (2, {"cpu": 1})
    assert (metrics.nodes_in_pool, metrics.node_pool) == (3, "default")
    assert (written.queued_allocations, written.blocked_eval) == ({"web": 3}, "")


def test_each_failed_attempt_lowers_what_can_be_reached() -> None:
    """SYSTEM-30, SYSDEP-10: replacements are counted apart."""
    placer = make_placer()
    placer.place_all([make_entry("n0", alloc=make_alloc(node_id="n0")), make_entry("n1")])
    tally = placer.tallies["web"]

    assert (tally.candidates, tally.destructive, tally.place) == (0, 0, 0)


def test_the_stop_of_what_cannot_be_replaced_stays() -> None:
    """SYSDEP-17."""
    job = make_fleet_job(make_fleet_group(constraints=(ON_GOOD_NODES,)))
    snapshot = see(make_host("n0", good=False), job, make_resident("n0", make_old(job)))
    (plan,) = run_system(snapshot).plans

    assert [alloc.id for alloc in plan.node_update["n0"]] == ["web-n0"]
    assert not plan.node_allocation


@pytest.mark.parametrize(
    ("configuration", "placed"),
    [(None, True), (SchedulerConfiguration(), False)],
    ids=["nothing is configured", "switched off"],
)
def test_others_may_have_to_go(configuration: SchedulerConfiguration | None, *, placed: bool) -> None:
    """SYSTEM-33, SYS-03."""
    weak = make_fleet_job(id="weak", name="weak", priority=10)
    victim = make_resident("n0", weak, job_id="weak", name="weak.web[0]", alloc_id="v")
    job = make_fleet_job()
    outcome = run_system(
        see(make_host("n0", cpu_mhz=800), job, weak, victim, configuration=configuration), priority=50
    )

    assert bool(outcome.plans) is placed
    if placed:
        (alloc,) = outcome.plans[0].node_allocation["n0"]
        assert alloc.preempted_allocations == ("v",)
        assert [evicted.id for evicted in outcome.plans[0].node_preemptions["n0"]] == ["v"]


def test_evictions_are_counted_for_who_asks() -> None:
    """SYSTEM-36."""
    weak = make_fleet_job(id="weak", name="weak", priority=10)
    victim = make_resident("n0", weak, job_id="weak", name="weak.web[0]", alloc_id="v")
    on = SchedulerConfiguration(preemption_config=PreemptionConfig(system_scheduler_enabled=True))
    snapshot = see(make_host("n0", cpu_mhz=800), make_fleet_job(), weak, victim, configuration=on)
    told = {}
    for is_asked in (False, True):
        annotations = run_system(snapshot, annotate_plan=is_asked).updated_evals[0].plan_annotations
        assert annotations is not None
        told[is_asked] = (
            annotations.desired_tg_updates["web"].preemptions,
            [stub.id for stub in annotations.preempted_allocs],
        )

    assert told == {False: (0, []), True: (1, ["v"])}


@pytest.mark.parametrize(
    ("is_run_once", "entries", "queued"),
    [
        (False, 1, {"web": 1, "db": 0}),
        (False, 0, {"web": 0, "db": 0}),
        (True, 2, {"web": 2}),
        (True, 0, {"web": 0, "db": 0}),
    ],
)
def test_what_waits_is_counted_before(*, is_run_once: bool, entries: int, queued: dict[str, int]) -> None:
    """SYSTEM-24."""
    job = make_fleet_job(make_fleet_group(), make_fleet_group("db"))

    assert count_queued(job, [make_entry()] * entries, is_run_once=is_run_once) == queued


def test_nothing_waits_for_a_job_that_is_gone() -> None:
    """SYSTEM-24."""
    assert count_queued(None, [], is_run_once=False) == {}


@pytest.mark.parametrize(("profile", "place"), [(NOMAD_2_0, 2**64 - 1), (INTENDED, 0)], ids=PROFILES)
def test_a_filtered_replacement_makes_the_count_of_placements_wrap(profile: Profile, place: int) -> None:
    """05/S15, SYSTEM-28, SYSTEM-36."""
    job = make_fleet_job(make_fleet_group(constraints=(ON_GOOD_NODES,)), type="sysbatch")
    snapshot = see(make_host("n0", good=False), job, make_resident("n0", make_old(job)))
    annotations = (
        run_system(snapshot, scheduler="sysbatch", profile=profile).updated_evals[0].plan_annotations
    )

    assert annotations is not None
    assert annotations.desired_tg_updates["web"].place == place
