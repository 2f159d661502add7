"""An evaluation that stays blocked although there is room for it is found."""

import pytest

from nomadspec.checkers.oracle.explain.unblocking import list_stuck
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.forgotten import Forgotten
from tests.checkers.oracle.lying.telling import read_rest


@pytest.mark.parametrize("name", ["distinct", "node_max_allocs", "preemption"])
def test_what_is_never_unblocked_is_found(name: str) -> None:
    """BLOCKED-40."""
    lie = next(iter(Forgotten().tell(name)))

    (found,) = list_stuck(lie.replay, lie.rest.stop_index, lie.rest.ended_ns, NOMAD_2_0)

    assert found.rule == "BLOCKED-40"
    assert found.path.startswith(tuple(f"raft-log[{index}]" for index in lie.blamed))


@pytest.mark.parametrize("name", ["distinct", "blocked_eligibility", "burst_big", "multigroup_blocked"])
def test_what_finds_no_room_may_stay_blocked(name: str) -> None:
    rest = read_rest(name)

    assert [] == list(list_stuck(replay_recorded(name), rest.stop_index, rest.ended_ns, NOMAD_2_0))
