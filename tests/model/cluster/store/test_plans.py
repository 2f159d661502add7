"""The entry that commits a plan: PLAN-70."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocState,
    DeploymentState,
    DeploymentStatusUpdate,
    Node,
)
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.handed_to_leader import Enqueue
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.store.made import (
    KEY,
    NOW_NS,
    do,
    make_alloc,
    make_deployment,
    make_eval,
    make_job,
    need,
    register,
    with_rows,
)


def begin(*allocs: Allocation) -> State:
    return with_rows(register(), allocs, (make_eval(modify_time_ns=3),))


def commit(state: State, profile: Profile = NOMAD_2_0, **fields: object) -> Applied:
    request = replace(ApplyPlanResults(job=make_job(), eval_id="e1", updated_at_ns=50), **fields)
    return do(state, request, profile=profile)


def test_a_placement_gets_the_job_of_the_plan_and_makes_it_run() -> None:
    """PLAN-71, OBJ-053."""
    state = commit(begin(), allocs_updated=(make_alloc(),)).state

    assert "web" == need(need(state.find_alloc("a1")).job).id
    assert ("running", 10) == (need(state.find_job(*KEY)).status, need(state.find_job(*KEY)).modify_index)


def test_the_evaluation_moves_its_index_and_nothing_else() -> None:
    """EVAL-34, OBJ-415."""
    evaluation = need(commit(begin()).state.find_eval("e1"))

    assert (10, 3, "pending") == (evaluation.modify_index, evaluation.modify_time_ns, evaluation.status)


def test_a_plan_of_no_evaluation() -> None:
    assert commit(register(), eval_id="").error is None


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"eval_id": "gone"}, 'unable to find eval id "gone"'),
        ({"allocs_stopped": (Allocation(id="gone"),)}, "alloc gone doesn't exist"),
        ({"allocs_preempted": (Allocation(id="gone"),)}, "alloc gone doesn't exist"),
        ({"ineligible_nodes": ("gone",)}, "node not found"),
    ],
)
def test_what_refuses_the_whole_plan(fields: dict[str, Any], text: str) -> None:
    """PLAN-70, 03/S12."""
    state = begin()
    applied = commit(state, allocs_updated=(make_alloc(),), **fields)

    assert (text, state) == (applied.error, applied.state)


def test_a_stop_is_expanded_from_the_store_and_wipes_the_history() -> None:
    """PLAN-40, ALLOC-07, 01/S10."""
    known = make_alloc(
        client_status="running", alloc_states=(AllocState(value="unknown"),), followup_eval_id="f"
    )
    stop = Allocation(id="a1", desired_description="no longer needed", modify_time_ns=8)
    alloc = need(commit(begin(known), allocs_stopped=(stop,)).state.find_alloc("a1"))

    assert ("stop", "no longer needed", "running", "f", (), 8) == (
        alloc.desired_status,
        alloc.desired_description,
        alloc.client_status,
        alloc.followup_eval_id,
        alloc.alloc_states,
        alloc.modify_time_ns,
    )


def test_an_update_that_names_no_follow_up_forgets_it() -> None:
    """OBJ-226: a stop keeps it."""
    state = begin(make_alloc(followup_eval_id="f"))
    rewritten = need(commit(state, allocs_updated=(make_alloc(),)).state.find_alloc("a1"))
    stopped = need(commit(state, allocs_stopped=(Allocation(id="a1"),)).state.find_alloc("a1"))

    assert ("", "f") == (rewritten.followup_eval_id, stopped.followup_eval_id)


def test_a_stop_may_say_that_it_is_lost() -> None:
    stop = Allocation(id="a1", client_status="lost", followup_eval_id="g")
    alloc = need(commit(begin(make_alloc()), allocs_stopped=(stop,)).state.find_alloc("a1"))

    assert ("lost", "g") == (alloc.client_status, alloc.followup_eval_id)


def test_an_eviction_names_who_took_the_place() -> None:
    """PLAN-40."""
    eviction = Allocation(id="a1", preempted_by_allocation="winner", modify_time_ns=8)
    evals = (make_eval(id="p", job_id="other"),)
    applied = commit(begin(make_alloc()), allocs_preempted=(eviction,), preemption_evals=evals)
    alloc = need(applied.state.find_alloc("a1"))

    assert ("evict", "Preempted by alloc ID winner", "winner") == (
        alloc.desired_status,
        alloc.desired_description,
        alloc.preempted_by_allocation,
    )
    assert [Enqueue(need(applied.state.find_eval("p")))] == list(applied.handed)


def test_a_node_that_refused_too_often_is_closed() -> None:
    """PLAN-70, 03/S11."""
    draft = Draft.of(begin(), 3, profile=NOMAD_2_0)
    draft.put(Node(id="n1", scheduling_eligibility="eligible"))
    node = need(commit(draft.finish(), ineligible_nodes=("n1",)).state.find_node("n1"))

    assert ("ineligible", 50, 10) == (
        node.scheduling_eligibility,
        node.status_updated_at_s,
        node.modify_index,
    )
    assert [("Scheduler", NOW_NS, 10)] == [
        (event.subsystem, event.timestamp_ns, event.create_index) for event in node.events
    ]


def test_updates_of_deployments_stop_at_the_first_that_cannot_be() -> None:
    """01/S15."""
    state = with_rows(begin(), deployments=(make_deployment(), make_deployment(id="d2")))
    updates = [DeploymentStatusUpdate(deployment_id=name, status="failed") for name in ("d1", "gone", "d2")]
    after = commit(state, deployment_updates=tuple(updates)).state

    assert ("failed", 50) == (
        need(after.find_deployment("d1")).status,
        need(after.find_deployment("d1")).modify_time_ns,
    )
    assert "running" == need(after.find_deployment("d2")).status


def test_a_new_deployment_that_its_plan_lets_run_has_its_deadline_from_the_plan() -> None:
    """SYSDEP-25: the update comes after the deployment, so that its description stays."""
    made = make_deployment(DeploymentState(progress_deadline_ns=100), status_description="before")
    update = DeploymentStatusUpdate(
        deployment_id="d1", status="running", status_description="Deployment is running", updated_at_ns=50
    )
    begun = need(commit(begin(), deployment=made, deployment_updates=(update,)).state.find_deployment("d1"))

    assert ("running", "Deployment is running") == (begun.status, begun.status_description)
    assert 150 == need(begun.task_groups["g"]).require_progress_by_ns


def test_an_undone_promotion_refuses_the_whole_plan() -> None:
    state = with_rows(begin(), deployments=(make_deployment(DeploymentState(promoted=True)),))

    assert "deployment promotion cannot be undone" == commit(state, deployment=make_deployment()).error


def test_a_deployment_of_a_job_that_is_gone_is_begun_but_not_as_intended() -> None:
    """X-23."""
    orphan = make_deployment(job_id="gone")

    assert 1 == len(commit(begin(), deployment=orphan).state.deployments)
    assert 0 == len(commit(begin(), INTENDED, deployment=orphan).state.deployments)


def test_a_deployment_of_an_earlier_job_of_the_name_is_begun_but_not_as_intended() -> None:
    """X-23: the job was purged and registered again while the plan was in flight."""
    earlier = replace(make_deployment(), job_create_index=999)

    assert 1 == len(commit(begin(), deployment=earlier).state.deployments)
    assert 0 == len(commit(begin(), INTENDED, deployment=earlier).state.deployments)


def test_an_update_in_place_makes_a_stopped_system_job_run_but_not_as_intended() -> None:
    """01/S4."""
    stopped = with_rows(register(type="system", stop=True), (make_alloc(),), (make_eval(),))

    def read_status(profile: Profile) -> str:
        state = commit(stopped, profile, allocs_updated=(make_alloc(),)).state
        return need(state.find_job(*KEY)).status

    assert ("running", "dead") == (read_status(NOMAD_2_0), read_status(INTENDED))


def test_the_last_alloc_of_a_job_decides() -> None:
    """OBJ-053: placements come first, then stops."""
    state = begin(make_alloc(id="a2", client_status="complete"))
    after = commit(state, allocs_updated=(make_alloc(),), allocs_stopped=(Allocation(id="a2"),)).state

    assert "running" == need(after.find_job(*KEY)).status  # derived: the other one still lives


def test_a_placement_of_a_stopped_job_is_left_out_in_silence() -> None:
    """PLAN-73."""
    state = with_rows(register(stop=True), evals=(make_eval(),))
    applied = commit(state, allocs_updated=(make_alloc(),))

    assert (None, 0) == (applied.error, len(applied.state.allocs))
    assert 10 == applied.state.index_of("allocs")
