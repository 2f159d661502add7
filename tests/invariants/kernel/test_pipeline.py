from typing import Any

import pytest

from nomadspec.invariants.kernel.applier import (
    a_plan_stops_something,
    a_plan_wants_an_ineligible_node,
    plans_are_answered,
)
from nomadspec.invariants.kernel.pipeline import (
    a_plan_is_judged_while_an_entry_is_in_flight,
    a_plan_is_kept_in_part,
    a_plan_is_newer_than_the_snapshot,
    an_entry_fails,
    answered_plan_is_forgotten,
    applier_snapshot_shows_every_dispatched_entry,
    applier_snapshot_shows_no_failed_entry,
    entries_commit_in_order,
    entry_is_written_whole_or_not_at_all,
    failed_entry_is_answered_with_an_error,
    judged_plan_is_not_newer_than_the_applier,
    judged_plan_is_the_submitted_one_node_by_node,
    judged_plan_uses_ready_eligible_nodes,
    store_change_makes_the_applier_snapshot_old,
    two_entries_are_in_flight,
)
from nomadspec.model.kernel.applier import apply_plan, write_plan
from nomadspec.model.kernel.jobs import update_job
from nomadspec.model.kernel.pipeline import (
    commit,
    dispatch,
    evaluate,
    forget_entry,
)
from nomadspec.model.kernel.statuses import (
    EntryStatus,
    Stage,
)
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.property import Property
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_story_under,
    find_witness,
    reword,
    spoil,
    unfair,
)

ALONE_APPLIER = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2, "depth": 1}


def move_to_the_first(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.when(s.plan[worker].to[0] != NONE).plan[worker].to[0] = 0


def keep_all(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plan[worker].to = s.plan[worker].to
    t.stage[worker] = Stage.JUDGED


def leave_out_of_snapshot(s: Any, t: Any, _worker: Id, job: Id, _flight: Id) -> None:
    t.snapshot.lacks[job, s.alloc_made[job]] = True


PAIR = {**ALONE_APPLIER, "jobs": 2, "workers": 2}


def commit_any(s: Any, t: Any, entry_id: Id, job: Id) -> None:
    entry = s.entry[entry_id]
    t.require(s.entry_status[entry_id] == EntryStatus.IN_FLIGHT, entry.job == job)
    write_plan(s, t, job, entry, lambda k: entry.alloc[k])
    forget_entry(s, t, entry_id, EntryStatus.COMMITTED)


PIPELINE = {**ALONE, "depth": 1}


MATRIX = Matrix(
    {
        "a placement is left of a plan": Deviation(
            (answered_plan_is_forgotten,), changed=spoil(apply_plan, "plan.to", 0, "worker", 0), sizes=ALONE
        ),
        "the applier moves a placement": Deviation(
            (judged_plan_is_the_submitted_one_node_by_node,),
            changed=also(evaluate, move_to_the_first),
            sizes={**ALONE_APPLIER, "nodes": 2},
        ),
        "the applier refuses no node": Deviation(
            (judged_plan_uses_ready_eligible_nodes,),
            changed=also(evaluate, keep_all),
            sizes={**ALONE_APPLIER, "node_changes": 1},
        ),
        "a new version is written and not noted": Deviation(
            (store_change_makes_the_applier_snapshot_old,),
            changed=spoil(update_job, "snapshot.index", lambda s, *_: s.snapshot.index),
            sizes={**ALONE_APPLIER, "evals": 3, "updates": 1},
        ),
        "the applier judges by an old state": Deviation(
            (judged_plan_is_not_newer_than_the_applier,),
            "03/S2",
            sizes={**ALONE_APPLIER, "evals": 3, "updates": 1},
        ),
        "the snapshot does not take in an entry": Deviation(
            (applier_snapshot_shows_every_dispatched_entry,),
            changed=also(dispatch, leave_out_of_snapshot),
            sizes=ALONE_APPLIER,
        ),
        "a failed entry stays in the snapshot": Deviation(
            (applier_snapshot_shows_no_failed_entry,), "X-10", sizes={**ALONE_APPLIER, "failed_entries": 1}
        ),
        "entries commit in any order": Deviation(
            (entries_commit_in_order,),
            changed=reword(commit, commit_any),
            sizes={**PAIR, "nodes": 2, "depth": 2},
            is_long=True,
        ),
        "the log may rest": Deviation((plans_are_answered,), changed=unfair(commit), sizes=ALONE_APPLIER),
        "who waits for what was written hears of an error": Deviation(
            (failed_entry_is_answered_with_an_error,),
            changed=spoil(commit, "stage", Stage.FAILING, 0),
            sizes=PIPELINE,
        ),
        "an entry is committed without its placement": Deviation(
            (entry_is_written_whole_or_not_at_all,),
            changed=spoil(commit, "occupies", NONE, "job", 0),
            sizes={**ALONE, "depth": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_plan_is_judged_while_an_entry_is_in_flight, {**PAIR, "nodes": 2}),
        (two_entries_are_in_flight, {**PAIR, "depth": 2, "cap": 2}),
        (
            a_plan_is_kept_in_part,
            {**ALONE_APPLIER, "nodes": 2, "count": 2, "allocations": 3, "node_changes": 1},
        ),
        (a_plan_stops_something, {**ALONE_APPLIER, "stops": 1}),
        (a_plan_wants_an_ineligible_node, {**ALONE_APPLIER, "node_changes": 1}),
        (a_plan_is_newer_than_the_snapshot, {**ALONE_APPLIER, "evals": 3, "updates": 1}),
        (an_entry_fails, {**ALONE_APPLIER, "failed_entries": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Property, sizes: dict[str, int]) -> None:
    story = find_witness(prop, **sizes)

    assert story is not None
    assert prop.name == story.property


def test_an_update_while_a_commit_goes_unseen_leaves_an_entry_out_of_the_snapshot() -> None:
    sizes = {**ALONE_APPLIER, "evals": 3, "allocations": 3, "updates": 1}
    story = find_story_under("nomad-2.0", applier_snapshot_shows_every_dispatched_entry, sizes)

    assert story is not None
    assert "Dispatch" in [step.rule for step in story.steps]
    assert find_story_under("nomad-2.0 -03/S5", applier_snapshot_shows_every_dispatched_entry, sizes) is None
