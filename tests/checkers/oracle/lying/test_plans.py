"""What a plan gives to whom is found out at a glance, before any decision is made again."""

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.plans import PLANS
from tests.checkers.oracle.lying.telling import is_named, judge_quickly, tell_lies

TOLD = ("preemption", "update_destructive", "service_fail_followup", "multigroup_blocked")
MOST = 3
AT_A_GLANCE = (
    "plan: a million MHz",
    "plan: one MHz",
    "plan: no memory",
    "plan: more memory than any node",
    "plan: another disk",
    "plan: no task",
    "plan: a name of another group",
    "plan: a group that is not there",
    "plan: a node that is not there",
    "plan: a follow-up of an eviction is missing",
)


@pytest.mark.parametrize("how", AT_A_GLANCE)
def test_a_consistent_lie_about_a_plan_is_found_out(how: str) -> None:
    """PLAN-31, PLAN-60, PLAN-62, RANK-75."""
    lies = [lie for name in TOLD for lie in tell_lies(name, PLANS[how], MOST)]

    assert lies
    assert [True] * len(lies) == [is_named(lie, judge_quickly(lie)) for lie in lies]


@pytest.mark.parametrize("name", TOLD)
def test_the_truth_is_not_taken_for_a_lie(name: str) -> None:
    replay = replay_recorded(name)

    assert [] == [*compare_plans(replay, Context(NOMAD_2_0)), *compare_asks(replay)]
