from typing import Any

import pytest

from nomadspec.invariants.kernel.plans import (
    a_node_is_full,
    a_plan_drives_something_out,
    a_plan_has_two_placements,
    a_plan_is_for_an_old_version,
    a_plan_is_late,
    a_plan_is_refused,
    a_plan_of_a_stopped_job_is_queued,
    allocations_carry_the_version_of_their_plan,
    an_urgent_plan_overtakes,
    answers_of_success_are_true,
    attempts_are_bounded,
    evictions_are_followed_by_one_evaluation,
    gangs_are_placed_together,
    no_node_is_overfull,
    no_node_is_overfull_without_a_pipeline,
    no_plan_is_queued_twice,
    nothing_is_placed_for_stopped_jobs,
    only_lower_priorities_are_driven_out,
    only_partial_plans_are_made_again,
    only_valid_deliveries_submit,
    plans_are_answered,
    plans_keep_the_version_that_they_were_made_for,
    plans_queue_up,
    queued_plans_are_submitted,
    refused_attempts_count,
    urgent_plans_go_first,
    victims_are_of_other_jobs,
)
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import Planned, apply_plan, make_alloc
from nomadspec.model.kernel.plan_queue import enqueue_plan, is_queued, take_plan
from nomadspec.model.kernel.preemption import plan_preemption
from nomadspec.model.kernel.state import AllocPhase, Stage
from nomadspec.model.kernel.worker import submit
from nomadspec.model.property import Property
from tests.invariants.kernel.deviations import (
    Deviation,
    Matrix,
    also,
    find_story_under,
    find_witness,
    reword,
    unfair,
)

ALONE = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 2, "spares": 2}
PAIR = {**ALONE, "jobs": 2, "workers": 2}
RANKS = {**PAIR, "evals": 3, "urgency": 1, "preempting": 1}


