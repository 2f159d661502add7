from dataclasses import replace
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.kernel.applier import (
    a_node_is_full,
    a_plan_has_two_placements,
    a_plan_is_committed_in_part,
    a_plan_is_for_an_old_version,
    a_plan_is_late,
    a_plan_is_rejected,
    a_plan_of_a_stopped_job_is_queued,
    a_plan_only_marks_a_node_ineligible,
    all_at_once_plan_is_placed_whole,
    alloc_is_placed_and_stopped_only_by_a_plan,
    full_commit_means_all_placements_stored,
    fully_committed_plan_is_not_made_again,
    new_alloc_is_on_ready_eligible_node,
    no_node_is_oversubscribed,
    node_becomes_ineligible_when_rejected_too_often,
    nothing_is_placed_for_stopped_jobs,
    only_attempts_in_vain_count,
    plan_is_committed_node_by_node,
    plan_rejections_are_forgotten,
    plan_that_only_stops_is_never_rejected,
    plans_are_answered,
    rejection_counts_against_a_planned_node,
)
from nomadspec.invariants.kernel.plan_queue import a_higher_priority_plan_overtakes, plans_queue_up
from nomadspec.invariants.kernel.preemption import a_plan_preempts_an_alloc
from nomadspec.model.kernel.applier import answer, apply_plan, make_alloc, reject_all_at_once
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.pipeline import (
    commit,
    evaluate,
)
from nomadspec.model.kernel.plan_queue import is_next, take_plan
from nomadspec.model.kernel.statuses import (
    AllocPhase,
    Stage,
)
from nomadspec.model.kernel.worker import ack
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

LOST = {**ALONE, "node_changes": 1}


ALONE_APPLIER = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2, "depth": 1}


ATOMIC = {**ALONE_APPLIER, "depth": 0}


