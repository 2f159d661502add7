"""Outcomes are taken apart into facts."""

from typing import Any

from nomadspec.checkers.oracle.relation.facts import Name, find_stage, generalise, is_of_eviction, list_facts

METRICS = {"NodesEvaluated": 3, "NodePool": "all", "ScoreMetaData": [{"NodeID": "a"}]}
NEW = {"ID": "<new>", "Name": "j.web[0]", "Metrics": METRICS}
OLD = {"ID": "x", "CreateIndex": 5, "Metrics": METRICS}
WAITING = {
    "ID": "<eval>",
    "ClassEligibility": {"c": True},
    "FailedTGAllocs": {"web": {"ConstraintFiltered": {"r": 1}, "NodesEvaluated": 2}},
}
PLAN: dict[str, Any] = {"Priority": 50, "NodeAllocation": {"a": [NEW, OLD]}, "NodeUpdate": {"a": [OLD, OLD]}}
OUTCOME: dict[str, Any] = {"plans": [{"plan": PLAN}], "created_evals": [WAITING], "error": None}


def find_names(*, has_orders: bool, has_one_group: bool = False) -> set[Name]:
    return set(list_facts(OUTCOME, has_orders=has_orders, has_one_group=has_one_group))


def test_what_a_new_allocation_owes_to_an_order_of_nodes_is_left_out() -> None:
    """FEAS-86."""
    names = find_names(has_orders=True)
    place = ("plans", "0", "NodeAllocation")

    assert (*place, "<new>", "Metrics", "NodePool") in names
    assert (*place, "<new>", "Metrics", "NodesEvaluated") not in names
    assert (*place, "x", "Metrics", "NodesEvaluated") in names
    assert (*place, "<new>", "Metrics", "NodesEvaluated") in find_names(has_orders=False)


def test_what_is_learnt_of_classes_is_left_out_unless_all_were_met() -> None:
    """FEAS-25."""
    name = ("ends", "created_evals", "<eval>", "ClassEligibility", "c")

    assert name not in find_names(has_orders=True)
    assert name in find_names(has_orders=True, has_one_group=True)
    assert name in find_names(has_orders=False)


def test_what_stands_there_twice_is_two_facts() -> None:
    names = find_names(has_orders=True)

    assert {("plans", "0", "NodeUpdate", each) for each in ("x", "x 2")} <= names


def test_facts_of_attempts_come_before_those_of_the_end() -> None:
    assert find_stage(("plans", "1", "Priority")) < find_stage(("plans", "#"))
    assert find_stage(("ends", "error")) == find_stage(("plans", "#"))


def test_kinds_of_facts_do_not_say_whom_they_are_about() -> None:
    assert generalise(("plans", "0", "NodeUpdate", "x", "Name")) == ("plans", "0", "NodeUpdate", "*", "Name")
    assert generalise(("plans", "0", "Deployment", "Status")) == ("plans", "0", "Deployment", "Status")
    assert generalise(("ends", "created_evals", "e", "Type")) == ("ends", "created_evals", "*", "Type")
    assert generalise(("ends", "error")) == ("ends", "error")


def test_facts_of_evictions_are_those_of_either_side() -> None:
    assert is_of_eviction(("plans", "1", "NodePreemptions", "a", "DesiredDescription"))
    assert is_of_eviction(("plans", "1", "NodeAllocation", "a", "PreemptedAllocations"))
    assert not is_of_eviction(("plans", "1", "NodeAllocation", "a", "Name"))


def test_a_group_for_which_nothing_waits_is_a_fact() -> None:
    """GENERIC-43."""
    ended = {"ID": "e", "QueuedAllocations": {"web": 0}, "BlockedEval": ""}

    names = set(list_facts({"plans": [], "updated_evals": [ended]}, has_orders=True))

    assert ("ends", "updated_evals", "e", "QueuedAllocations", "web") in names
    assert ("ends", "updated_evals", "e", "BlockedEval") not in names
