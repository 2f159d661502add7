import pytest

from nomadspec.invariants.kernel.restoring import (
    leaders_come_and_go_as_told,
    leaders_restore_what_is_blocked,
    leaders_restore_what_is_pending,
    lost_leaders_answer_with_errors,
    nothing_is_judged_without_a_leader,
    nothing_is_written_without_a_leader,
    the_blocked_are_restored_in_order,
)
from nomadspec.model.kernel.leader import gain_leader, lose_leader, pause
from nomadspec.model.kernel.nodes import close_node
from nomadspec.model.kernel.state import Place, Stage
from nomadspec.model.property import Property
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, loosen, spoil

LED = {**ALONE, "elections": 1}

MATRIX = Matrix(
    {
        "a new leader forgets what is pending": Deviation(
            (leaders_restore_what_is_pending,),
            rule=gain_leader,
            text=spoil(gain_leader, "place", Place.OUT, 0, 0),
            sizes=LED,
        ),
        "a new leader believes that nothing was missed": Deviation(
            (leaders_restore_what_is_blocked,),
            rule=gain_leader,
            text=spoil(gain_leader, "missed", False, 0, 1),
            sizes={**LED, "cap": 0, "evals": 3},
        ),
        "who has submitted a plan goes on waiting": Deviation(
            (lost_leaders_answer_with_errors, nothing_is_judged_without_a_leader),
            rule=lose_leader,
            text=spoil(lose_leader, "stage", Stage.SUBMITTED, 0),
            sizes=LED,
        ),
        "a pause ends the reaper": Deviation(
            (leaders_come_and_go_as_told,),
            rule=pause,
            text=spoil(pause, "reaping", False),
            sizes={**ALONE, "pauses": 1},
        ),
        "what is blocked comes back in any order": Deviation(
            (the_blocked_are_restored_in_order,),
            rule=gain_leader,
            text=spoil(gain_leader, "arriving", 1, 0, 3),
            sizes={**LED, "cap": 0, "evals": 4, "requests": 1},
        ),
        "an operator closes a node though there is no leader": Deviation(
            (nothing_is_written_without_a_leader,),
            rule=close_node,
            text=loosen(close_node, 0),
            sizes={**LED, "node_changes": 1},
        ),
    }
)


@pytest.mark.parametrize(("name", "prop"), MATRIX.list_pairs())
def test_a_deviation_breaks_a_property_that_holds_without_it(name: str, prop: Property) -> None:
    story = MATRIX.find_broken(name, prop)

    assert story is not None
    assert prop.name == story.property
    assert MATRIX.is_mended(name, prop)
