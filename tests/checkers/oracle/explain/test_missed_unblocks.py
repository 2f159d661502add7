"""An evaluation that stays blocked although there is room for it is found."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.missed_unblocks import list_freed, list_stuck
from nomadspec.checkers.oracle.explain.obligations import Rest
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.store.requests import AllocClientUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.forgotten import Forgotten
from tests.checkers.oracle.lying.telling import is_named, read_rest


def list_left(replay: Replay, rest: Rest) -> list[Difference]:
    return list(list_stuck(replay, rest.stop_index, rest.ended_ns, rest.patience_ns, NOMAD_2_0))


def test_what_a_system_job_waits_for_on_its_node_is_found() -> None:
    """BLOCKED-10, BLOCKED-40."""
    *_, lie = Forgotten().tell("system_blocked")

    assert [True] == [is_named(lie, [each]) for each in list_left(lie.replay, lie.rest)]


@pytest.mark.parametrize("name", ["distinct", "node_max_allocs", "preemption", "blocked_eligibility"])
def test_what_is_never_unblocked_is_found(name: str) -> None:
    """BLOCKED-40."""
    lie = next(iter(Forgotten().tell(name)))

    (found,) = list_left(lie.replay, lie.rest)

    assert found.rule == "BLOCKED-40"
    assert found.path.startswith(tuple(f"raft-log[{index}]" for index in lie.blamed))


@pytest.mark.parametrize("name", ["distinct", "blocked_eligibility", "burst_big", "multigroup_blocked"])
def test_what_finds_no_room_may_stay_blocked(name: str) -> None:
    assert [] == list_left(replay_recorded(name), read_rest(name))


def test_a_report_on_a_deleted_allocation_frees_its_node() -> None:
    """FSM-22."""
    replay = replay_recorded("blocked_eligibility")
    step = replay.steps[-1]
    node = next(iter(step.applied.state.list_nodes()))
    report = Allocation(id="gone", node_id=node.id, client_status="complete")
    entry = replace(step.typed.entry, request=AllocClientUpdate(alloc=(report,)))
    told = replace(step, typed=replace(step.typed, entry=entry))

    assert [node] == list(list_freed(told, step.applied.state))
