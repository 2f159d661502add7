"""Every plan that a recorded cluster committed is explained by a state that its applier may have had."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_allowed import Clock
from nomadspec.checkers.oracle.trace_log import TypedEntry, read_log
from nomadspec.checkers.oracle.trace_plans import Explanation, compare_plans, explain_plans, rebuild_entry
from nomadspec.checkers.oracle.trace_replay import Replay, Step, read_run_clock, replay_log
from nomadspec.model.cluster.entities import Allocation, Job, Node
from nomadspec.model.cluster.store import Applied, Entry, State
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import ApplyPlanResults, Outside
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import TRACES, list_traces

FEW = ("all_at_once", "burst", "node_max_allocs", "preemption")


def replay(folder: Path) -> Replay:
    return replay_log(tuple(read_log(folder, Context(NOMAD_2_0))), NOMAD_2_0, read_run_clock)


def assert_explained(told: Replay) -> None:
    unexplained = [one.index for one in explain_plans(told, NOMAD_2_0) if one.base_index is None]

    assert not unexplained


def by_id(allocs: Sequence[Allocation]) -> list[Allocation]:
    return sorted(allocs, key=lambda alloc: alloc.id)


def assert_rebuilt(told: Replay) -> None:
    """Assert that entries are as the model builds them, but for the order of nodes (PLAN-60)."""
    current = {one.index for one in explain_plans(told, NOMAD_2_0) if not one.is_stale}
    state = make_initial_state()
    for step in told.steps:
        request = step.typed.entry.request
        if isinstance(request, ApplyPlanResults) and step.typed.entry.index in current:
            built = rebuild_entry(state, request, NOMAD_2_0)
            for field in ("allocs_stopped", "allocs_updated", "allocs_preempted"):
                assert by_id(getattr(request, field)) == by_id(getattr(built, field))
            assert request == replace(
                built,
                allocs_stopped=request.allocs_stopped,
                allocs_updated=request.allocs_updated,
                allocs_preempted=request.allocs_preempted,
            )
        state = step.applied.state


@pytest.mark.parametrize("name", FEW)
def test_plans_of_some_clusters(name: str) -> None:
    told = replay(TRACES / name)

    assert_explained(told)
    assert_rebuilt(told)


def test_a_burst_filled_nodes_beyond_what_they_have() -> None:
    """03/S2 and 03/S5 together: plans were judged by an old state, and entries were missing from it."""
    stale = [one for one in explain_plans(replay(TRACES / "burst"), NOMAD_2_0) if one.is_stale]

    assert stale
    assert all(one.unseen for one in stale)


def replay_plan(state: State, request: ApplyPlanResults) -> Replay:
    """Replay a log of one plan after an entry that left a state behind."""
    nothing = Step(TypedEntry("Outside", Entry(1, Outside())), Applied(state))
    return Replay(
        (nothing, Step(TypedEntry("ApplyPlanResults", Entry(2, request)), Applied(state))), Clock(frozenset())
    )


@pytest.mark.parametrize(
    "node", [Node(id="n1", status="ready", node_max_allocs=1), Node(id="n1", status="initializing")]
)
def test_what_no_state_lets_through_is_not_explained(node: Node) -> None:
    placed = tuple(Allocation(id=alloc_id, node_id="n1") for alloc_id in ("a1", "a2"))
    request = ApplyPlanResults(job=Job(id="web"), allocs_updated=placed)
    (explained,) = explain_plans(replay_plan(State.of(nodes=[node]), request), NOMAD_2_0)

    assert Explanation(2, None) == explained


def test_only_a_node_on_which_the_plan_leaves_nothing_is_closed_for_its_rejections() -> None:
    """PLAN-85, PLAN-86: a server may be configured to close nodes that reject plans."""
    told = replay(TRACES / "preemption")
    at, request = next(
        (at, request)
        for at, step in enumerate(told.steps)
        if isinstance(request := step.typed.entry.request, ApplyPlanResults)
    )
    found = []
    for node_id in ("another", request.allocs_updated[0].node_id):
        entry = Entry(told.steps[at].typed.entry.index, replace(request, ineligible_nodes=(node_id,)))
        closed = replace(told.steps[at], typed=TypedEntry("ApplyPlanResults", entry))
        one = replace(told, steps=(*told.steps[:at], closed))
        found.append([each.rule for each in compare_plans(one, Context(NOMAD_2_0))])

    assert found == [[], ["PLAN-86"]]


@pytest.mark.deep
@pytest.mark.parametrize("folder", list_traces(), ids=lambda folder: folder.name)
def test_plans_of_all_clusters(folder: Path) -> None:
    told = replay(folder)

    assert_explained(told)
    assert_rebuilt(told)
