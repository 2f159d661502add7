"""The worked cases of rolling updates: ten nodes unless said otherwise, and what one pass makes of them."""

from collections.abc import Callable, Mapping
from itertools import repeat
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedResources,
    AllocatedTask,
    Allocation,
    DeploymentState,
    DesiredTransition,
    ReschedulePolicy,
    UpdateStrategy,
)
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.system_attempt import SystemAttempt
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from tests.model.cluster.scheduler.fleet import (
    ON_GOOD_NODES,
    make_deployment,
    make_failed,
    make_fleet_group,
    make_fleet_job,
    make_host,
    make_hosts,
    make_member,
    make_old,
    make_resident,
    roll,
    run_system,
    see,
)
from tests.model.cluster.scheduler.made import make_call, make_eval

BEGUN = DeploymentState(desired_total=10)
CANARIES = DeploymentState(desired_total=10, desired_canaries=3, placed_canaries=("c0", "c1", "c2"))
PROMOTED = DeploymentState(
    desired_total=10, desired_canaries=3, placed_canaries=("c0", "c1", "c2"), promoted=True
)


class Case(NamedTuple):
    """What runs where before the pass, and what comes out of it."""

    update: UpdateStrategy | None
    placed: int
    stopped: int
    state: tuple[int, int, int] | None
    """Desired total, desired canaries, placed canaries."""
    old: int = 0
    """Nodes with the old version."""
    new: int = 0
    """Nodes with a healthy allocation of the new version."""
    failed: int = 0
    canaries: int = 0
    failed_canaries: int = 0
    nodes: int = 10
    begun: DeploymentState | None = None
    """How far the group has come under the deployment of this version."""
    before: bool = False
    """Whether a deployment of the version before has ended well."""
    bad: tuple[int, ...] = ()
    """The nodes that do not meet the constraint of the new version."""
    closed: tuple[int, ...] = ()
    """The nodes that take no allocations."""


CASES: Mapping[str, Case] = {
    "V1": Case(roll(2), 2, 2, (10, 0, 0), old=10, before=True),
    "V2": Case(None, 10, 10, None, old=10),
    "V3": Case(roll(2), 2, 2, (10, 0, 0), old=8, new=2, begun=BEGUN),
    "V4": Case(roll(2), 2, 2, None, old=8, new=2),
    "V5": Case(roll(2), 4, 2, (10, 0, 0), old=8, failed=2, begun=BEGUN),
    "V6": Case(roll(2), 7, 2, (10, 0, 0), old=5),
    "V7": Case(roll(2, 30), 2, 2, (10, 2, 2), old=10, before=True),
    "V8": Case(roll(3, 30), 3, 1, (10, 3, 2), old=7, canaries=1, failed_canaries=1, begun=BEGUN),
    "V9": Case(roll(2, 30), 1, 1, (10, 2, 2), old=9, canaries=1, begun=BEGUN),
    "V10": Case(roll(3, 30), 0, 0, (10, 3, 3), old=7, canaries=3, begun=CANARIES),
    "V11": Case(roll(2, 30), 2, 2, (10, 3, 3), old=7, new=3, begun=PROMOTED),
    "V12": Case(roll(10, 30), 5, 7, (8, 3, 3), old=7, new=3, begun=PROMOTED, closed=(0, 1)),
    "V13": Case(roll(10, 30), 10, 0, (10, 0, 0), begun=DeploymentState()),
    "V14": Case(roll(10, 30), 3, 4, (9, 3, 3), old=10, before=True, bad=(4,)),
    "V15": Case(roll(4, 100), 2, 2, (2, 2, 2), old=2, nodes=4, before=True, bad=(2, 3)),
    "V16": Case(roll(1, 50), 1, 2, (1, 1, 1), old=2, nodes=2, before=True, bad=(1,)),
}
"""By the names that the chapter gives them."""


