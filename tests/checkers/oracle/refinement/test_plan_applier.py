"""Recorded evaluations of plans against the kernel's verdict."""

import pytest

from nomadspec.checkers.oracle.refinement import plan_applier
from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.model.cluster.entities import PlanResult
from tests.checkers.oracle.refinement.following import follow

NO_WORDS = {
    "an allocation that is written as lost or unknown",
    "several allocations that are preempted",
    "a capacity check that fails",
    "a verdict that fails",
}


def check(told: Refinement) -> None:
    assert not told.disagreed, "\n".join(told.disagreed)
    assert not told.gaps
    assert {name.partition(": ")[2] for name in told.outside} <= NO_WORDS
    assert told.agreed.total() > 3 * told.outside.total()


def test_some_plans_get_the_verdict_of_the_kernel() -> None:
    told = follow("plan-applier/plans", every=14)

    check(told)
    assert {"evaluate", "evaluate all at once"} == set(told.agreed)


@pytest.mark.deep
def test_all_plans_get_the_verdict_of_the_kernel() -> None:
    told = follow("plan-applier/plans")

    check(told)
    assert told.agreed["evaluate all at once"] > 50


def test_an_applier_that_commits_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_applier, "evaluate_plan", lambda _state, _plan, **_: PlanResult())

    assert follow("plan-applier/plans", every=40).disagreed
