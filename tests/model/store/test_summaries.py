"""Counts of a job's allocations and children: OBJ-390..393."""

import pytest
from msgspec.structs import replace

from nomadspec.model.entities import JobChildrenSummary, TaskGroup, TaskGroupSummary
from nomadspec.model.store import State
from nomadspec.model.store.draft import Draft
from nomadspec.model.store.run import RefusedError
from nomadspec.model.store.summaries import bury_child, count_alloc, count_child
from tests.model.store.made import KEY, make_alloc, make_eval, make_job, need, register, update_evals


def read_group(state: State, name: str = "g") -> TaskGroupSummary:
    return need(state.find_job_summary(*KEY)).summary[name]


def count(before: str | None, after: str, **counts: int) -> TaskGroupSummary:
    state = register()
    summary = need(state.find_job_summary(*KEY))
    draft = Draft(state, 5)
    group = TaskGroupSummary(**counts)
    draft.put_job_summary(replace(summary, summary={"g": group}))
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
    draft = Draft(register(), 5)
    count_alloc(draft, make_alloc(job=make_job(create_index=1)), None)

    assert {} == draft.written


def test_a_group_that_the_summary_does_not_know_is_refused() -> None:
    """JOB-34."""
    state = register()
    alloc = make_alloc(task_group="other", job=state.find_job(*KEY))

    with pytest.raises(RefusedError, match='"other"'):
        count_alloc(Draft(state, 5), alloc, None)


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
    draft = Draft(register(), 5)
    count_child(draft, child, "", "pending")
    count_child(draft, child, "pending", "running")

    assert JobChildrenSummary(running=1) == need(draft.job_summaries.get(KEY)).children


@pytest.mark.parametrize(("status", "dead"), [("pending", 1), ("running", 1), ("dead", 0)])
def test_a_purged_child_is_dead_if_it_was_not_before(status: str, dead: int) -> None:
    """OBJ-393."""
    child = make_job(id="web/dispatch-1", parent_id="web", status=status)
    draft = Draft(register(), 5)
    count_child(draft, child, "", status)
    bury_child(draft, child)

    counts = need(need(draft.job_summaries.get(KEY)).children)

    assert dead + (status == "dead") == counts.dead
    assert 0 == counts.pending + counts.running