def run_case(case: Case, profile: Profile = NOMAD_2_0) -> Outcome:
    job = make_fleet_job(make_fleet_group(update=case.update, constraints=(ON_GOOD_NODES,)))
    old = make_old(job)
    makers: list[Callable[[str], Allocation]] = [
        *repeat(lambda node: make_resident(node, old), case.old),
        *repeat(lambda node: make_member(node, job), case.new),
        *repeat(lambda node: make_failed(node, job), case.failed),
        *repeat(lambda node: make_member(node, job, canary=True), case.canaries),
        *repeat(lambda node: make_failed(node, job, canary=True), case.failed_canaries),
    ]
    allocs = [make(f"n{number}") for number, make in enumerate(makers)]
    nodes = [
        make_host(node.id, scheduling_eligibility="ineligible") if number in case.closed else node
        for number, node in enumerate(make_hosts(case.nodes, case.bad))
    ]
    deployments = [make_deployment(job, web=case.begun)] if case.begun else []
    deployments += [make_deployment(old, "successful", web=DeploymentState())] if case.before else []
    return run_system(see(*nodes, job, *allocs, *deployments), profile=profile)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_worked_case_comes_out_as_told(case: Case) -> None:
    """SYSDEP-10, SYSDEP-11, SYSDEP-12, SYSDEP-13, SYSDEP-14, SYSDEP-15, SYSDEP-16."""
    (plan,) = run_case(case).plans
    placed = sum(len(allocs) for allocs in plan.node_allocation.values())
    stopped = sum(len(allocs) for allocs in plan.node_update.values())
    state = plan.deployment.task_groups["web"] if plan.deployment else None
    told = (state.desired_total, state.desired_canaries, len(state.placed_canaries)) if state else None

    assert (placed, stopped, told) == (case.placed, case.stopped, case.state)


def list_ends(outcome: Outcome) -> list[str]:
    """List how deployments stand after the first plan."""
    return [update.status for update in outcome.plans[0].deployment_updates]


def test_a_deployment_that_counts_what_cannot_be_never_ends() -> None:
    """BUG-066, SYSDEP-11, SYSDEP-20: of two nodes one cannot run the job, and the other runs it healthily."""
    half = DeploymentState(desired_total=2, placed_allocs=1, healthy_allocs=1)
    case = Case(roll(1), 0, 0, None, new=1, nodes=2, begun=half, bad=(1,))

    assert list_ends(run_case(case)) == ["successful"]
    assert list_ends(run_case(case, find_profile("nomad-2.0 +BUG-066"))) == []


@pytest.mark.parametrize(
    ("profile", "totals"), [("nomad-2.0", (2, 1)), ("nomad-2.0 +BUG-066", (4, 2))], ids=["counted", "not"]
)
def test_canaries_are_a_share_of_the_nodes_that_can_run_them(profile: str, totals: tuple[int, int]) -> None:
    """BUG-066, SYSDEP-12, SYSDEP-13."""
    case = Case(roll(4, 50), 0, 0, None, old=4, nodes=4, before=True, bad=(2, 3))
    deployment = run_case(case, find_profile(profile)).plans[0].deployment
    state = deployment.task_groups["web"] if deployment else None

    assert state is not None
    assert (state.desired_total, state.desired_canaries) == totals


def test_a_stopped_job_leaves_its_nodes_and_its_deployment() -> None:
    """SYSTEM-10, NODE-05, SYSDEP-05, SYSDEP-20: each visited node cancels the deployment once more."""
    job = make_fleet_job(make_fleet_group(update=roll(1)), stop=True)
    rows = (make_member("n0", job), make_member("n1", job))
    outcome = run_system(see(*make_hosts(2), job, *rows, make_deployment(job, web=BEGUN)))

    assert {node: len(stops) for node, stops in outcome.plans[0].node_update.items()} == {"n0": 1, "n1": 1}
    assert list_ends(outcome) == ["cancelled", "cancelled", "successful"]
    assert outcome.updated_evals[0].queued_allocations == {}


def test_a_purged_job_leaves_its_nodes() -> None:
    """SYSTEM-10, SYSTEM-24, NODE-05, SYSDEP-05: the plan is for the job that its allocations had."""
    job = make_fleet_job()
    outcome = run_system(see(make_host("n0"), make_resident("n0", job), make_deployment(job, web=BEGUN)))
    (plan,) = outcome.plans

    assert plan.job == job
    assert [stop.desired_description for stop in plan.node_update["n0"]] == [
        "alloc not needed due to job update"
    ]
    assert list_ends(outcome) == ["cancelled", "successful"]
    assert outcome.updated_evals[0].queued_allocations == {}