def submit_late(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(s.stage[worker] == Stage.PLANNED, s.job[worker] == job)
    t.stage[worker] = Stage.SUBMITTED
    enqueue_plan(s, t, worker)


def leave_line(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.plans.remove(worker)


def enter_both_lines(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.urgent_plans.push(worker)


def drop_any_plan(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(is_queued(s, worker), s.job[worker] == job)
    t.plans.remove(worker)
    t.urgent_plans.remove(worker)
    t.stage[worker] = Stage.DECIDED


def place_blindly(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(is_queued(s, worker), s.job[worker] == job, s.alloc_made[job] < s.spares)
    take_plan(s, t, worker)
    placed = t.when(s.plan_to[worker, 0] != NONE)
    planned = Planned(s.plan_version[worker], 0)
    make_alloc(s, placed, job, s.alloc_made[job], s.plan_to[worker, 0], planned)
    t.alloc_made[job] = s.alloc_made[job] + 1
    t.stage[worker] = Stage.DECIDED


def label_anew(s: Any, t: Any, worker: Id, job: Id) -> None:
    made = t.when(s.plan_to[worker, 0] != NONE)
    made.alloc_version[job, s.alloc_made[job]] = 1


def ask_again(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.REFUSED
    t.tries[worker] = s.attempts


def count_one_attempt(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.REFUSED
    t.tries[worker] = 1


def keep_one(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.occupies[job, s.alloc_made[job]] = NONE
    t.alloc_phase[job, s.alloc_made[job]] = AllocPhase.ABSENT


def tell_nobody(s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.made = s.made


def drive_out_anybody(s: Any, t: Any, worker: Id, job: Id, to: Any, other: Id, alloc: Id) -> None:
    t.require(other != job, s.stage[worker] == Stage.PLANNING, s.job[worker] == job)
    t.require(s.seen_occupies[worker, other, alloc] != NONE)
    t.plan_to[worker] = to
    t.plan_foe[worker] = other
    t.plan_victim[worker] = alloc
    t.stage[worker] = Stage.PLANNED


def drive_out_its_own(_s: Any, t: Any, worker: Id, job: Id, _to: Any, _other: Id, _alloc: Id) -> None:
    t.plan_foe[worker] = job


MATRIX = Matrix(
    {
        "a plan is queued without a look at its token": Deviation(
            (only_valid_deliveries_submit,),
            changed=reword(submit, submit_late),
            sizes={**ALONE, "timeouts": 1},
        ),
        "a plan does not reach the queue": Deviation(
            (queued_plans_are_submitted,), changed=also(submit, leave_line), sizes=ALONE
        ),
        "a plan is queued twice": Deviation(
            (no_plan_is_queued_twice,), changed=also(submit, enter_both_lines), sizes=ALONE
        ),
        "the applier takes any plan": Deviation(
            (urgent_plans_go_first,), changed=reword(apply_plan, drop_any_plan), sizes={**PAIR, "urgency": 1}
        ),
        "the applier looks at nothing": Deviation(
            (no_node_is_overfull, nothing_is_placed_for_stopped_jobs),
            changed=reword(apply_plan, place_blindly),
            sizes={**PAIR, "stops": 1},
        ),
        "the applier of one step looks at nothing": Deviation(
            (no_node_is_overfull_without_a_pipeline,),
            changed=reword(apply_plan, place_blindly),
            profile="intended",
        ),
        "an allocation is called newer than its plan": Deviation(
            (allocations_carry_the_version_of_their_plan,),
            changed=also(apply_plan, label_anew),
            sizes={**ALONE, "updates": 1},
        ),
        "a plan is submitted as one for the newest version": Deviation(
            (plans_keep_the_version_that_they_were_made_for,),
            "X-30",
            sizes={**ALONE, "updates": 1},
        ),
        "what was left out is reported as made": Deviation(
            (answers_of_success_are_true,), "03/S13", sizes={**ALONE, "stops": 1}
        ),
        "every plan is sent back": Deviation(
            (only_partial_plans_are_made_again, attempts_are_bounded, refused_attempts_count),
            changed=also(apply_plan, ask_again),
            sizes={**PAIR, "attempts": 3},
        ),
        "work in batches is tried as often as any other": Deviation(
            (attempts_are_bounded,),
            changed=also(apply_plan, count_one_attempt),
            sizes={**ALONE, "kinds": 1},
        ),
        "the first of a gang is left out": Deviation(
            (gangs_are_placed_together,),
            changed=also(apply_plan, keep_one),
            sizes={**ALONE, "gangs": 1, "count": 2, "cap": 2},
        ),
        "nobody is told that an allocation was driven out": Deviation(
            (evictions_are_followed_by_one_evaluation,),
            changed=also(apply_plan, tell_nobody),
            sizes=RANKS,
        ),
        "a plan drives out what is as urgent": Deviation(
            (only_lower_priorities_are_driven_out,),
            changed=reword(plan_preemption, drive_out_anybody),
            sizes=RANKS,
        ),
        "a plan drives out its own": Deviation(
            (victims_are_of_other_jobs,),
            changed=also(plan_preemption, drive_out_its_own),
            sizes=RANKS,
        ),
        "the applier may rest": Deviation((plans_are_answered,), changed=unfair(apply_plan), sizes=ALONE),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_node_is_full, ALONE),
        (a_plan_is_refused, PAIR),
        (a_plan_is_late, {**ALONE, "timeouts": 1}),
        (plans_queue_up, PAIR),
        (an_urgent_plan_overtakes, {**PAIR, "urgency": 1}),
        (a_plan_of_a_stopped_job_is_queued, {**ALONE, "stops": 1}),
        (a_plan_is_for_an_old_version, {**ALONE, "updates": 1}),
        (a_plan_has_two_placements, {**ALONE, "count": 2, "cap": 2}),
        (a_plan_drives_something_out, RANKS),
    ],
)
def test_what_the_properties_are_about_happens(prop: Property, sizes: dict[str, int]) -> None:
    story = find_witness(prop, **sizes)

    assert story is not None
    assert prop.name == story.property


def test_an_entry_that_the_applier_lost_sight_of_fills_a_node_twice() -> None:
    sizes = {"depth": 1, "workers": 1, "evals": 3, "spares": 3, "updates": 1}
    story = find_story_under("nomad-2.0", no_node_is_overfull, sizes)

    assert story is not None
    assert (("node2",),) == story.witnesses
    assert find_story_under("nomad-2.0 -03/S5", no_node_is_overfull, sizes) is None