def send_back(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.REJECTED


def reject_all(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(is_next(s, worker), s.job[worker] == job)
    take_plan(s, t, worker)
    answer(s, t, worker, is_whole=False, has_progress=False)


TWINS = {**ALONE_APPLIER, "count": 2, "cap": 2, "allocations": 3}


def blame_all(_s: Any, t: Any, _worker: Id, _job: Id, _node: Id) -> None:
    t.plan_rejections = 1


TWO = {**ALONE, "count": 2, "cap": 2}


ALONE_PLANS = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "allocations": 2}


PAIR = {**ALONE_PLANS, "jobs": 2, "workers": 2}


def place_blindly(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(is_next(s, worker), s.job[worker] == job, s.alloc_made[job] < s.allocations)
    take_plan(s, t, worker)
    placed = t.when(s.plan[worker].to[0] != NONE)
    make_alloc(s, placed, job, s.alloc_made[job], s.plan[worker].to[0], s.plan[worker])
    t.alloc_made[job] = s.alloc_made[job] + 1
    t.stage[worker] = Stage.DECIDED


def keep_one(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.occupies[job, s.alloc_made[job]] = NONE
    t.alloc_phase[job, s.alloc_made[job]] = AllocPhase.ABSENT


PAIR_PROMISED = {**ALONE, "nodes": 2}


CONTENDED = {"evals": 1, "allocations": 1, "endings": 0, "depth": 1, "rejection_threshold": 1}


PIPELINE = {**ALONE, "depth": 1}


RANKS = {**PAIR, "evals": 3, "priorities": 1, "preempting": 1}


MATRIX = Matrix(
    {
        "nobody is told to close a node": Deviation(
            (node_becomes_ineligible_when_rejected_too_often,),
            changed=spoil(evaluate, "plan.marks", False, "worker", 0),
            sizes={**LOST, "depth": 1, "rejection_threshold": 1},
        ),
        "an attempt of which an entry was written counts": Deviation(
            (only_attempts_in_vain_count,),
            changed=spoil(commit, "tries", 1, 0),
            sizes={**ALONE, "nodes": 2, "count": 2, "depth": 1, "node_changes": 1},
        ),
        "an attempt of which the placements were left out does not count": Deviation(
            (only_attempts_in_vain_count,),
            changed=spoil(commit, "tries", 0, 0),
            sizes={**PIPELINE, "stops": 1},
        ),
        "every plan is sent back": Deviation(
            (fully_committed_plan_is_not_made_again,), changed=also(apply_plan, send_back), sizes=ATOMIC
        ),
        "nothing of a plan is committed": Deviation(
            (fully_committed_plan_is_not_made_again,), changed=reword(apply_plan, reject_all), sizes=ATOMIC
        ),
        "a gang is held against each node": Deviation(
            (rejection_counts_against_a_planned_node,),
            changed=also(reject_all_at_once, blame_all),
            sizes={
                **TWINS,
                "nodes": 2,
                "cap": 1,
                "depth": 0,
                "all_at_once": 1,
                "rejection_threshold": 1,
                "node_changes": 1,
            },
        ),
        "half of what a node is to get is placed": Deviation(
            (plan_is_committed_node_by_node,),
            changed=spoil(apply_plan, "alloc_phase", AllocPhase.ABSENT, "job", 1),
            sizes=TWO,
        ),
        "a worker is to plan again what an entry has placed": Deviation(
            (fully_committed_plan_is_not_made_again,),
            changed=spoil(commit, "stage", Stage.REJECTED, 0),
            sizes=PIPELINE,
        ),
        "an ack stops an allocation": Deviation(
            (alloc_is_placed_and_stopped_only_by_a_plan,),
            changed=spoil(ack, "alloc_phase", AllocPhase.STOPPED, "job", 0),
            sizes=ALONE,
        ),
        "the applier looks at nothing": Deviation(
            (no_node_is_oversubscribed, nothing_is_placed_for_stopped_jobs),
            changed=reword(apply_plan, place_blindly),
            sizes={**PAIR, "stops": 1},
        ),
        "what was left out is reported as made": Deviation(
            (full_commit_means_all_placements_stored,), "03/S13", sizes={**ALONE_PLANS, "stops": 1}
        ),
        "the first of a gang is left out": Deviation(
            (all_at_once_plan_is_placed_whole,),
            changed=also(apply_plan, keep_one),
            sizes={**ALONE_PLANS, "all_at_once": 1, "count": 2, "cap": 2},
        ),
        "the applier may rest": Deviation(
            (plans_are_answered,), changed=unfair(apply_plan), sizes=ALONE_PLANS
        ),
        "a plan that stops a job is refused": Deviation(
            (plan_that_only_stops_is_never_rejected,),
            changed=spoil(apply_plan, "stage", Stage.REJECTED, "worker"),
            sizes={**ALONE, "evals": 3, "stops": 1},
        ),
        "an allocation comes to a node that is down": Deviation(
            (new_alloc_is_on_ready_eligible_node,),
            changed=spoil(apply_plan, "occupies", 1, "job", 0),
            sizes={**PAIR_PROMISED, "node_changes": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_a_plan_may_have_only_a_node_to_close() -> None:
    assert find_witness(a_plan_only_marks_a_node_ineligible, **CONTENDED, nodes=2) is not None


def test_a_plan_that_is_kept_closes_no_node() -> None:
    assert find_witness(a_plan_only_marks_a_node_ineligible, **PIPELINE, rejection_threshold=1) is None


def test_refusals_may_be_forgotten() -> None:
    assert find_witness(plan_rejections_are_forgotten, **CONTENDED, nodes=1) is not None


def test_nothing_is_forgotten_where_nobody_counts() -> None:
    assert find_witness(plan_rejections_are_forgotten, **PIPELINE) is None


@pytest.mark.deep(seconds=40)
def test_an_evaluation_that_an_operator_deleted_fills_no_node_as_intended() -> None:
    sizes = {
        "nodes": 1,
        "evals": 1,
        "allocations": 1,
        "depth": 1,
        "deliveries": 1,
        "attempts": 1,
        "endings": 0,
    }
    sizes |= {"pauses": 1, "gc_deletions": 1}

    assert find_story_under("nomad-2.0", no_node_is_oversubscribed, sizes) is not None
    assert find_story_under("intended", no_node_is_oversubscribed, sizes) is None


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_node_is_full, ALONE_PLANS),
        (a_plan_is_rejected, PAIR),
        (a_plan_is_late, {**ALONE_PLANS, "timeouts": 1}),
        (plans_queue_up, PAIR),
        (a_higher_priority_plan_overtakes, {**PAIR, "priorities": 1}),
        (a_plan_of_a_stopped_job_is_queued, {**ALONE_PLANS, "stops": 1}),
        (a_plan_is_for_an_old_version, {**ALONE_PLANS, "updates": 1}),
        (
            a_plan_is_committed_in_part,
            {**ALONE_PLANS, "nodes": 2, "count": 2, "allocations": 4, "node_changes": 1},
        ),
        (a_plan_has_two_placements, {**ALONE_PLANS, "count": 2, "cap": 2}),
        (a_plan_preempts_an_alloc, RANKS),
    ],
)
def test_what_the_properties_are_about_happens(prop: Property, sizes: dict[str, int]) -> None:
    story = find_witness(prop, **sizes)

    assert story is not None
    assert prop.name == story.property


@pytest.mark.deep
def test_an_entry_that_the_applier_lost_sight_of_fills_a_node_twice() -> None:
    sizes = {"depth": 1, "workers": 1, "evals": 3, "allocations": 3, "updates": 1}
    story = find_story_under("nomad-2.0", no_node_is_oversubscribed, sizes)

    assert story is not None
    assert (("node2",),) == story.witnesses
    assert find_story_under("nomad-2.0 -03/S5", no_node_is_oversubscribed, sizes) is None


@pytest.mark.parametrize(
    "sizes",
    [
        {"cap": 1},
        pytest.param({"cap": 1, "stops": 1, "evals": 3}, marks=pytest.mark.deep),
        pytest.param({"cap": 1, "stops": 1, "elections": 1}, marks=pytest.mark.deep),
    ],
    ids=["alone", "with a stop", "with a lost leader"],
)
def test_two_entries_in_flight_fill_no_node(sizes: dict[str, int]) -> None:
    """With a lost leader they did, after 26 steps, while the log could lose one entry from under another."""
    model = replace(KERNEL, properties=(no_node_is_oversubscribed,))
    report = explore(model.at("two-entries", sizes=sizes, profile="intended"))

    assert (Verdict.HOLDS, ()) == (report.verdict, report.findings)
