"""Properties of how many."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocMetric, DesiredDescription, Evaluation, Job, UpdateStrategy
from tests.invariants.cluster.scheduler.made import ask, make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_group, make_job


@pytest.mark.parametrize(
    ("job", "had", "placed", "is_right"),
    [
        (make_job(make_group(count=2)), 1, 1, True),
        (make_job(make_group(count=2)), 1, 2, False),
        (make_job(make_group(count=2, update=UpdateStrategy(canary=1))), 2, 1, True),
        (make_job(make_group(count=1)), 3, 0, True),
        (make_job(stop=True), 0, 1, False),
        (make_job(type="system"), 0, 3, True),
    ],
)
def test_groups_get_what_they_want(job: Job, had: int, placed: int, is_right: bool) -> None:
    """REC-56."""
    old = tuple(make_alloc(f"a{at}") for at in range(had))
    new = tuple(make_alloc(f"b{at}") for at in range(placed))
    problems = ask("group_gets_no_more_than_its_count", make_decision(job=job, had=old, placed=new))

    assert is_right == (not problems)


def test_what_is_out_of_reach_does_not_count() -> None:
    """REC-87."""
    unknown = make_alloc("a1", client_status="unknown")

    assert not ask(
        "group_gets_no_more_than_its_count", make_decision(had=(unknown,), placed=(make_alloc("a2"),))
    )


@pytest.mark.parametrize(("most", "is_right"), [(0, True), (1, False), (2, True)])
def test_updates_are_limited(most: int, is_right: bool) -> None:
    """REC-81."""
    job = make_job(make_group(update=UpdateStrategy(max_parallel=most)))
    had = (make_alloc("a1"), make_alloc("a2"))
    stopped = tuple(
        replace(alloc, desired_status="stop", desired_description=DesiredDescription.UPDATING)
        for alloc in had
    )
    problems = ask("updates_keep_to_max_parallel", make_decision(job=job, had=had, stopped=stopped))

    assert is_right == (not problems)


def test_new_names_are_unique() -> None:
    """REC-60."""
    twice = (make_alloc("a1"), make_alloc("a2"))

    assert ["2 new allocations are called j.web[0]"] == ask("names_are_unique", make_decision(placed=twice))
    assert not ask("names_are_unique", make_decision(had=twice[:1], placed=twice[1:]))
    assert not ask("names_are_unique", make_decision(job=make_job(type="sysbatch"), placed=twice))


@pytest.mark.parametrize(
    ("failed", "left", "problems"),
    [
        ({}, (), []),
        ({"web": AllocMetric()}, (Evaluation(status="blocked"),), []),
        ({"web": AllocMetric()}, (Evaluation(status="pending"),), ["j is short and nothing waits"]),
        ({}, (Evaluation(status="blocked"),), ["j waits for nothing"]),
    ],
)
def test_job_lacking_allocs_leaves_a_blocked_eval(
    failed: dict[str, AllocMetric], left: tuple[Evaluation, ...], problems: list[str]
) -> None:
    """GENERIC-41."""
    done = (Evaluation(status="complete", failed_tg_allocs=failed),)
    decision = make_decision(updated_evals=done)
    blocked = replace(decision, outcome=replace(decision.outcome, created_evals=left))

    assert problems == ask("job_lacking_allocs_leaves_a_blocked_eval", blocked)
