"""Decisions and what they say of themselves."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Evaluation
from tests.invariants.cluster.scheduler.made import make_decision
from tests.model.cluster.scheduler.made import make_alloc, make_job


def test_only_new_allocations_are_placed() -> None:
    old, new = make_alloc("a1"), make_alloc("a2")

    assert ["a2"] == [alloc.id for alloc in make_decision(had=(old,), placed=(old, new)).list_placed()]


def test_stops_are_told_by_their_description() -> None:
    old = make_alloc("a1")
    stop = replace(old, desired_status="stop", desired_description="why")
    decision = make_decision(had=(old,), stopped=(stop,))

    assert [old] == list(decision.list_stopped("why"))
    assert [] == list(decision.list_stopped("else"))


def test_a_failed_evaluation_has_used_up_its_attempts() -> None:
    assert make_decision(updated_evals=(Evaluation(status="failed"),)).has_used_up_attempts
    assert not make_decision(updated_evals=(Evaluation(status="complete"),)).has_used_up_attempts


def test_a_job_that_is_gone_is_none() -> None:
    assert make_job() == make_decision().job
    assert make_decision(job_id="gone").job is None
