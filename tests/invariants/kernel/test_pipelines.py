from typing import Any

import pytest

from nomadspec.invariants.kernel.pipelines import (
    no_snapshot_outlives_its_leader,
    plans_in_hand_fit_the_snapshot,
    the_snapshot_is_not_overfull,
    the_snapshot_shows_all_that_is_under_way,
    the_snapshot_shows_what_stays,
    what_is_to_come_takes_no_room,
    what_is_under_way_has_a_snapshot,
    what_lands_late_has_room,
    what_lands_was_shown,
)
from nomadspec.invariants.kernel.plans import no_node_is_overfull
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.leader import lose_leader
from nomadspec.model.kernel.pipeline import commit, dispatch, evaluate
from nomadspec.model.kernel.worker import begin
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_story_under, spoil

PIPELINE = {**ALONE, "depth": 1}
LEADERLESS = {**PIPELINE, "elections": 1}


def keep_a_snapshot(_s: Any, t: Any) -> None:
    t.has_snap = True


def fill_the_store(_s: Any, t: Any) -> None:
    t.occupies = 0


def drop_the_snapshot(_s: Any, t: Any, *_arguments: Id) -> None:
    t.has_snap = False


def show_nothing(_s: Any, t: Any, *_arguments: Id) -> None:
    t.snap_occupies = NONE


def show_a_full_node(_s: Any, t: Any, *_arguments: Id) -> None:
    t.snap_occupies = 0


MATRIX = Matrix(
    {
        "a snapshot outlives its leader": Deviation(
            (no_snapshot_outlives_its_leader,),
            changed=also(lose_leader, keep_a_snapshot),
            sizes=LEADERLESS,
        ),
        "the store fills while an entry is under way": Deviation(
            (what_lands_late_has_room,),
            changed=also(lose_leader, fill_the_store),
            sizes=LEADERLESS,
        ),
        "the snapshot is dropped too early": Deviation(
            (what_is_under_way_has_a_snapshot,),
            changed=also(dispatch, drop_the_snapshot),
            sizes=PIPELINE,
        ),
        "the snapshot does not show what is handed out": Deviation(
            (the_snapshot_shows_all_that_is_under_way, what_lands_was_shown),
            changed=also(dispatch, show_nothing),
            sizes=PIPELINE,
        ),
        "the snapshot forgets what was committed": Deviation(
            (the_snapshot_shows_what_stays,), changed=also(commit, show_nothing), sizes=PIPELINE
        ),
        "the snapshot shows more than there is room for": Deviation(
            (the_snapshot_is_not_overfull, plans_in_hand_fit_the_snapshot),
            changed=also(evaluate, show_a_full_node),
            sizes=PIPELINE,
        ),
        "room is taken by an allocation that is not made": Deviation(
            (what_is_to_come_takes_no_room,),
            changed=spoil(begin, "occupies", 0, "job", 1),
            sizes=ALONE,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.deep(seconds=40)
def test_an_evaluation_that_an_operator_deleted_fills_no_node_as_intended() -> None:
    sizes = {"nodes": 1, "evals": 1, "spares": 1, "depth": 1, "deliveries": 1, "attempts": 1, "endings": 0}
    sizes |= {"pauses": 1, "collections": 1}

    assert find_story_under("nomad-2.0", no_node_is_overfull, sizes) is not None
    assert find_story_under("intended", no_node_is_overfull, sizes) is None
