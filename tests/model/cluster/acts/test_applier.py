"""The applier: it judges while earlier entries are committed, and answers what became of each."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.acts import (
    CommitPlan,
    Dequeue,
    DispatchPlan,
    FailPlan,
    JudgePlan,
    LoseLeadership,
    ReceiveAnswer,
)
from nomadspec.model.cluster.acts.jobs import DeregisterJob, RegisterJob
from nomadspec.model.cluster.acts.node_requests import SetEligibility
from nomadspec.model.cluster.components.plan_rejections import Rejections
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.acts.running import (
    count_running,
    list_evals,
    make_cluster,
    make_job,
    register,
    settle,
)


def register_two(world: World, cpu_mhz: int) -> World:
    for name in ("one", "two"):
        world = RegisterJob(job=make_job(name=name, cpu_mhz=cpu_mhz)).take(world)
    return world


def test_a_second_plan_is_judged_while_the_first_is_in_flight_and_dispatched_after_it() -> None:
    """PLAN-36."""
    world = settle(register_two(make_cluster(), 100), held=[CommitPlan, ReceiveAnswer])

    assert 1 == len(world.leader.in_flight)
    assert world.leader.judged is not None
    assert not list(DispatchPlan.choices(world))

    committed = CommitPlan().take(world)

    assert [DispatchPlan()] == list(DispatchPlan.choices(committed))
    assert 1 == len(DispatchPlan().take(committed).leader.in_flight)


def test_a_deeper_pipeline_has_two_in_flight() -> None:
    """PLAN-36."""
    world = settle(register_two(make_cluster(depth=2), 100), held=[CommitPlan])

    assert 2 == len(world.leader.in_flight)


def test_two_plans_of_one_snapshot_do_not_share_room() -> None:
    """PLAN-31, PLAN-53: the applier's copy shows the plan that is in flight."""
    world = settle(register_two(make_cluster(1), 600))

    assert 1 == count_running(world)
    assert ("queued-allocs", "blocked") in list_evals(world)


def test_an_entry_that_fails_gives_the_delivery_back_and_is_tried_again() -> None:
    """PLAN-34, PLAN-98."""
    world = settle(register_two(make_cluster(), 100), held=[CommitPlan])
    failed = FailPlan().take(world)

    assert 2 == count_running(settle(failed, wait_s=30))


@pytest.mark.parametrize(
    ("profile", "in_flight"), [(NOMAD_2_0, 1), (INTENDED, 0)], ids=["nomad-2.0", "intended"]
)
def test_what_was_judged_on_top_of_a_refused_entry_fails_with_it_as_intended(
    profile: Profile, in_flight: int
) -> None:
    """PLAN-31, PLAN-92, X-18: the entry stops an allocation that was collected meanwhile."""
    cluster = make_cluster(1, profile=profile, depth=2)
    world = settle(RegisterJob(job=make_job(name="one", cpu_mhz=600)).take(cluster))
    world = RegisterJob(job=make_job(name="two")).take(DeregisterJob(job_id="one").take(world))
    world = settle(world, held=[CommitPlan])
    flying, other = world.leader.in_flight
    missing = replace(flying.request, allocs_stopped=(Allocation(id="gone"),))
    void = replace(world.leader, in_flight=(replace(flying, request=missing), other))
    refused = CommitPlan().take(replace(world, leader=void))

    assert 2 == len(world.leader.in_flight)
    assert in_flight == len(refused.leader.in_flight)
    assert (0 in refused.leader.ended) == (profile is INTENDED)


def test_as_intended_what_is_left_of_a_plan_is_judged_anew_once_the_entry_under_it_has_failed() -> None:
    """PLAN-31, PLAN-86, X-10: the node that had no room is counted once, and stays rejected."""
    cluster = make_cluster(2, profile=INTENDED)
    cluster = replace(cluster, rejections=Rejections(is_enabled=True, threshold=1))
    world = RegisterJob(job=make_job(name="one", cpu_mhz=600)).take(cluster)
    world = RegisterJob(job=make_job(2, name="two", cpu_mhz=600)).take(world)
    world = settle(world, held=[CommitPlan, ReceiveAnswer])
    judged = world.leader.judged
    assert judged is not None
    again = DispatchPlan().take(FailPlan().take(world))
    flying = again.leader.in_flight[0]

    assert (1, 1) == (len(judged.result.rejected_nodes), len(flying.request.allocs_updated))
    assert judged.result.node_allocation.keys() == flying.result.node_allocation.keys()
    assert judged.result.rejected_nodes == flying.result.rejected_nodes == flying.request.ineligible_nodes
    assert world.rejections == again.rejections
    assert flying.result.refresh_index


def test_a_lost_leader_commits_late_what_its_worker_was_told_had_failed() -> None:
    """LEADER-08, PLAN-98."""
    world = settle(register_two(make_cluster(), 100), held=[CommitPlan])
    lost = LoseLeadership(committed=1).take(world)

    assert 1 == len(lost.state.list_allocs())
    assert not lost.is_led
    assert not list(JudgePlan.choices(lost))
    assert 2 == count_running(settle(lost, wait_s=30))


def _hold_second_plan(profile: Profile) -> World:
    """Let the plan of the second job wait behind the first entry, and make the node ineligible meanwhile."""
    world = make_cluster(1)
    world = replace(world, settings=replace(world.settings, profile=profile))
    world = settle(register_two(world, 100), held=[CommitPlan, ReceiveAnswer])
    return SetEligibility(node="node-1", eligible=False).take(world)


def test_a_plan_that_was_held_back_is_dispatched_to_a_node_that_is_ineligible_now() -> None:
    """PLAN-31, PLAN-36: X-64."""
    world = _hold_second_plan(NOMAD_2_0)

    assert 1 == len(DispatchPlan().take(world).leader.in_flight[0].request.allocs_updated)


def test_as_intended_a_plan_that_was_held_back_is_judged_by_its_nodes_as_they_are_now() -> None:
    """PLAN-48, PLAN-51, X-64: its deployment is left, and the worker is to plan by a newer state."""
    world = DispatchPlan().take(_hold_second_plan(INTENDED))
    flying = world.leader.in_flight[0]

    assert () == flying.request.allocs_updated
    assert ("node-1",) == flying.result.rejected_nodes
    assert world.state.latest_index == flying.result.refresh_index


@pytest.mark.parametrize(("profile", "placed"), [(NOMAD_2_0, 1), (INTENDED, 0)], ids=["release", "mended"])
def test_placements_that_the_store_drops_are_reported_as_made_unless_that_is_mended(
    profile: Profile, placed: int
) -> None:
    """03/S13: the job was stopped while its plan was queued."""
    queued = settle(register(make_cluster(profile=profile)), held=(JudgePlan,))
    stopped = DeregisterJob(job_id="web").take(queued)
    answered = settle(stopped, held=(ReceiveAnswer, Dequeue))
    answers = [worker.answer for worker in answered.workers.values() if worker.answer is not None]
    results = [answer.result for answer in answers if answer.result is not None]

    assert {} == dict(answered.state.allocs)
    assert [placed] == [sum(map(len, result.node_allocation.values())) for result in results]
    assert [not placed] == [bool(result.refresh_index) for result in results]
