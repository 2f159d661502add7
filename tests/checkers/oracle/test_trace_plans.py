"""Every plan that a recorded cluster committed is explained by a state that its applier may have had."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_plans import explain_plans, rebuild_entry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.entities import Allocation
from nomadspec.model.profile import NOMAD_2_0
from nomadspec.model.store.initial import make_initial_state
from nomadspec.model.store.requests import ApplyPlanResults
from tests.recorded import TRACES, list_traces

FEW = ("all_at_once", "burst", "node_max_allocs", "preemption")


def replay(folder: Path) -> Replay:
    return replay_log(tuple(read_log(folder, Context())), NOMAD_2_0, read_run_clock)


def assert_explained(told: Replay) -> None:
    unexplained = [one.index for one in explain_plans(told) if one.base_index is None]

    assert not unexplained


def by_id(allocs: Sequence[Allocation]) -> list[Allocation]:
    return sorted(allocs, key=lambda alloc: alloc.id)


def assert_rebuilt(told: Replay) -> None:
    """Assert that entries are as the model builds them, but for the order of nodes (PLAN-60)."""
    current = {one.index for one in explain_plans(told) if not one.is_stale}
    state = make_initial_state()
    for step in told.steps:
        request = step.typed.entry.request
        if isinstance(request, ApplyPlanResults) and step.typed.entry.index in current:
            built = rebuild_entry(state, request)
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
    stale = [one for one in explain_plans(replay(TRACES / "burst")) if one.is_stale]

    assert stale
    assert all(one.unseen for one in stale)


@pytest.mark.deep
@pytest.mark.parametrize("folder", list_traces(), ids=lambda folder: folder.name)
def test_plans_of_all_clusters(folder: Path) -> None:
    told = replay(folder)

    assert_explained(told)
    assert_rebuilt(told)
