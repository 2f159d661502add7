"""Counts of a job's allocations and children: OBJ-390..393."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    JobChildrenSummary,
    JobSummary,
    ParameterizedJobConfig,
    TaskGroup,
    TaskGroupSummary,
)
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.requests import ReconcileJobSummaries
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.cluster.store.summaries import bury_child, count_alloc, count_child
from nomadspec.model.cluster.store.tables import JOB_SUMMARIES
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import KEY, make_alloc, make_eval, make_job, need, register, update_evals


def read_group(state: State, name: str = "g") -> TaskGroupSummary:
    return need(state.find_job_summary(*KEY)).summary[name]


def count(before: str | None, after: str, **counts: int) -> TaskGroupSummary:
    state = register()
    summary = need(state.find_job_summary(*KEY))
    draft = Draft.of(state, 5, profile=NOMAD_2_0)
    group = TaskGroupSummary(**counts)
    draft.put(replace(summary, summary={"g": group}))
    job = state.find_job(*KEY)
    old = None if before is None else make_alloc(client_status=before, job=job)
    count_alloc(draft, make_alloc(client_status=after, job=job), old)
    return read_group(draft.finish())


def test_a_new_alloc_starts_and_is_no_longer_queued() -> None:
    assert TaskGroupSummary(starting=1, queued=2) == count(None, "pending", queued=3)
    assert TaskGroupSummary(starting=1) == count(None, "pending")


@pytest.mark.parametrize(
    ("before", "after", "counted"),
    [
        ("pending", "running", TaskGroupSummary(running=1)),
        ("running", "complete", TaskGroupSummary(complete=1, starting=1)),
        ("unknown", "running", TaskGroupSummary(running=1, starting=1)),
        ("complete", "running", TaskGroupSummary(running=1, starting=1)),
    ],
)
def test_a_change_raises_one_counter_and_lowers_another_down_to_zero(
    before: str, after: str, counted: TaskGroupSummary
) -> None:
    assert counted == count(before, after, starting=1)


def test_failed_and_complete_never_go_down() -> None:
    assert TaskGroupSummary(complete=1, failed=2) == count("complete", "failed", complete=1, failed=1)


def test_allocs_of_an_earlier_job_are_not_counted() -> None:
    draft = Draft.of(register(), 5, profile=NOMAD_2_0)
    count_alloc(draft, make_alloc(job=make_job(create_index=1)), None)

    assert {} == draft.written


def test_a_group_that_the_summary_does_not_know_is_refused() -> None:
    """JOB-34."""
    state = register()
    alloc = make_alloc(task_group="other", job=state.find_job(*KEY))

    with pytest.raises(RefusedError, match='"other"'):
        count_alloc(Draft.of(state, 5, profile=NOMAD_2_0), alloc, None)


def test_a_new_version_adds_groups_and_drops_none() -> None:
    """OBJ-390."""
    state = register(register(), 3, task_groups=(TaskGroup(name="new"),))
    summary = need(state.find_job_summary(*KEY))

    assert {"g", "new"} == set(summary.summary)
    assert (2, 3) == (summary.create_index, summary.modify_index)


def test_evaluations_say_what_is_queued_for_known_groups() -> None:
    """OBJ-392."""
    state = update_evals(register(), make_eval(queued_allocations={"g": 4, "other": 1})).state

    assert TaskGroupSummary(queued=4) == read_group(state)
    assert 10 == state.index_of("job_summary")


def test_what_is_queued_already_moves_nothing() -> None:
    state = update_evals(register(), make_eval(queued_allocations={"g": 0})).state

    assert 2 == state.index_of("job_summary")


def test_children_move_from_one_status_to_another() -> None:
    """OBJ-393."""
    child = make_job(id="web/dispatch-1", parent_id="web")
    draft = Draft.of(register(), 5, profile=NOMAD_2_0)
    count_child(draft, child, "", "pending")
    count_child(draft, child, "pending", "running")

    assert JobChildrenSummary(running=1) == need(draft.job_summaries.get(KEY)).children


@pytest.mark.parametrize(("status", "dead"), [("pending", 1), ("running", 1), ("dead", 0)])
def test_a_purged_child_is_dead_if_it_was_not_before(status: str, dead: int) -> None:
    """OBJ-393."""
    child = make_job(id="web/dispatch-1", parent_id="web", status=status)
    draft = Draft.of(register(), 5, profile=NOMAD_2_0)
    count_child(draft, child, "", status)
    bury_child(draft, child)

    counts = need(need(draft.job_summaries.get(KEY)).children)

    assert dead + (status == "dead") == counts.dead
    assert 0 == counts.pending + counts.running


def reconcile(state: State) -> State:
    return apply(state, Entry(20, ReconcileJobSummaries()), profile=NOMAD_2_0).state


def test_summaries_are_made_anew_from_the_allocs_that_are_there() -> None:
    """OBJ-396."""
    state = register()
    job = need(state.find_job(*KEY))
    draft = Draft.of(state, 5, profile=NOMAD_2_0)
    drifted = replace(need(state.find_job_summary(*KEY)), summary={"g": TaskGroupSummary(queued=3, lost=9)})
    draft.put(drifted)
    for number, status in enumerate(["pending", "running", "running", "failed", "unknown"]):
        draft.put(make_alloc(id=f"a{number}", client_status=status, job=job))
    draft.put(make_alloc(id="old", client_status="running", job=replace(job, create_index=1)))

    after = reconcile(draft.finish())

    summary = need(after.find_job_summary(*KEY))
    assert TaskGroupSummary(starting=1, running=2, failed=1, unknown=1) == summary.summary["g"]
    assert (job.create_index, 20) == (summary.create_index, summary.modify_index)
    assert 20 == after.index_of(JOB_SUMMARIES)


def test_a_parent_counts_the_children_that_are_there_and_one_without_summary_gets_none() -> None:
    """OBJ-396."""
    parent = make_job(id="parent", parameterized_job=ParameterizedJobConfig(), create_index=2)
    children = [
        make_job(id=f"parent/{number}", parent_id="parent", status=status)
        for number, status in enumerate(["pending", "running", "dead", "dead"])
    ]
    forgotten = make_job(id="forgotten", parameterized_job=ParameterizedJobConfig())
    known = JobSummary(
        namespace=parent.namespace, job_id="parent", children=JobChildrenSummary(dead=7), create_index=2
    )

    after = reconcile(State.of(jobs=[parent, forgotten, *children], job_summaries=[known]))

    summary = need(after.find_job_summary(parent.namespace, "parent"))
    assert JobChildrenSummary(pending=1, running=1, dead=2) == summary.children
    assert {} == summary.summary
    assert after.find_job_summary(parent.namespace, "forgotten") is None
