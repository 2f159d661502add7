"""Decisions of recorded schedulers are made again, on the states that they name."""

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.decisions import list_decisions
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes, explain_outcome, find_rule
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import replay_soak
from tests.recorded import FOLDER, list_traces

FEW = ("canary_manual", "preemption", "system_canary", "disconnect_longest_running", "burst", "distinct")
SOAKS = sorted(path.name for path in (FOLDER / "soak").iterdir() if path.is_dir())


def count_derived(replay: Replay) -> tuple[int, int]:
    explained = [explain_outcome(replay, each, NOMAD_2_0) for each in list_decisions(replay)]
    return sum(each.is_derived for each in explained), len(explained)


@pytest.mark.parametrize("name", FEW)
def test_all_decisions_of_a_recording_are_derived(name: str) -> None:
    """GENERIC-16, GENERIC-43, SYSTEM-37, PREEMPT-24."""
    derived, whole = count_derived(replay_recorded(name))

    assert derived == whole > 0


@pytest.mark.deep
def test_almost_all_decisions_of_all_recordings_are_derived() -> None:
    counted = [count_derived(replay_recorded(folder.name)) for folder in list_traces()]

    assert sum(derived for derived, _ in counted) >= 417
    assert sum(whole for _, whole in counted) == 419


@pytest.mark.deep
@pytest.mark.parametrize("name", SOAKS)
def test_almost_all_decisions_of_random_runs_are_derived(name: str) -> None:
    replay, context = replay_soak(name), Context(NOMAD_2_0)

    assert list(compare_outcomes(replay, context)) == []
    derived, whole = count_derived(replay)
    assert derived / whole >= 0.99


def test_what_is_derived_is_noted_with_its_plans() -> None:
    replay, context = replay_recorded("update_destructive"), Context(NOMAD_2_0)

    assert list(compare_outcomes(replay, context)) == []
    assert context.derived == {index for each in list_decisions(replay) for index in each.list_entries()}
    assert context.notes == []


@pytest.mark.deep
def test_what_too_many_ways_lead_to_is_no_contradiction() -> None:
    """PLAN-90: of some attempts in a burst nothing is known."""
    context = Context(NOMAD_2_0)

    assert list(compare_outcomes(replay_recorded("burst_big"), context)) == []
    assert len(context.notes) == 2


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("raft-log[7].AllocsUpdated[new a.b[0] on n].NodeID", "RANK-20"),
        ("raft-log[7].Evals.QueuedAllocations", "GENERIC-24"),
        ("raft-log[7].AllocsPreempted[x]", "PREEMPT-24"),
        ("raft-log[7].anything", "GENERIC-16"),
    ],
)
def test_each_place_has_its_rule(path: str, rule: str) -> None:
    assert find_rule(path) == rule
