from typing import Any

import pytest

from nomadspec.invariants.kernel.applier import (
    a_node_is_refused_too_often,
    a_plan_is_judged_while_another_commits,
    a_plan_is_kept_in_part,
    a_plan_is_newer_than_the_snapshot,
    a_plan_stops_something,
    a_plan_wants_a_closed_node,
    an_entry_fails,
    entries_are_in_their_line,
    entries_come_out_in_order,
    entries_come_out_of_the_log,
    gangs_are_held_against_one_node,
    lone_planners_are_not_refused,
    nodes_are_closed_for_a_reason,
    nodes_stand_or_fall_as_a_whole,
    nothing_is_placed_on_closed_nodes,
    one_plan_is_in_hand,
    only_the_living_are_driven_out,
    plans_are_judged_by_newer_state,
    results_are_part_of_their_plan,
    stops_alone_always_fit,
    the_snapshot_has_all_that_was_dispatched,
    the_snapshot_shows_nothing_that_failed,
    two_entries_are_under_way,
    who_is_answered_waits,
)
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import apply_plan, refuse_gang
from nomadspec.model.kernel.pipeline import commit, dispatch, evaluate, forget_entry
from nomadspec.model.kernel.state import Flight, Stage
from nomadspec.model.kernel.worker import submit
from nomadspec.model.property import Property
from tests.invariants.kernel.deviations import (
    Deviation,
    Matrix,
    also,
    find_story_under,
    find_witness,
    reword,
    spoil,
    unfair,
)

ALONE = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "spares": 2, "depth": 1}
ATOMIC = {**ALONE, "depth": 0}
PAIR = {**ALONE, "jobs": 2, "workers": 2}
TWINS = {**ALONE, "count": 2, "cap": 2, "spares": 3}