def test_a_job_that_runs_once_knows_no_deployments() -> None:
    """SYSDEP-01, SYSTEM-40."""
    job = make_fleet_job(make_fleet_group(update=roll(1)), type="sysbatch")
    snapshot = see(*make_hosts(2), job, make_deployment(job, web=BEGUN))
    outcome = run_system(snapshot, scheduler="sysbatch")

    placed = [alloc for allocs in outcome.plans[0].node_allocation.values() for alloc in allocs]

    assert outcome.plans[0].deployment is None
    assert [alloc.deployment_id for alloc in placed] == ["", ""]
    assert outcome.updated_evals[0].deployment_id == ""


def test_what_is_told_counts_candidates_as_placements() -> None:
    """SYSTEM-36: one node keeps its allocation, one gets one, one refuses."""
    job = make_fleet_job(make_fleet_group(constraints=(ON_GOOD_NODES,)))
    outcome = run_system(see(*make_hosts(3, bad=(2,)), job, make_resident("n0", job)))
    annotations = outcome.updated_evals[0].plan_annotations
    counts = annotations.desired_tg_updates["web"] if annotations else None

    assert counts is not None
    assert (counts.place, counts.ignore) == (2, 1)


def test_a_plan_that_was_asked_for_is_told_with_it() -> None:
    """SYSTEM-34, SYSTEM-36: even a plan that changes nothing."""
    job = make_fleet_job()
    snapshot = see(make_host("n0"), job, make_resident("n0", job))

    assert run_system(snapshot).plans == ()
    (plan,) = run_system(snapshot, annotate_plan=True).plans
    assert plan.annotations is not None
    assert plan.annotations.desired_tg_updates["web"].ignore == 1


def list_memberships(outcome: Outcome) -> list[str]:
    """List the deployments that the allocations of the first plan belong to."""
    written = outcome.plans[0].node_allocation.values()
    return [alloc.deployment_id for allocs in written for alloc in allocs]


@pytest.mark.parametrize(
    ("status", "deployment_id"),
    [("running", "d1"), ("paused", "d1"), ("failed", ""), ("cancelled", ""), ("successful", "")],
)
def test_only_an_active_deployment_gets_new_allocations(status: str, deployment_id: str) -> None:
    """SYSTEM-33."""
    job = make_fleet_job()
    outcome = run_system(see(make_host("n0"), job, make_deployment(job, status, web=DeploymentState())))

    assert list_memberships(outcome) == [deployment_id]


@pytest.mark.parametrize(("profile", "deployment_id"), [(NOMAD_2_0, "d1"), (INTENDED, "")])
def test_none_should_join_what_is_being_cancelled(profile: Profile, deployment_id: str) -> None:
    """05/S14: the new version has no update block, and the deployment of the old one goes on."""
    job = make_fleet_job()
    start = make_deployment(make_old(job), web=DeploymentState())
    outcome = run_system(see(make_host("n0"), job, start), profile=profile)

    assert list_ends(outcome)[0] == "cancelled"
    assert list_memberships(outcome) == [deployment_id]


@pytest.mark.parametrize(("profile", "deployment_id"), [(NOMAD_2_0, "d1"), (INTENDED, "")])
def test_none_should_join_the_deployment_of_another_version_in_place(
    profile: Profile, deployment_id: str
) -> None:
    """05/S14, SYSTEM-18: the new version has no update block, and that of the old one was deployed."""
    job = make_fleet_job()
    start = make_deployment(make_old(job), "successful", web=DeploymentState())
    row = make_resident("n0", replace(job, version=job.version - 1, job_modify_index=10))
    outcome = run_system(see(make_host("n0"), job, start, row), profile=profile)

    assert list_memberships(outcome) == [deployment_id]


