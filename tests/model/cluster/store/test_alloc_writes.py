"""The writes that change allocations."""

import pytest

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    AllocState,
    DesiredTransition,
    Job,
    TaskState,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.alloc_writes import write_planned_alloc, write_transition
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.store.made import KEY, make_alloc, make_job, need, register, with_rows


def write(
    alloc: Allocation,
    before: Allocation | None = None,
    profile: Profile = NOMAD_2_0,
    state: State | None = None,
) -> Allocation | None:
    known = () if before is None else (before,)
    draft = Draft.of(with_rows(state or register(), known), 9, 0, profile=profile)
    return write_planned_alloc(draft, alloc)


def test_a_new_one_bears_the_index_three_times_and_dates_its_health() -> None:
    """OBJ-407, OBJ-255."""
    alloc = need(write(make_alloc(job=make_job(), deployment_status=AllocDeploymentStatus(canary=True))))

    assert (9, 9, 9) == (alloc.create_index, alloc.modify_index, alloc.alloc_modify_index)
    assert 9 == need(alloc.deployment_status).modify_index


@pytest.mark.parametrize("job", [make_job(stop=True), make_job(id="other")])
def test_one_whose_job_is_stopped_or_gone_is_left_out(job: Job) -> None:
    """PLAN-73."""
    state = State.of(jobs=[job])

    assert write(make_alloc(job=job), state=state) is None


def test_one_without_a_job_or_an_evaluation_is_refused() -> None:
    """PLAN-72, PLAN-73."""
    with pytest.raises(RefusedError, match="without a job"):
        write(make_alloc())
    with pytest.raises(RefusedError, match="missing value for index 'eval'"):
        write(make_alloc(job=make_job(), eval_id=""))


def test_a_known_one_keeps_what_the_client_said() -> None:
    """OBJ-408."""
    before = make_alloc(
        client_status="running",
        client_description="so said",
        task_states={"t": TaskState(state="running")},
        next_allocation="next",
        create_index=3,
    )
    alloc = need(write(make_alloc(client_status="pending", eval_id="e2", create_index=77), before))

    assert ("running", "so said", "next") == (
        alloc.client_status,
        alloc.client_description,
        alloc.next_allocation,
    )
    assert before.task_states == alloc.task_states
    assert (3, 9, 9, "e2") == (
        alloc.create_index,
        alloc.modify_index,
        alloc.alloc_modify_index,
        alloc.eval_id,
    )
    assert "web" == need(alloc.job).id


@pytest.mark.parametrize("status", ["lost", "unknown"])
def test_lost_and_unknown_are_for_servers_to_say(status: str) -> None:
    """PLAN-74."""
    assert (
        status
        == need(write(make_alloc(client_status=status), make_alloc(client_status="running"))).client_status
    )


def test_a_final_report_is_written_over_but_not_as_intended() -> None:
    """X-05."""
    before, lost = make_alloc(client_status="complete"), make_alloc(client_status="lost")

    assert "lost" == need(write(lost, before)).client_status
    assert "complete" == need(write(lost, before, INTENDED)).client_status


def test_a_stopped_one_is_revived_but_not_as_intended() -> None:
    """OBJ-212, X-04."""
    before = make_alloc(desired_status="stop", desired_description="why")

    assert "run" == need(write(make_alloc(), before)).desired_status
    kept = need(write(make_alloc(), before, INTENDED))
    assert ("stop", "why") == (kept.desired_status, kept.desired_description)


def test_what_was_asked_of_it_is_erased_but_not_as_intended() -> None:
    """OBJ-215, X-73."""
    before = make_alloc(desired_transition=DesiredTransition(migrate=True, reschedule=False))

    assert DesiredTransition() == need(write(make_alloc(), before)).desired_transition
    assert before.desired_transition == need(write(make_alloc(), before, INTENDED)).desired_transition


def test_the_one_before_it_learns_of_it() -> None:
    """OBJ-409, PLAN-76."""
    draft = Draft.of(
        with_rows(register(), (make_alloc(alloc_modify_index=4, modify_time_ns=5),)), 9, profile=NOMAD_2_0
    )
    write_planned_alloc(draft, make_alloc(id="a2", job=make_job(), previous_allocation="a1"))
    previous = draft.allocs["a1"]

    assert ("a2", 9, 4, 5) == (
        previous.next_allocation,
        previous.modify_index,
        previous.alloc_modify_index,
        previous.modify_time_ns,
    )


def test_a_predecessor_that_is_gone_is_no_matter() -> None:
    assert write(make_alloc(job=make_job(), previous_allocation="gone")) is not None


def test_its_states_are_those_of_the_plan() -> None:
    before = make_alloc(alloc_states=(AllocState(value="unknown"),))

    assert () == need(write(make_alloc(), before)).alloc_states


def test_what_is_asked_is_overlaid_flag_by_flag() -> None:
    """OBJ-215, ALLOC-15."""
    alloc = make_alloc(desired_transition=DesiredTransition(migrate=True, reschedule=True), modify_time_ns=5)
    draft = Draft.of(register(), 9, profile=NOMAD_2_0)
    write_transition(draft, alloc, DesiredTransition(reschedule=False, no_shutdown_delay=True))
    after = draft.allocs["a1"]

    assert (
        DesiredTransition(migrate=True, reschedule=False, no_shutdown_delay=True) == after.desired_transition
    )
    assert (9, 9, 5) == (after.modify_index, after.alloc_modify_index, after.modify_time_ns)
    assert 9 == draft.finish().index_of("allocs")
    assert KEY in draft.jobs