def leave_one_out(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plan_to[worker, 0] = NONE


def move_to_the_first(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.when(s.plan_to[worker, 0] != NONE).plan_to[worker, 0] = 0


def stop_nothing(s: Any, t: Any, _worker: Id, job: Id) -> None:
    for i in s.allocs:
        t.when(s.occupies[job, i] != NONE).occupies[job, i] = s.occupies[job, i]


def keep_all(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plan_to[worker] = s.plan_to[worker]
    t.stage[worker] = Stage.JUDGED


def drive_out_nobody(_s: Any, t: Any, worker: Id, job: Id) -> None:
    t.plan_foe[worker] = job
    t.plan_victim[worker] = 1


def leave_out_of_snapshot(s: Any, t: Any, _worker: Id, job: Id, _flight: Id) -> None:
    t.snap_lacks[job, s.alloc_made[job]] = True


def commit_any(s: Any, t: Any, flight: Id, job: Id) -> None:
    t.require(s.flight[flight] == Flight.FLYING, s.flight_job[flight] == job)
    forget_entry(s, t, flight, Flight.LANDED)


def lose_line(_s: Any, t: Any, _worker: Id, _job: Id, flight: Id) -> None:
    t.under_way.remove(flight)


def judge_oneself(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.JUDGED


def close_all(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.eligible = False


def send_back(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.REFUSED


def go_on(_s: Any, t: Any, worker: Id, _job: Id, _flight: Id) -> None:
    t.stage[worker] = Stage.DECIDED


def blame_all(_s: Any, t: Any, _worker: Id, _job: Id, _node: Id) -> None:
    t.refused = 1


MATRIX = Matrix(
    {
        "one placement is judged by itself": Deviation(
            (nodes_stand_or_fall_as_a_whole,), changed=also(evaluate, leave_one_out), sizes=TWINS
        ),
        "the applier moves a placement": Deviation(
            (results_are_part_of_their_plan,),
            changed=also(evaluate, move_to_the_first),
            sizes={**ALONE, "nodes": 2},
        ),
        "the applier stops nothing": Deviation(
            (stops_alone_always_fit,),
            changed=also(apply_plan, stop_nothing),
            sizes={**ATOMIC, "stops": 1},
        ),
        "the applier refuses no node": Deviation(
            (nothing_is_placed_on_closed_nodes,),
            changed=also(evaluate, keep_all),
            sizes={**ALONE, "node_changes": 1},
        ),
        "the dead are driven out": Deviation(
            (only_the_living_are_driven_out,),
            changed=also(evaluate, drive_out_nobody),
            sizes=ALONE,
        ),
        "the applier judges by an old state": Deviation(
            (plans_are_judged_by_newer_state,), "03/S2", sizes={**ALONE, "evals": 3, "updates": 1}
        ),
        "the snapshot does not take in an entry": Deviation(
            (the_snapshot_has_all_that_was_dispatched,),
            changed=also(dispatch, leave_out_of_snapshot),
            sizes=ALONE,
        ),
        "a failed entry stays in the snapshot": Deviation(
            (the_snapshot_shows_nothing_that_failed,),
            "X-10",
            sizes={**ALONE, "failed_entries": 1},
        ),
        "entries commit in any order": Deviation(
            (entries_come_out_in_order,),
            changed=reword(commit, commit_any),
            sizes={**PAIR, "nodes": 2, "depth": 2},
        ),
        "an entry is in no line": Deviation(
            (entries_are_in_their_line,), changed=also(dispatch, lose_line), sizes=ALONE
        ),
        "workers judge their own plans": Deviation(
            (one_plan_is_in_hand,), changed=also(submit, judge_oneself), sizes=PAIR
        ),
        "the applier closes nodes without a reason": Deviation(
            (nodes_are_closed_for_a_reason,), changed=also(apply_plan, close_all), sizes=ATOMIC
        ),
        "every plan is sent back": Deviation(
            (lone_planners_are_not_refused,), changed=also(apply_plan, send_back), sizes=ATOMIC
        ),
        "the log may rest": Deviation((entries_come_out_of_the_log,), changed=unfair(commit), sizes=ALONE),
        "a worker goes on before its entry is committed": Deviation(
            (who_is_answered_waits,), changed=also(dispatch, go_on), sizes=ALONE
        ),
        "a plan closes a node that was not refused": Deviation(
            (nodes_are_closed_for_a_reason,),
            changed=spoil(evaluate, "plan_marks", True, "worker", 0),
            sizes={**ALONE, "depth": 1, "strikes": 1},
        ),
        "a gang is held against each node": Deviation(
            (gangs_are_held_against_one_node,),
            changed=also(refuse_gang, blame_all),
            sizes={**TWINS, "nodes": 2, "cap": 1, "depth": 0, "gangs": 1, "strikes": 1, "node_changes": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_plan_is_judged_while_another_commits, {**PAIR, "nodes": 2}),
        (two_entries_are_under_way, {**PAIR, "depth": 2, "cap": 2}),
        (a_plan_is_kept_in_part, {**ALONE, "nodes": 2, "count": 2, "spares": 3, "node_changes": 1}),
        (a_plan_stops_something, {**ALONE, "stops": 1}),
        (a_plan_wants_a_closed_node, {**ALONE, "node_changes": 1}),
        (a_plan_is_newer_than_the_snapshot, {**ALONE, "evals": 3, "updates": 1}),
        (an_entry_fails, {**ALONE, "failed_entries": 1}),
        (a_node_is_refused_too_often, {**PAIR, "strikes": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Property, sizes: dict[str, int]) -> None:
    story = find_witness(prop, **sizes)

    assert story is not None
    assert prop.name == story.property


def test_an_update_while_a_commit_goes_unseen_leaves_an_entry_out_of_the_snapshot() -> None:
    sizes = {**ALONE, "evals": 3, "spares": 3, "updates": 1}
    story = find_story_under("nomad-2.0", the_snapshot_has_all_that_was_dispatched, sizes)

    assert story is not None
    assert "Dispatch" in [step.rule for step in story.steps]
    assert find_story_under("nomad-2.0 -03/S5", the_snapshot_has_all_that_was_dispatched, sizes) is None
