"""Changes of a plan are filled in from the state (PLAN-40)."""

import pytest

from nomadspec.model.cluster.components.plan_error import UnknownAllocError
from nomadspec.model.cluster.components.plan_expand import expand
from nomadspec.model.cluster.entities import Allocation, AllocState
from nomadspec.model.cluster.store.state import State

STORED = Allocation(
    id="a1",
    name="web.g[0]",
    desired_status="run",
    client_status="running",
    followup_eval_id="old",
    alloc_states=(AllocState(value="unknown"),),
)
STATE = State.of(allocs=[STORED])


def expand_one(change: Allocation) -> Allocation:
    ((expanded,),) = expand(STATE, {"n1": [change]}).values()
    return expanded


def test_a_stop_keeps_what_it_does_not_say() -> None:
    stopped = expand_one(Allocation(id="a1", desired_description="gone"))

    assert ("web.g[0]", "stop", "gone", "running", "old") == (
        stopped.name,
        stopped.desired_status,
        stopped.desired_description,
        stopped.client_status,
        stopped.followup_eval_id,
    )


def test_a_stop_may_say_more_and_loses_the_history() -> None:
    """03/S9."""
    stopped = expand_one(Allocation(id="a1", client_status="lost", followup_eval_id="new"))

    assert ("lost", "new", ()) == (stopped.client_status, stopped.followup_eval_id, stopped.alloc_states)


def test_a_preemption_names_who_comes() -> None:
    evicted = expand_one(Allocation(id="a1", preempted_by_allocation="b1"))

    assert ("evict", "Preempted by alloc ID b1", "b1") == (
        evicted.desired_status,
        evicted.desired_description,
        evicted.preempted_by_allocation,
    )
    assert STORED.alloc_states == evicted.alloc_states


def test_what_the_state_does_not_have_fails_the_plan() -> None:
    with pytest.raises(UnknownAllocError):
        expand_one(Allocation(id="a2"))
