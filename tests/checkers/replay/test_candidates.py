"""What could have stood in the place of an impossible entry is told, with why it leads elsewhere."""

from nomadspec.checkers.replay.candidates import MOST_SHOWN, list_candidates
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import tell_lies


def test_of_a_plan_each_state_is_told_with_the_nodes_that_lack_room() -> None:
    """PLAN-31, PLAN-54."""
    found = list_candidates(replay_recorded("burst"), 53, INTENDED)

    assert found[0].what == "the applier judges by the state of index 52"
    assert found[0].why.count(": cpu") == 2
    assert len(found) <= MOST_SHOWN


def test_of_an_outcome_the_fields_are_told_in_which_the_model_differs() -> None:
    """GENERIC-24."""
    (lie,) = tell_lies("multigroup_blocked", LIES["outcome: in other words"], 1)

    found = list_candidates(lie.replay, lie.index, NOMAD_2_0)

    assert found
    assert "is scheduled on the state of index" in found[0].what
    assert "and not" in found[0].why


def test_of_what_nobody_decides_nothing_was_tried() -> None:
    assert list_candidates(replay_recorded("burst"), 8, NOMAD_2_0) == ()