@pytest.mark.parametrize(("profile", "placed"), [(NOMAD_2_0, 4), (INTENDED, 1)])
def test_without_a_deployment_canaries_should_be_limited(profile: Profile, placed: int) -> None:
    """05/S16, SYSDEP-08: one client is too old for a deployment."""
    job = make_fleet_job(make_fleet_group(update=roll(1, 50)))
    hosts = (*make_hosts(3), make_host("n3", attributes={"driver.exec": "1", "nomad.version": "1.9.0"}))
    rows = [make_resident(host.id, make_old(job)) for host in hosts]
    outcome = run_system(see(*hosts, job, *rows), profile=profile)

    assert outcome.plans[0].deployment is None
    assert len(list_memberships(outcome)) == placed


def _use(cpu_mhz: int) -> AllocatedResources:
    return AllocatedResources(tasks={"main": AllocatedTask(cpu=AllocatedCpu(cpu_shares=cpu_mhz))})


@pytest.mark.parametrize(
    ("profile", "placed"),
    [
        ("nomad-2.0", {"n0": {"j.web[0]", "j.db[0]"}, "n1": {"j.db[0]"}}),
        ("nomad-2.0 -X-78", {"n0": {"j.web[0]", "j.db[0]"}}),
        ("intended", {"n0": {"j.web[0]", "j.db[0]"}}),
    ],
)
def test_no_group_should_be_placed_in_room_that_is_taken_back(
    profile: str, placed: dict[str, set[str]]
) -> None:
    """X-78, SYSTEM-21, SYSDEP-14: a node has room for the old version, or for both groups of the new one."""
    job = make_fleet_job(make_fleet_group(update=roll(1, 50)), make_fleet_group("db"))
    rows = [make_resident(node, make_old(job), allocated_resources=_use(800)) for node in ("n0", "n1")]
    hosts = (make_host("n0", cpu_mhz=1200), make_host("n1", cpu_mhz=1200))
    plan = run_system(see(*hosts, job, *rows), profile=find_profile(profile)).plans[0]

    written = {
        node: {alloc.name for alloc in allocs} for node, allocs in plan.node_allocation.items() if allocs
    }
    assert written == placed
    assert [stop.node_id for stops in plan.node_update.values() for stop in stops] == ["n0"]
    state = plan.deployment.task_groups["web"] if plan.deployment else None
    assert state is not None
    assert (state.desired_canaries, len(state.placed_canaries)) == (1, 1)


@pytest.mark.parametrize(("is_known", "evicted"), [(False, 2), (True, 1)])
def test_canaries_that_are_there_make_no_room_again(is_known: bool, evicted: int) -> None:
    """X-78, SYSDEP-13: of four nodes two try the new version."""
    job = make_fleet_job(make_fleet_group(update=roll(2, 50)))
    rows = [make_resident(f"n{number}", make_old(job)) for number in range(3)]
    known = make_member("n3", job, canary=True) if is_known else make_resident("n3", make_old(job))
    start = make_deployment(job, web=DeploymentState(desired_total=4))
    outcome = run_system(see(*make_hosts(4), job, start, *rows, known), profile=INTENDED)

    assert sum(map(len, outcome.plans[0].node_update.values())) == evicted


@pytest.mark.parametrize(("profile", "placed"), [(NOMAD_2_0, 4), (INTENDED, 1)])
def test_a_first_version_has_no_canaries(profile: Profile, placed: int) -> None:
    """05/S16, SYSDEP-12: a job was purged, and one of its name is registered again."""
    job = make_fleet_job(make_fleet_group(update=roll(1, 50)), version=0, job_modify_index=30)
    rows = [make_resident(host.id, make_old(job)) for host in make_hosts(4)]
    outcome = run_system(see(*make_hosts(4), job, *rows), profile=profile)

    assert outcome.plans[0].deployment is not None
    assert len(list_memberships(outcome)) == placed


def test_every_node_is_looked_at_whatever_the_evaluation_is_about() -> None:
    """SYSTEM-09."""
    job = make_fleet_job()
    (plan,) = run_system(see(*make_hosts(2), job), node_id="n1", triggered_by="node-update").plans

    assert sorted(plan.node_allocation) == ["n0", "n1"]


