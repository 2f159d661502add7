from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.job_calls import (
    Call,
    derive_reverted_job,
    evaluate_job,
    find_revert_refusal,
    stop_alloc,
)
from nomadspec.model.cluster.entities import (
    Allocation,
    DesiredTransition,
    Evaluation,
    Job,
    ParameterizedJobConfig,
    PeriodicConfig,
    ReschedulePolicy,
    TaskGroup,
    VersionTag,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition
from tests.checkers.oracle.deciding import replay_recorded
from tests.model.cluster.components.draining import make_alloc, make_job

AGAIN = (TaskGroup(name="g", reschedule_policy=ReschedulePolicy(attempts=1)),)
WEB = make_job(task_groups=AGAIN, modify_index=8, version=2)
STATE = State.of(
    jobs=[WEB],
    job_versions=[WEB, replace(WEB, version=0, stable=True, version_tag=VersionTag(name="x"))],
    allocs=[make_alloc("a", WEB)],
)


def force(alloc: Allocation, job: Job = WEB) -> list[str]:
    """List whom a forced evaluation of a job with one allocation tells to be placed again."""
    called = evaluate_job(State.of(jobs=[job], allocs=[alloc]), "default", "web", "e", 7, is_forced=True)
    return list(called.request.allocs) if called.request else [called.error]


def test_an_alloc_that_is_stopped_moves_and_what_was_asked_before_is_taken_back() -> None:
    """ALLOC-16, TRIG-12."""
    request = stop_alloc(STATE, "a", DesiredTransition(), "e", 7).request
    asked = DesiredTransition(reschedule=True, no_shutdown_delay=True)

    assert request is not None
    assert {"a": DesiredTransition(migrate=True, reschedule=False, no_shutdown_delay=False)} == request.allocs
    assert [("alloc-stop", 8)] == [(each.triggered_by, each.job_modify_index) for each in request.evals]
    again = stop_alloc(STATE, "a", asked, "e", 7).request
    assert again is not None
    assert {"a": replace(asked, migrate=True)} == again.allocs


def test_an_unknown_alloc_is_refused() -> None:
    """TRIG-12."""
    assert Call(error="allocation not found") == stop_alloc(STATE, "b", DesiredTransition(), "e", 7)


def test_a_job_is_looked_at_again() -> None:
    """TRIG-05b."""
    request = evaluate_job(STATE, "default", "web", "e", 7).request

    assert request is not None
    assert not request.allocs
    assert [("job-register", 8, "e")] == [
        (each.triggered_by, each.job_modify_index, each.id) for each in request.evals
    ]


def test_a_job_is_looked_at_again_though_an_evaluation_of_it_waits() -> None:
    """TRIG-27: the broker alone sees to it that one of them is enough."""
    waiting = Evaluation(id="first", namespace="default", job_id="web", status="pending")
    state = State.of(jobs=[WEB], evals=[waiting])

    assert evaluate_job(STATE, "default", "web", "e", 7) == evaluate_job(state, "default", "web", "e", 7)


@pytest.mark.parametrize(
    ("job", "error"),
    [
        (replace(WEB, id="other"), "job not found"),
        (replace(WEB, periodic=PeriodicConfig()), "can't evaluate periodic job"),
        (replace(WEB, parameterized_job=ParameterizedJobConfig()), "can't evaluate parameterized job"),
    ],
)
def test_jobs_that_never_run_themselves_are_not_looked_at(job: Job, error: str) -> None:
    """TRIG-05b."""
    assert Call(error=error) == evaluate_job(State.of(jobs=[job]), "default", "web", "e", 7)


def test_what_has_failed_for_good_is_forced_even_for_a_stopped_job() -> None:
    """JOB-20, RESCHED-25."""
    failed = make_alloc("a", WEB, client="failed")

    assert ["a"] == force(failed)
    assert ["a"] == force(failed, replace(WEB, stop=True))


@pytest.mark.parametrize(
    "fields",
    [
        {"client_status": "running"},
        {"next_allocation": "b"},
        {"desired_transition": DesiredTransition(force_reschedule=True)},
        {"task_group": "gone"},
        {"job": replace(WEB, create_index=0)},
        {"job": None},
    ],
)
def test_nothing_else_is_forced(fields: dict[str, object]) -> None:
    """JOB-20, RESCHED-25."""
    assert [] == force(replace(make_alloc("a", WEB, client="failed"), **fields))


def test_a_group_that_is_never_rescheduled_is_not_forced() -> None:
    """JOB-20."""
    never = replace(WEB, task_groups=(replace(AGAIN[0], reschedule_policy=ReschedulePolicy()),))

    assert [] == force(make_alloc("a", WEB, client="failed"), never)
    assert [] == force(make_alloc("a", WEB, client="failed"), make_job())


def test_a_version_is_registered_anew_without_its_tag_and_merits() -> None:
    """JOB-18."""
    back = derive_reverted_job(STATE, "default", "web", 0).job

    assert back is not None
    assert (0, False, None) == (back.version, back.stable, back.version_tag)
    assert "" == derive_reverted_job(STATE, "default", "web", 0, enforced_version=2).error


@pytest.mark.parametrize(
    ("job_id", "version", "enforced", "error"),
    [
        ("gone", 0, None, 'job "gone" not found'),
        ("web", 2, None, "can't revert to current version"),
        ("web", 1, None, 'job "web" in namespace "default" at version 1 not found'),
        ("web", 0, 1, "Current job has version 2; enforcing version 1"),
    ],
)
def test_what_cannot_be_gone_back_to_is_refused(
    job_id: str, version: int, enforced: int | None, error: str
) -> None:
    """JOB-18."""
    assert error == derive_reverted_job(STATE, "default", job_id, version, enforced).error


def test_going_back_is_refused_if_the_job_has_changed_meanwhile() -> None:
    """JOB-18."""
    seen = replace(WEB, job_modify_index=8)

    assert find_revert_refusal(seen, seen) is None
    assert "conflicting" in (find_revert_refusal(replace(seen, job_modify_index=9), seen) or "")
    assert "does not exist" in (find_revert_refusal(None, seen) or "")


def list_recorded(name: str) -> Iterator[tuple[State, AllocUpdateDesiredTransition, Evaluation]]:
    """List the recorded calls with their evaluation, and the state before each."""
    before = State()
    for step in replay_recorded(name).steps:
        request = step.typed.entry.request
        if isinstance(request, AllocUpdateDesiredTransition):
            for made in request.evals:
                yield before, request, made
        before = step.applied.state


@pytest.mark.parametrize("name", ["alloc_stop", "alloc_stop_system"])
def test_recorded_calls_were_answered_like_this(name: str) -> None:
    """ALLOC-16, JOB-20."""
    calls = 0
    for state, request, made in list_recorded(name):
        match made.triggered_by:
            case "alloc-stop":
                (alloc_id, told), *_ = request.allocs.items()
                assert told is not None
                called = stop_alloc(state, alloc_id, told, made.id, made.create_time_ns)
            case "job-register":
                called = evaluate_job(state, made.namespace, made.job_id, made.id, made.create_time_ns)
            case _:
                continue
        assert called.request is not None
        assert (request.allocs, request.evals) == (called.request.allocs, called.request.evals)
        calls += 1
    assert calls > 1
