"""Plans are answered by what their allocations are."""

import pytest

from nomadspec.checkers.oracle.families.scheduler_reading import Result, Submission
from nomadspec.checkers.oracle.families.scheduler_replay import Unanswered, answer
from nomadspec.checkers.oracle.relation.answers import Answering, pair_alike
from nomadspec.model.cluster.entities import Plan
from tests.model.cluster.scheduler.made import make_alloc, make_snapshot


def test_what_was_taken_is_found_by_its_place() -> None:
    ours = (
        make_alloc("1", create_index=0, name="j.web[1]"),
        make_alloc("2", create_index=0, name="j.web[0]"),
        make_alloc("old"),
    )
    theirs = (
        make_alloc("x", create_index=0, name="j.web[0]"),
        make_alloc("y", create_index=0, name="j.web[1]"),
        make_alloc("old"),
    )
    told = Result(node_allocation={"n1": ["x", "old"]}, new_allocs=["x"], alloc_index=9)

    plan, recorded = Plan(node_allocation={"n1": ours}), Plan(node_allocation={"n1": theirs})
    result = answer(plan, recorded, told, pair_alike)

    taken = [(alloc.id, alloc.create_index, alloc.modify_index) for alloc in result.node_allocation["n1"]]
    assert taken == [("2", 9, 9), ("old", 7, 8)]


def test_each_plan_is_looked_at_before_it_is_answered() -> None:
    newer, seen = make_snapshot(), list[int]()
    told = [Submission(plan={}, result=Result()), Submission(plan={}, error="plan queue is disabled")]
    plan, recorded = Plan(eval_id="e"), [Plan(), Plan()]
    answering = Answering(told, recorded, [newer, None], lambda turn, _: seen.append(turn), {"e"})

    assert answering.submit(plan).new_state is newer
    assert answering.submit(plan).error == "plan queue is disabled"
    with pytest.raises(Unanswered):
        answering.submit(plan)
    assert seen == [0, 1]


def test_a_plan_that_the_store_refuses_is_neither_answered_nor_told_of() -> None:
    """GENERIC-05."""
    answering = Answering([], [], [], lambda _turn, _plan: None, {"other"})

    assert answering.submit(Plan(eval_id="e")).error == (
        'failed to process eval: apply: unable to find eval id "e"'
    )
    assert answering.plans == []