def test_each_bucket_has_its_words() -> None:
    """SYSTEM-13, SYSTEM-14, NODE-05, NODE-06, NODE-11, NODE-12."""
    job = make_fleet_job()
    hosts = (
        *make_hosts(2),
        make_host("n2", status="down"),
        make_host("n3", status="disconnected"),
        make_host("n4", status="down"),
    )
    rows = (
        make_resident("n0", job, "gone"),
        make_resident("n1", job, desired_transition=DesiredTransition(migrate=True)),
        make_resident("n2", job),
        make_resident("n3", job),
        make_resident("n4", job, desired_status="stop"),
    )
    (plan,) = run_system(see(*hosts, job, *rows)).plans
    stops = {
        node: (each.desired_description, each.client_status) for node, (each,) in plan.node_update.items()
    }
    (unknown,) = plan.node_allocation["n3"]

    assert stops == {
        "n0": ("alloc not needed due to job update", "running"),
        "n1": ("alloc not needed as node is tainted", "running"),
        "n2": ("alloc is lost since its node is down", "lost"),
        "n4": ("alloc is lost since its node is down", "lost"),
    }
    assert (unknown.client_status, unknown.desired_status) == ("unknown", "run")
    assert [state.value for state in unknown.alloc_states] == ["unknown"]


def test_what_failed_is_replaced_without_any_policy() -> None:
    """SYSTEM-39, NODE-27."""
    job = make_fleet_job(make_fleet_group(reschedule_policy=ReschedulePolicy()))
    outcome = run_system(see(make_host("n0"), job, make_failed("n0", job)))
    (alloc,) = outcome.plans[0].node_allocation["n0"]

    assert (alloc.previous_allocation, alloc.reschedule_tracker) == ("web-n0", None)
    assert outcome.created_evals == ()


def test_nothing_comes_later_when_a_limit_is_reached() -> None:
    """SYSTEM-23."""
    outcome = run_case(CASES["V1"])
    (written,) = outcome.updated_evals

    assert outcome.created_evals == ()
    assert (written.status, written.next_eval) == ("complete", "")


def test_canaries_that_were_taken_back_still_wait() -> None:
    """SYSDEP-18."""
    (written,) = run_case(CASES["V7"]).updated_evals

    assert written.queued_allocations == {"web": 8}


def test_an_empty_node_gets_the_new_version_while_canaries_are_out() -> None:
    """SYSDEP-19."""
    case = CASES["V10"]._replace(nodes=11)
    (plan,) = run_case(case).plans
    (alloc,) = plan.node_allocation["n10"]

    assert (alloc.deployment_status, alloc.previous_allocation) == (None, "")
    assert not plan.node_update.get("n10")


def test_a_deployment_of_what_runs_nowhere_ends_at_once() -> None:
    """SYSDEP-26."""
    outcome = run_case(Case(roll(1), 0, 0, None, nodes=2, bad=(0, 1)))
    deployment = outcome.plans[0].deployment

    assert list_ends(outcome) == ["running", "successful"]
    assert deployment is not None
    assert deployment.task_groups == {"web": DeploymentState()}


def test_the_latest_deployment_counts_whatever_its_status() -> None:
    """SYSDEP-02, SYSDEP-09, SYSDEP-23, SYSTEM-37."""
    job = make_fleet_job()
    earlier = replace(make_deployment(job, web=DeploymentState()), id="d0", create_index=1)
    latest = make_deployment(job, "failed", web=DeploymentState())
    outcome = run_system(see(make_host("n0"), job, make_resident("n0", job), earlier, latest))

    assert outcome.plans[0].deployment is not None
    assert outcome.updated_evals[0].deployment_id == "d1"


def test_why_is_told_of_what_the_limit_holds_back() -> None:
    """SYSTEM-21."""
    job = make_fleet_job(update=UpdateStrategy(max_parallel=1))
    allocs = [make_resident(f"n{number}", make_old(job)) for number in range(2)]
    call = make_call(
        see(*make_hosts(2), *allocs, job), Answer(), evaluation=make_eval(type="system"), scheduler="system"
    )
    call.reasons = ReasonLog(is_on=True)
    SystemAttempt(call).run()

    reasons = call.reasons.build()

    assert reasons is not None
    assert [
        ("web-n0", "destructive", "SYSTEM-15"),
        ("web-n1", "destructive", "SYSTEM-15"),
        ("web-n1", "held back", "SYSTEM-21"),
    ] == [(each.alloc_id, each.verdict, each.rule) for each in reasons.judgements]
