"""A launch that overlaps another, which is prohibited, is found, and one that had to come and did not."""

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.launching import list_missed
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import tell_lies


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("periodic: launched though the one before runs", "JOB-27"),
        ("periodic: a launch that is due does not come", "JOB-26"),
    ],
)
def test_a_launch_at_the_wrong_time_is_found(kind: str, rule: str) -> None:
    (lie,) = tell_lies("periodic", LIES[kind], 1)

    assert rule in {each.rule for each in compare_acts(lie.replay, Context(profile=NOMAD_2_0))}


def test_the_last_launch_is_missed_once_it_is_due() -> None:
    """JOB-26."""
    state = replay_recorded("periodic").find_state(22)
    due_ns = 1_795_263_690 * NS_PER_S

    assert list(list_missed(state, due_ns + 9 * NS_PER_S)) == []
    assert {each.rule for each in list_missed(state, due_ns + 11 * NS_PER_S)} == {"JOB-26"}
