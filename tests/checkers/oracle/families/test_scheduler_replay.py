"""Plans of the model get the recorded answers, place by place."""

import pytest

from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Result, Submission, Tables, read_vector
from nomadspec.checkers.oracle.families.scheduler_replay import Replay, Unanswered, answer
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Plan
from tests.checkers.oracle.families.test_scheduler_reading import make_document

VECTOR = read_vector(make_document())


def make_replay(*submissions: Submission, recorded: Plan | None = None) -> Replay:
    tables = Tables.of(VECTOR, Jobs.of(VECTOR))
    return Replay(submissions, [recorded or Plan()] * len(submissions), tables)


def make_plan(*names: str) -> Plan:
    allocs = tuple(Allocation(id=name, create_index=3, modify_index=3) for name in names)
    return Plan(node_allocation={"n": allocs}, deployment=Deployment(id="d"))


def test_what_was_taken_is_taken_place_by_place() -> None:
    told = Result(node_allocation={"n": ["x", "z"]}, alloc_index=9, new_allocs=["x"], deployment=True)

    result = answer(make_plan("1", "2", "3"), make_plan("x", "y", "z"), told)

    taken = [(alloc.id, alloc.create_index, alloc.modify_index) for alloc in result.node_allocation["n"]]
    assert taken == [("1", 9, 9), ("3", 3, 4)]
    assert result.deployment == Deployment(id="d")


def test_an_error_is_handed_back() -> None:
    replay = make_replay(Submission(plan={}, error="plan queue is disabled"))

    assert replay.submit(Plan()).error == "plan queue is disabled"


def test_a_newer_state_is_handed_back() -> None:
    replay = make_replay(Submission(plan={}, result=Result(), state_after={"index": 12}))

    handed = replay.submit(Plan()).new_state

    assert handed is not None
    assert handed.latest_index == 12


def test_one_plan_more_has_no_answer() -> None:
    replay, plan = make_replay(), Plan(eval_id="e")
    replay.tables.rows["evals"] = {"e": Evaluation(id="e")}

    with pytest.raises(Unanswered):
        replay.submit(plan)
    assert replay.plans == [plan]


def test_a_plan_for_an_eval_that_is_not_there_ends_the_call() -> None:
    replay = make_replay()

    assert 'unable to find eval id "gone"' in replay.submit(Plan(eval_id="gone")).error
    assert replay.plans == []
