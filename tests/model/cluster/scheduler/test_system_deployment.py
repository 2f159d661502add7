"""What becomes of the deployment once placements were tried."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    Job,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.system_deployment import SystemDeployment, compute_canaries
from nomadspec.model.cluster.scheduler.system_tally import Tally
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile
from tests.model.cluster.scheduler.fleet import (
    make_deployment,
    make_fleet_group,
    make_fleet_job,
    make_member,
    make_old,
    make_resident,
    roll,
    see,
)
from tests.model.cluster.scheduler.made import make_context

JOB = make_fleet_job(make_fleet_group(update=roll(3, 50)))
DONE = DeploymentState(desired_total=2, healthy_allocs=2)
CANARY = AllocDeploymentStatus(canary=True)


def make_advancing(
    state: DeploymentState | None,
    tally: Tally,
    *,
    job: Job = JOB,
    status: str = "running",
    is_descending: bool = False,
    **fields: Any,
) -> SystemDeployment:
    usual: dict[str, Any] = {
        "job": job,
        "deployment": make_deployment(job, status, web=state),
        "plan": make_context(see(job), job).plan,
        "choices": ReplayedChoices(is_descending=is_descending),
        "tallies": {"web": tally},
        "ignored": (),
        "requested": (),
        "placed": (),
        "profile": NOMAD_2_0,
    }
    return SystemDeployment(**usual | fields)


def replace_all(*nodes: str, is_descending: bool = False, old: Allocation | None = None) -> SystemDeployment:
    """Put a canary on each node, where it comes after an allocation of the version before."""
    before = [old or make_resident(node, make_old(JOB), alloc_id=f"old-{node}") for node in nodes]
    new = [
        make_resident(
            alloc.node_id, JOB, alloc_id=f"new-{node}", deployment_status=CANARY, previous_allocation=alloc.id
        )
        for node, alloc in zip(nodes, before, strict=True)
    ]
    requested = tuple(
        NodeEntry(name=alloc.name, group=make_fleet_group(), alloc=alloc, is_canary=True) for alloc in before
    )
    advancing = make_advancing(
        DeploymentState(),
        Tally(candidates=len(nodes), destructive=len(nodes)),
        is_descending=is_descending,
        requested=requested,
        placed=tuple(new),
    )
    for alloc, successor in zip(before, new, strict=True):
        advancing.plan.append_stop(alloc, "")
        advancing.plan.append_alloc(successor)
    return advancing


def find_state(deployment: Deployment | None) -> DeploymentState:
    assert deployment is not None
    state = deployment.task_groups["web"]
    assert state is not None
    return state


@pytest.mark.parametrize(
    ("is_descending", "kept"), [(False, ("new-n0", "new-n1")), (True, ("new-n3", "new-n2"))]
)
def test_canaries_that_are_too_many_are_taken_back(*, is_descending: bool, kept: tuple[str, ...]) -> None:
    """SYSDEP-13, SYSDEP-14, SYSDEP-15: half of four nodes; the keys of the others stay."""
    advancing = replace_all("n0", "n1", "n2", "n3", is_descending=is_descending)
    state = find_state(advancing.advance())
    plan = advancing.plan.build()

    assert (state.desired_canaries, state.placed_canaries) == (2, kept)
    assert advancing.canaries == {"web": 2}
    for lists in (plan.node_allocation, plan.node_update):
        assert sorted(lists) == ["n0", "n1", "n2", "n3"]
        assert sorted(node for node, allocs in lists.items() if allocs) == sorted(each[4:] for each in kept)


def test_known_canaries_are_listed_first() -> None:
    """SYSDEP-13, SYSDEP-15."""
    known = make_member("n8", JOB, canary=True, alloc_id="known")
    advancing = replace_all("n0", "n1", "n2")
    advancing.ignored = (NodeEntry(name=known.name, group=make_fleet_group(), alloc=known),)

    assert find_state(advancing.advance()).placed_canaries == ("known", "new-n0")


def test_the_successor_of_a_canary_stays() -> None:
    """SYSDEP-14: it lowers what is needed, and lowers it again when it is walked past."""
    earlier = make_resident("n0", make_old(JOB), alloc_id="old", deployment_status=CANARY)
    state = find_state(replace_all("n0", old=earlier).advance())

    assert (state.desired_canaries, state.placed_canaries) == (1, ("new-n0",))


@pytest.mark.parametrize(
    ("canary", "nodes", "canaries"),
    [(30, 10, 3), (25, 10, 3), (1, 1, 1), (100, 9, 4), (200, 1, 2)],
)
def test_the_share_is_rounded_up_and_limited(canary: int, nodes: int, canaries: int) -> None:
    """SYSDEP-13."""
    assert compute_canaries(make_fleet_group(update=roll(4, canary)), nodes) == canaries


def test_without_an_update_block_there_is_no_share() -> None:
    assert compute_canaries(make_fleet_group(), 10) == 0


def test_canaries_that_are_lost_are_waited_for_by_the_release_where_nothing_is_left_to_be_replaced() -> None:
    """X-72, SYSDEP-15, SYSDEP-21."""
    known = NodeEntry(
        name="j.web[0]", group=make_fleet_group(), alloc=make_member("n8", JOB, canary=True, alloc_id="known")
    )
    state = DeploymentState(desired_canaries=2, placed_canaries=("lost", "known"), healthy_allocs=2)
    awaited = {}
    for profile in (NOMAD_2_0, find_profile("nomad-2.0 -X-72")):
        for ignored in ((), (known,)):
            advancing = make_advancing(state, Tally(candidates=2), ignored=ignored, profile=profile)
            after = find_state(advancing.advance())
            ends = [update.status for update in advancing.updates]
            awaited[profile.name, len(ignored)] = (after.desired_canaries, after.placed_canaries, ends)

    both: tuple[int, tuple[str, ...], list[str]] = (2, ("lost", "known"), [])
    assert awaited == {
        ("nomad-2.0", 0): both,
        ("nomad-2.0", 1): both,
        ("nomad-2.0 -X-72", 0): (0, (), ["successful"]),
        ("nomad-2.0 -X-72", 1): (1, ("known",), []),
    }


@pytest.mark.parametrize(
    ("job", "state", "tally"),
    [
        (JOB, DeploymentState(promoted=True), Tally(candidates=2, destructive=2)),
        (make_fleet_job(*JOB.task_groups, version=0), DeploymentState(), Tally(candidates=2, destructive=2)),
        (JOB, DeploymentState(), Tally(candidates=2)),
        (
            make_fleet_job(make_fleet_group(update=roll(2))),
            DeploymentState(),
            Tally(candidates=2, destructive=2),
        ),
    ],
    ids=["promoted", "the first version", "nothing to replace", "no canaries"],
)
def test_without_a_trial_the_canaries_are_kept(job: Job, state: DeploymentState, tally: Tally) -> None:
    """SYSDEP-12, SYSDEP-15."""
    stored = replace(state, desired_canaries=1, placed_canaries=("c",))
    advanced = find_state(make_advancing(stored, tally, job=job).advance())

    assert (advanced.desired_total, advanced.desired_canaries, advanced.placed_canaries) == (2, 1, ("c",))


@pytest.mark.parametrize(
    ("state", "tally", "status", "ends"),
    [
        (DONE, Tally(candidates=2), "running", ["successful"]),
        (DONE, Tally(candidates=3), "running", []),
        (DeploymentState(desired_canaries=1), Tally(candidates=1), "running", []),
        (DONE, Tally(candidates=2), "successful", ["successful"]),
        (DONE, Tally(candidates=2), "failed", ["successful"]),
        (DONE, Tally(candidates=2), "initializing", ["successful", "pending"]),
    ],
    ids=["complete", "one is missing", "to be promoted", "again", "failed", "initializing"],
)
def test_a_complete_deployment_ends(
    state: DeploymentState, tally: Tally, status: str, ends: list[str]
) -> None:
    """SYSDEP-20, SYSDEP-21, SYSDEP-23: whatever its status, the plan carries it."""
    advancing = make_advancing(state, tally, status=status)

    assert advancing.advance() is not None
    assert [update.status for update in advancing.updates] == ends


@pytest.mark.parametrize(
    ("status", "end"), [("running", "blocked"), ("unblocking", "successful"), ("successful", "successful")]
)
def test_with_other_regions_it_waits_for_them(status: str, end: str) -> None:
    """SYSDEP-21."""
    advancing = make_advancing(DONE, Tally(candidates=2), status=status)
    advancing.deployment = replace(advancing.deployment, is_multiregion=True)
    advancing.advance()

    assert [update.status for update in advancing.updates] == [end]


@pytest.mark.parametrize(
    ("auto_promote", "description"),
    [
        (True, "Deployment is running pending automatic promotion"),
        (False, "Deployment is running but requires manual promotion"),
    ],
)
def test_who_promotes_is_said(*, auto_promote: bool, description: str) -> None:
    """SYSDEP-21."""
    waiting = DeploymentState(desired_canaries=1, auto_promote=auto_promote)
    deployment = make_advancing(waiting, Tally(candidates=1)).advance()

    assert deployment is not None
    assert deployment.status_description == description


def test_a_group_without_candidates_does_not_count() -> None:
    """SYSDEP-11, SYSDEP-20."""
    advancing = make_advancing(DeploymentState(desired_total=5), Tally())
    state = find_state(advancing.advance())

    assert state.desired_total == 5
    assert [update.status for update in advancing.updates] == ["successful"]


def test_it_is_cleared_under_a_deployment_that_has_ended_well() -> None:
    """SYSDEP-11, SYSDEP-22: and a deployment of nothing is dropped, with all that was said of it."""
    advancing = make_advancing(DONE, Tally(), status="successful")

    assert advancing.advance() is None
    assert advancing.updates == []


def test_a_group_that_does_not_take_part_is_skipped() -> None:
    """SYSDEP-11."""
    advancing = make_advancing(None, Tally(candidates=2, destructive=1))
    advancing.deployment = replace(
        advancing.deployment, task_groups={**advancing.deployment.task_groups, "gone": DeploymentState()}
    )
    deployment = advancing.advance()

    assert deployment is not None
    assert deployment.task_groups["web"] is None
    assert [update.status for update in advancing.updates] == ["successful"]


def test_a_deployment_without_a_node_left_is_successful_in_the_release_alone() -> None:
    """X-53, SYSDEP-20."""
    state = DeploymentState(desired_total=2)
    shipped = make_advancing(state, Tally(candidates=0))
    intended = make_advancing(state, Tally(candidates=0), profile=INTENDED)
    unasked = make_advancing(DeploymentState(), Tally(candidates=0), profile=INTENDED)

    for advancing in (shipped, intended, unasked):
        advancing.advance()

    assert ["successful"] == [each.status for each in shipped.updates]
    assert [] == intended.updates
    assert ["successful"] == [each.status for each in unasked.updates]


def test_a_paused_deployment_with_canaries_to_promote_is_successful_in_the_release_alone() -> None:
    """X-68, SYSDEP-21."""
    state = DeploymentState(desired_canaries=1)
    several = [
        make_advancing(state, Tally(candidates=0), status="paused", profile=profile)
        for profile in (NOMAD_2_0, INTENDED)
    ]
    for advancing in several:
        advancing.advance()

    assert [1, 0] == [len(advancing.updates) for advancing in several]


def test_a_deployment_of_a_group_that_is_gone_is_successful_in_the_release_alone() -> None:
    """X-53, SYSDEP-20."""
    deployment = make_deployment(JOB, "cancelled", db=DeploymentState(desired_total=1))
    tallies = {"web": Tally(candidates=1)}
    several = [
        make_advancing(None, Tally(), deployment=deployment, tallies=tallies, profile=profile)
        for profile in (NOMAD_2_0, INTENDED)
    ]
    for advancing in several:
        advancing.advance()

    assert [1, 0] == [len(advancing.updates) for advancing in several]


def test_what_has_ended_is_counted_as_healthy_in_the_release_alone() -> None:
    """X-50, SYSDEP-20."""
    state = DeploymentState(desired_total=1, healthy_allocs=1)
    shipped = make_advancing(state, Tally(candidates=1))
    intended = make_advancing(state, Tally(candidates=1), profile=INTENDED)

    for advancing in (shipped, intended):
        advancing.advance()

    assert (1, 0) == (len(shipped.updates), len(intended.updates))
