from collections import Counter
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.invariants.small.core import CORE
from nomadspec.model.language.domain import NONE, SKIP, Id
from nomadspec.model.language.property import Kind
from nomadspec.model.small.core import (
    Place,
    Stage,
    Status,
    ack,
    apply_plan,
    dequeue,
    expire_delivery,
    flip_node,
    holds_token,
    nack,
    redeliver,
    release,
    schedule,
)
from tests.invariants.mutants import Mutant, then
from tests.model.language.search import find_story

LONE = {"jobs": 1, "workers": 1, "nodes": 1, "count": 1, "cap": 1}
PAIR = {**LONE, "workers": 2}
CROWD = {**PAIR, "jobs": 2}


def nack_without_a_look(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(s.stage[worker] == Stage.REJECTED, s.job[worker] == job)
    redeliver(s, t, job)
    release(t, worker)


def wipe_token(_s: Any, t: Any, job: Id) -> None:
    t.token[job] = 0


def keep_evaluation(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.place[job] = s.place[job]


def take_later_token(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.held_token[worker] = s.token[job] + 2


def leave_queue(_s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    t.plans.remove(worker)


def forget_job(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.job[worker] = NONE


def take_back_what_is_over(s: Any, t: Any, job: Id) -> None:
    t.require(s.place[job] == Place.OUT)
    redeliver(s, t, job)


def see_no_node(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.seen_up[worker] = False


def plan_for_one_node(s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    for i in s.placements:
        t.plan[worker, i] = 0


def plan_for_no_node(s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    for i in s.placements:
        t.plan[worker, i] = NONE


def plan_nothing(s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    for i in s.placements:
        t.plan[worker, i] = SKIP


def count_no_flip(s: Any, t: Any, _node: Id) -> None:
    t.flipped = s.flipped


def forget_jobs(s: Any, t: Any, _node: Id) -> None:
    for job in s.jobs:
        t.place[job] = s.place[job]


def promise_everything(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = Stage.UNPLACED


def fail_in_silence(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.when(holds_token(s, worker, job)).status[job] = Status.FAILED


def nack_of_anyone(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(s.stage[worker] == Stage.REJECTED)
    redeliver(s, t.when(holds_token(s, worker, job)), job)
    release(t, worker)


def give_up_at_once(s: Any, t: Any, job: Id) -> None:
    t.require(s.place[job] == Place.UNACKED)
    t.place[job] = Place.OUT
    t.status[job] = Status.FAILED


def keep_token(s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.held_token[worker] = s.held_token[worker]


def keep_plan(s: Any, t: Any, worker: Id, _job: Id) -> None:
    for i in s.placements:
        t.plan[worker, i] = s.plan[worker, i]


def deliver_again_without_end(_s: Any, t: Any, job: Id) -> None:
    t.place[job] = Place.READY


def count_no_delivery(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.delivered[job] = s.delivered[job]


MUTANTS = {
    "a spent evaluation is ready again": Mutant(
        ("deliveries_are_limited",),
        rule=expire_delivery,
        text=then(expire_delivery, deliver_again_without_end),
        sizes={**LONE, "deliveries": 1},
    ),
    "a delivery is not counted": Mutant(
        ("tokens_are_deliveries",),
        rule=dequeue,
        text=then(dequeue, count_no_delivery),
        sizes={**LONE, "deliveries": 1},
    ),
    "the applier promises everything": Mutant(
        ("answers_of_the_applier_are_true",),
        rule=apply_plan,
        text=then(apply_plan, promise_everything),
        sizes=LONE,
    ),
    "an ack writes another outcome": Mutant(
        ("outcomes_are_written",), rule=ack, text=then(ack, fail_in_silence), sizes={**LONE, "deliveries": 1}
    ),
    "a worker gives back what is another's": Mutant(
        ("workers_keep_to_their_job",), rule=nack, text=nack_of_anyone, sizes=CROWD
    ),
    "a first time-out fails the evaluation": Mutant(
        ("only_spent_evaluations_fail",),
        rule=expire_delivery,
        text=give_up_at_once,
        sizes={**LONE, "deliveries": 2},
    ),
    "a worker keeps its token": Mutant(
        ("idle_workers_keep_nothing",), rule=nack, text=then(nack, keep_token), sizes=PAIR
    ),
    "a plan stays after it was applied": Mutant(
        ("snapshots_and_plans_are_used_once",),
        rule=apply_plan,
        text=then(apply_plan, keep_plan),
        sizes=LONE,
    ),
    "a time-out takes back what is over": Mutant(
        ("answers_are_final",), rule=expire_delivery, text=take_back_what_is_over, sizes=LONE
    ),
    "a worker sees no node": Mutant(
        ("snapshot_of_a_delivery_is_current",), rule=dequeue, text=then(dequeue, see_no_node), sizes=LONE
    ),
    "everything is planned for one node": Mutant(
        ("plan_fits_its_snapshot",),
        rule=schedule,
        text=then(schedule, plan_for_one_node),
        sizes={**LONE, "count": 2},
    ),
    "a free node is not used": Mutant(
        ("plan_leaves_no_free_room_unused",), rule=schedule, text=then(schedule, plan_for_no_node), sizes=LONE
    ),
    "a missing allocation is not planned": Mutant(
        ("plan_places_exactly_the_missing_allocs",),
        rule=schedule,
        text=then(schedule, plan_nothing),
        sizes=LONE,
    ),
    "a flip is not counted": Mutant(
        ("changes_of_nodes_are_counted",),
        rule=flip_node,
        text=then(flip_node, count_no_flip),
        sizes={**LONE, "flips": 1},
    ),
    "a job that lost an allocation is forgotten": Mutant(
        ("concerned_jobs_are_evaluated_again",),
        rule=flip_node,
        text=then(flip_node, forget_jobs),
        sizes={**LONE, "flips": 1},
    ),
    "the applier does not look at capacity": Mutant(
        ("no_node_is_oversubscribed",), profile="X-01", sizes=CROWD
    ),
    "a redelivery keeps its token": Mutant(("no_token_is_shared",), profile="X-02", sizes=PAIR),
    "a nack does not look at its token": Mutant(
        ("stale_token_changes_nothing",), rule=nack, text=nack_without_a_look, sizes=PAIR
    ),
    "a time-out wipes the token": Mutant(
        ("tokens_never_shrink", "held_tokens_were_given"),
        rule=expire_delivery,
        text=then(expire_delivery, wipe_token),
        sizes=PAIR,
    ),
    "an answer leaves the evaluation in the broker": Mutant(
        ("evaluation_is_answered",), rule=ack, text=then(ack, keep_evaluation), sizes=LONE
    ),
    "a worker takes a token that was never given": Mutant(
        ("held_tokens_were_given",), rule=dequeue, text=then(dequeue, take_later_token), sizes=LONE
    ),
    "a plan never queues up": Mutant(
        ("queued_workers_wait",), rule=schedule, text=then(schedule, leave_queue), sizes=LONE
    ),
    "a worker forgets its job too early": Mutant(
        ("busy_workers_have_a_job",), rule=apply_plan, text=then(apply_plan, forget_job), sizes=LONE
    ),
}
PAIRS = [(name, prop) for name, mutant in MUTANTS.items() for prop in mutant.breaks]


@pytest.mark.usefixtures("ids_may_be_numbers")
@pytest.mark.parametrize(("name", "prop"), PAIRS)
def test_a_mutant_breaks_a_property(name: str, prop: str) -> None:
    bounded = MUTANTS[name].apply(CORE)
    story = find_story(bounded, bounded.model.find_property(prop))

    assert story is not None
    assert prop == story.property


@pytest.mark.parametrize("sizes", [LONE, PAIR, {**LONE, "flips": 1}], ids=["lone", "pair", "flip"])
def test_without_a_mutant_every_property_holds(sizes: dict[str, int]) -> None:
    bounded = CORE.at("small", sizes=sizes, profile="intended")
    asked = bounded.model.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)
    report = explore(bounded, properties=asked)

    assert [] == [finding.property for finding in report.findings]
    assert {prop.name for prop in asked} <= set(report.checked)


def test_every_property_is_broken_by_a_mutant_and_no_mutant_serves_many() -> None:
    served = Counter(name for name, _ in PAIRS)

    assert {prop.name for prop in CORE.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)} == {
        prop for _, prop in PAIRS
    }
    assert max(served.values()) <= 3


@pytest.mark.parametrize("prop", [prop.name for prop in CORE.list_properties(Kind.SOMETIMES)])
def test_what_must_be_reachable_is_reached_in_the_small_scope(prop: str) -> None:
    bounded = CORE.at("small", profile="intended")
    story = find_story(bounded, bounded.model.find_property(prop))

    assert story is not None
    assert story.witnesses


@pytest.mark.parametrize(
    ("name", "prop", "witnesses"),
    [
        ("the applier does not look at capacity", "no_node_is_oversubscribed", (("node1",),)),
        (
            "a redelivery keeps its token",
            "no_token_is_shared",
            (("worker1", "worker2"), ("worker2", "worker1")),
        ),
        ("a worker forgets its job too early", "busy_workers_have_a_job", (("worker1",),)),
        ("a time-out wipes the token", "tokens_never_shrink", (("job1",),)),
        ("an answer leaves the evaluation in the broker", "evaluation_is_answered", ()),
    ],
)
def test_who_is_to_blame_is_named(name: str, prop: str, witnesses: tuple[tuple[str, ...], ...]) -> None:
    bounded = MUTANTS[name].apply(CORE)
    story = find_story(bounded, bounded.model.find_property(prop))

    assert story is not None
    assert witnesses == story.witnesses
